import { type Abi, type Address, size } from "viem";

import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import { BPS_PER_WHOLE, formatAmount } from "@crosscall/protocol/encoding";
import type { DecodedDraw, DecodedProgram, DecodedStep } from "./decodedProgram.ts";
import { formatCallData } from "./formatCallData.ts";
import { NO_DEADLINE } from "./layout.ts";

export interface FormatProgramOptions {
  /** ABIs of targets; calls of other functions are printed as bytes. */
  readonly abis?: readonly Abi[];
  /** Names to print instead of addresses. */
  readonly labels?: Readonly<Record<Address, string>>;
}

/**
 * Formats a program as text: one line for its inputs, one per check, and one per step. Amounts are in the smallest
 * unit. Prints calls that the ABI does not explain completely as bytes.
 */
export function formatProgram(program: DecodedProgram, parameters: FormatProgramOptions = {}): string {
  rejectUnknownOptions(parameters, { abis: 1, labels: 1 });
  const { abis = [], labels = {} } = parameters;
  const nameOf = (account: Address): string =>
    Object.entries(labels).find(([address]) => isSameAddress(address, account))?.[1] ?? account;
  const drawnBps = program.tokens.map(() => 0);
  return [
    `for ${nameOf(program.recipient)}, ${formatDeadline(program.deadline)}, ${formatPolicy(program, nameOf)}`,
    ...program.tokens.map(
      ({ token, minimumIn, keepUnit }) =>
        `in: ${minimumIn === 0n ? "any" : `at least ${minimumIn}`} of ${nameToken(token, nameOf)}${keepUnit ? ", one unit stays" : ""}`,
    ),
    ...program.checks.map(({ token, minimumOut }) => `out: at least ${minimumOut} of ${nameToken(token, nameOf)}`),
    ...program.steps.map((step, index) => {
      const amounts = step.draws.map((draw) => formatDraw(draw, program, drawnBps, index, nameOf));
      return `${index + 1}. ${formatStep(step, amounts, abis, nameOf)}`;
    }),
  ].join("\n");
}

function formatStep(
  step: DecodedStep,
  amounts: readonly string[],
  abis: readonly Abi[],
  nameOf: (account: Address) => string,
): string {
  const call = size(step.data) === 0 ? "" : `.${formatCallData(step, amounts, abis, nameOf)}`;
  const notes = step.draws.flatMap((draw, index) => {
    const amount = amounts[index] ?? "";
    switch (draw.kind) {
      case "forTarget":
        return [`${nameOf(step.target)} may take ${amount}`];
      case "forSpender":
        return [`${nameOf(draw.spender)} may take ${amount}`];
      case "value":
      case "fixedValue":
        return [`sends ${amount}`];
      case "balance":
      case "returned":
        return step.patches.some((patch) => patch.draw === index) ? [] : [`counts ${amount}`];
    }
  });
  return [nameOf(step.target) + call, ...notes.map((note) => `[${note}]`)].join(" ");
}

/** Counts shares as the executor does. */
function formatDraw(
  draw: DecodedDraw,
  program: DecodedProgram,
  drawnBps: number[],
  step: number,
  nameOf: (account: Address) => string,
): string {
  if (draw.kind === "fixedValue") return `${draw.value} wei`;
  if (draw.kind === "returned") return `${percent(draw.shareBps)} of word ${draw.word} returned by step ${step}`;
  const token = program.tokens[draw.token];
  const name = token === undefined ? `token ${draw.token}` : nameToken(token.token, nameOf);
  const before = drawnBps[draw.token] ?? 0;
  const isRest = before > 0 && before + draw.shareBps === Number(BPS_PER_WHOLE);
  drawnBps[draw.token] = (before + draw.shareBps) % Number(BPS_PER_WHOLE);
  return isRest ? `the rest of ${name}` : `${percent(draw.shareBps)} of ${name}`;
}

function nameToken(token: Address, nameOf: (account: Address) => string): string {
  return token === EVM_NATIVE_CURRENCY ? "native" : nameOf(token);
}

function percent(shareBps: number): string {
  return `${formatAmount(BigInt(shareBps), 2)}%`;
}

function formatDeadline(deadline: bigint): string {
  // Years after 9999 do not have four digits.
  const isShown = deadline < 253_402_300_800n;
  if (deadline === NO_DEADLINE) return "without a deadline";
  return `until ${isShown ? new Date(Number(deadline) * 1000).toISOString() : `second ${deadline}`}`;
}

function formatPolicy({ policy }: DecodedProgram, nameOf: (account: Address) => string): string {
  switch (policy.kind) {
    case "revert":
      return "all or nothing";
    case "fallBack":
      return (
        `on failure, all to ${nameOf(policy.recipient)} ` +
        `(gas: ${policy.stepsGas} for the steps, ${policy.reserveGas} reserved)`
      );
  }
}
