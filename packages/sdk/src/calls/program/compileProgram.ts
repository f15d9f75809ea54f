import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, parseEvmAddress, PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { requireAmount } from "@crosscall/protocol/encoding";
import { namePublicContract } from "@crosscall/protocol/generations";
import { compileStep, requireCount } from "./compileStep.ts";
import type { DecodedProgram, DecodedToken } from "./decodedProgram.ts";
import { NO_DEADLINE } from "./layout.ts";
import type { ExecutorContracts, Program, ProgramPolicy, ProgramToken } from "./program.ts";
import { requireOneOf } from "@crosscall/protocol/common/rejectUnknownOptions";

const MOST_GAS = 2 ** 32 - 1;

/** Compiles a program. Rejects a program that the executor would reject. */
export function compileProgram(program: Program, contracts: ExecutorContracts): DecodedProgram {
  const { deadline = NO_DEADLINE, policy = { kind: "revert" }, checks = [] } = program;
  requireCount(program.tokens.length, "tokens", "tokens");
  requireCount(checks.length, "checks", "checks");
  requireCount(program.steps.length, "steps", "steps");

  const tokens = program.tokens.map(compileToken);
  const addresses = tokens.map(({ token }) => token);
  requireDistinct(addresses);
  const denied = new Map<Address, string>([
    ...addresses.map((token) => [token, "a token of the program"] as const),
    [EVM_NATIVE_CURRENCY, "the zero address"],
    [PERMIT2_ADDRESS, "Permit2"],
    [parseEvmAddress(contracts.executor, "contracts.executor"), "the executor"],
    [parseEvmAddress(contracts.livePuller, "contracts.livePuller"), "the executor's puller"],
    [parseEvmAddress(contracts.router, "contracts.router"), "the router"],
  ]);
  const requireAllowed = (account: Address, field: string): void => {
    const reason = denied.get(account) ?? namePublicContract(account);
    if (reason === undefined) return;
    throw new InvalidInputError({
      field,
      value: account,
      reason: `it is ${reason}, which a program must not call, approve or pay`,
      hint: "Name another account.",
    });
  };
  const parsePaid = (account: Address, field: string): Address => {
    const parsed = parseEvmAddress(account, field);
    requireAllowed(parsed, field);
    return parsed;
  };

  const recipient = parsePaid(program.recipient, "recipient");
  const drawnBps = tokens.map(() => 0);
  return {
    deadline: requireDeadline(deadline),
    policy: compilePolicy(policy, parsePaid),
    recipient,
    tokens,
    checks: checks.map(({ token, minimumOut }, index) => ({
      token: parseToken(token, `checks[${index}].token`),
      minimumOut: requireAmount(minimumOut, `checks[${index}].minimumOut`),
    })),
    steps: program.steps.map((step, index) =>
      compileStep(step, { index, tokens: addresses, drawnBps, requireAllowed }),
    ),
  };
}

function compileToken({ token, minimumIn = 1n, keepUnit = false }: ProgramToken, index: number): DecodedToken {
  const parsed = {
    token: parseToken(token, `tokens[${index}].token`),
    keepUnit,
    minimumIn: requireAmount(minimumIn, `tokens[${index}].minimumIn`),
  };
  if (!keepUnit || parsed.token !== EVM_NATIVE_CURRENCY) return parsed;
  throw new InvalidInputError({
    field: `tokens[${index}].keepUnit`,
    value: keepUnit,
    reason: "the executor cannot keep native currency",
    hint: "Omit keepUnit.",
  });
}

function compilePolicy(policy: ProgramPolicy, parsePaid: (account: Address, field: string) => Address): ProgramPolicy {
  requireOneOf(policy.kind, ["revert", "fallBack"], "policy.kind");
  switch (policy.kind) {
    case "revert":
      return { kind: "revert" };
    case "fallBack":
      return {
        kind: "fallBack",
        recipient: parsePaid(policy.recipient, "policy.recipient"),
        stepsGas: requireGas(policy.stepsGas, "policy.stepsGas"),
        reserveGas: requireGas(policy.reserveGas, "policy.reserveGas"),
      };
  }
}

function requireDistinct(tokens: readonly Address[]): void {
  const second = tokens.findIndex((token, index) => tokens.indexOf(token) !== index);
  if (second === -1) return;
  throw new InvalidInputError({
    field: `tokens[${second}].token`,
    value: tokens[second],
    reason: "the program already declares this token",
    hint: "Declare each token once.",
  });
}

function requireDeadline(deadline: bigint): bigint {
  if (deadline > 0n && deadline <= NO_DEADLINE) return deadline;
  throw new InvalidInputError({
    field: "deadline",
    value: deadline,
    reason: "a deadline must be between 1 and 2^40 - 1",
    hint: "Pass Unix seconds, or omit the deadline.",
  });
}

function requireGas(gas: number, field: string): number {
  if (Number.isInteger(gas) && gas >= 0 && gas <= MOST_GAS) return gas;
  throw new InvalidInputError({
    field,
    value: gas,
    reason: "gas must be between 0 and 2^32 - 1",
    hint: `Pass ${field} as an integer.`,
  });
}

function parseToken(token: Address | "native", field: string): Address {
  return token === "native" ? EVM_NATIVE_CURRENCY : parseEvmAddress(token, field);
}
