import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import { type KnownOptions, requireOneOf } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { routerGenerationOf } from "@crosscall/protocol/generations";
import { decodeProgram } from "../program/decodeProgram.ts";
import { encodeProgram } from "../program/encodeProgram.ts";
import type { ExecutorContracts, Program } from "../program/program.ts";
import { pullAndExecute } from "../program/pullAndExecute.ts";
import { pushAndExecute } from "../program/pushAndExecute.ts";
import type { AllowanceState } from "../raiseAllowance.ts";
import type { RouterParameters } from "../routerCall.ts";
import type { PlanFragment } from "./fragment.ts";

/** The destination chain's push executor, and how it receives live balances. */
export interface ProgramRunner extends Omit<ExecutorContracts, "router"> {
  /**
   * `push`: the router transfers its balances to the executor first, which needs no approval and works for every token.
   * `pull`: the router approves the puller for a single token, and no other program can run in between, not even by a
   * hook of the token. Defaults to `push`, except where the router would hold other funds without its guard: before
   * version 3.1, in a plan with other actions.
   */
  readonly by?: "push" | "pull";
}

export const RUNNER_OPTIONS = { executor: 1, livePuller: 1, by: 1 } satisfies KnownOptions<ProgramRunner>;

export interface ProgramFragmentParameters {
  readonly program: Program;
  readonly runner: ProgramRunner;
  readonly router: RouterParameters;
  readonly allowance: AllowanceState;
  /** Currency that the router holds before the program; zero address for native currency. */
  readonly delivered: Address;
  /** Whether the plan has no other action. */
  readonly isOnly: boolean;
}

/** Plans the calls of a program that uses the router's balances. */
export function planProgram(parameters: ProgramFragmentParameters): PlanFragment {
  const { program, runner, router, allowance, delivered, isOnly } = parameters;
  const { executor, livePuller } = runner;
  const bytes = encodeProgram(program, { executor, livePuller, router: router.router });
  const declared = decodeProgram(bytes).tokens;
  const takes = declared.filter(({ minimumIn }) => minimumIn > 0n).map(({ token }) => token);
  const [pulled] = takes;
  const isPullable = pulled !== undefined && takes.length === 1 && pulled !== EVM_NATIVE_CURRENCY;
  const isGuarded = routerGenerationOf(router.router)?.keepsGuard === true;
  const isEmptied = isOnly && takes.some((taken) => isSameAddress(taken, delivered));
  const { by = isPullable && !isGuarded && !isEmptied ? "pull" : "push" } = runner;
  if (requireOneOf(by, ["push", "pull"], "programs.by") === "push") {
    const calls = pushAndExecute({ ...router, executor, program: bytes });
    return { calls, takes, leaves: [], allowances: [], guard: "releasesFirst" };
  }
  if (!isPullable) {
    throw new InvalidInputError({
      field: "by",
      value: by,
      reason: "the puller can take only one token from the router, and no native currency",
      hint: "Omit `by` to let the router push.",
    });
  }
  const calls = pullAndExecute({ token: pulled, executor, livePuller, program: bytes, allowance });
  const allowances = [{ token: pulled, spender: livePuller, facts: allowance, mayRemain: true }];
  return { calls, takes, leaves: [], allowances, guard: "requires" };
}
