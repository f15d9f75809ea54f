import type { Address } from "viem";

import type { Call } from "../../protocol/call.ts";
import type { AllowanceFacts } from "../raiseAllowance.ts";

/** An approval of a plan. */
export interface PlannedAllowance {
  readonly token: Address;
  readonly spender: Address;
  readonly facts: AllowanceFacts;
  /** Whether the piece takes it back itself; at the end of the plan when left out. */
  readonly isReset?: boolean;
}

/** What an action of a plan comes to. */
export interface PlanPiece {
  readonly calls: readonly Call[];
  /** The tokens of which it may leave something on the router. */
  readonly tokens: readonly Address[];
  /** What it approves. */
  readonly allowances: readonly PlannedAllowance[];
  /**
   * What it means for the router's guard against reentry, which any call of the router to itself ends. Then others that
   * are called can take what the router still holds.
   *
   * - `needs`: it calls others while the router may hold something.
   * - `ends`: it ends the guard after the last of others was called.
   * - `endsFirst`: it ends the guard and calls others then, so nothing else may lie on the router.
   * - `indifferent`: neither.
   */
  readonly guard: "needs" | "ends" | "endsFirst" | "indifferent";
}
