import type { ServiceErrorCode } from "@crosscall/sdk/internal/protocol/common/serviceError";
import type { FailReason, RefundFailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";

/**
 * How a scenario comes about. `chain`: really, the chain or the clock refuses and the solver finds the reason itself.
 * `simulated`: the network says so, because nothing on a local chain can cause it.
 */
export type ScenarioHow = "chain" | "simulated";

/** What every scenario tells its reader. */
export interface ScenarioText {
  readonly how: ScenarioHow;
  /** What happens, in a sentence. */
  readonly what: string;
  /** What an integrator does about it, in a sentence. */
  readonly hint: string;
}

/** Scenarios that change how a request is handled, and let it succeed. */
export type BehaviourName = "delivery" | "slow-fill" | "stale-price" | "stuck";

/** Scenarios that change what the service answers. */
export type AnswerFaultName =
  | "http:429"
  | "http:500"
  | "http:503"
  | "http:disconnect"
  | "http:timeout"
  | "http:truncated";

/** The name of a scenario. A failReason has its own name; names that others share have their family before them. */
export type ScenarioName =
  | FailReason
  | `refund:${RefundFailReason}`
  | `quote:${ServiceErrorCode}`
  | BehaviourName
  | AnswerFaultName;

/** Where scenarios belong: to a request's end, its refund, its quote, its handling, or an answer of the service. */
export const SCENARIO_FAMILIES = ["failReason", "refundFailReason", "quoteError", "behaviour", "answer"] as const;

/** Where a scenario belongs. */
export type ScenarioFamily = (typeof SCENARIO_FAMILIES)[number];

/** A parameter of a scenario. */
export interface ScenarioParameter {
  readonly name: string;
  /** What it means, its unit and its default. */
  readonly meaning: string;
}

/** A scenario, as `crosscall scenarios` lists it. */
export interface Scenario extends ScenarioText {
  readonly name: ScenarioName;
  readonly family: ScenarioFamily;
  readonly parameters: readonly ScenarioParameter[];
}
