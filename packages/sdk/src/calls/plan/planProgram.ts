import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
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
   * Defaults to `pull`: the router approves the puller, and no other program can run in between. A pull requires a
   * single token with a changeable allowance. Otherwise defaults to `push`: the router transfers its balances first.
   */
  readonly by?: "push" | "pull";
}

export interface ProgramFragmentParameters {
  readonly program: Program;
  readonly runner: ProgramRunner;
  readonly router: RouterParameters;
  readonly allowance: AllowanceState;
}

/** Plans the calls of a program that uses the router's balances. */
export function planProgram({ program, runner, router, allowance }: ProgramFragmentParameters): PlanFragment {
  const { executor, livePuller } = runner;
  const bytes = encodeProgram(program, { executor, livePuller, router: router.router });
  const declared = decodeProgram(bytes).tokens;
  const tokens = declared.map(({ token }) => token);
  const brought = declared.filter(({ minimumIn }) => minimumIn > 0n);
  const [pulled] = brought;
  const isPullable = pulled !== undefined && brought.length === 1 && pulled.token !== EVM_NATIVE_CURRENCY;
  const { by = isPullable && allowance.refusesChange !== true ? "pull" : "push" } = runner;
  if (by === "push") {
    const calls = pushAndExecute({ ...router, executor, program: bytes });
    return { calls, tokens, allowances: [], guard: "releasesFirst" };
  }
  if (!isPullable) {
    throw new InvalidInputError({
      field: "by",
      value: by,
      reason: "the puller can take only one token from the router, and no native currency",
      hint: "Omit `by` to let the router push.",
    });
  }
  const calls = pullAndExecute({ token: pulled.token, executor, livePuller, program: bytes, allowance });
  const allowances = [{ token: pulled.token, spender: livePuller, facts: allowance, isReset: true }];
  return { calls, tokens, allowances, guard: "requires" };
}
