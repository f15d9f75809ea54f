import type { ServiceErrorCode } from "@crosscall/protocol/errors";
import type { FailReason, RefundFailReason } from "@crosscall/protocol/request";

/**
 * Cause of a failure. `chain`: the chain or the clock causes it, and the solver finds the reason itself. `simulated`:
 * the network only reports the reason, because a local chain cannot cause it.
 */
export type ScenarioHow = "chain" | "simulated";

export interface ScenarioText {
  readonly how: ScenarioHow;
  readonly what: string;
  readonly hint: string;
}

export type BehaviorName = "delivery" | "slow-fill" | "stale-price" | "stuck";

export type ResponseFaultName =
  | "http:429"
  | "http:500"
  | "http:503"
  | "http:disconnect"
  | "http:timeout"
  | "http:truncated";

/** Name of a scenario. A failReason is used unchanged. Any other name that would clash has its family as a prefix. */
export type ScenarioName =
  | FailReason
  | `refund:${RefundFailReason}`
  | `quote:${ServiceErrorCode}`
  | BehaviorName
  | ResponseFaultName;

export const SCENARIO_FAMILIES = ["failReason", "refundFailReason", "quoteError", "behavior", "answer"] as const;

export type ScenarioFamily = (typeof SCENARIO_FAMILIES)[number];

export interface ScenarioParameter {
  readonly name: string;
  readonly meaning: string;
}

export interface Scenario extends ScenarioText {
  readonly name: ScenarioName;
  readonly family: ScenarioFamily;
  readonly parameters: readonly ScenarioParameter[];
}

/** Changes to the deposit of a held fill. */
export const DEPOSIT_CHANGES = ["drop", "reorg"] as const;

export type DepositChange = (typeof DEPOSIT_CHANGES)[number];

/** Why a request and its refund failed. */
interface FailReasons {
  readonly failReason?: string | null | undefined;
  readonly refundFailReason?: string | null | undefined;
}

/** Returns whether a scenario is why a request failed. Others, such as `slow-fill`, leave failures to its calls. */
export function isCauseOfFailure(name: string, { failReason, refundFailReason }: FailReasons): boolean {
  return name === failReason || name === `refund:${refundFailReason ?? ""}`;
}
