import { classifyRevert } from "../../protocol/reverts/classifyRevert.ts";
import type { CallFrame } from "../callFrame.ts";
import type { Execution } from "../execution.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { FailureVerdict } from "../verdict.ts";

/** Why a fill failed, as far as an envelope tells. */
export type EnvelopeFailure = Pick<FailureVerdict, "failReason" | "txIndex">;

/** Finds out why a fill failed. */
export type ExplainFailure = (plan: FillPlan, execution: Execution) => EnvelopeFailure;

/** Why a fill failed, from what it reverted with and from the last call that the router made. */
export const explainFailure: ExplainFailure = (plan, { frame, output }) => ({
  failReason: classifyRevert({ data: output, isOutOfGas: frame.error === "out of gas" }).failReason,
  txIndex: failedCall(plan, frame),
});

/** The order's call that ended the multicall; undefined where it ended by itself. */
export function failedCall({ calls }: FillPlan, { calls: made }: CallFrame): number | undefined {
  const last = made.length - 1;
  return made[last]?.error === undefined || calls[last]?.allowFailure !== false ? undefined : last;
}
