import type { Address } from "viem";

import type { Call } from "../../protocol/common/call.ts";
import type { AllowanceState } from "../raiseAllowance.ts";

/** An approval of a plan. */
export interface PlannedAllowance {
  readonly token: Address;
  readonly spender: Address;
  readonly facts: AllowanceState;
  /** Whether the fragment takes it back itself; at the end of the plan when left out. */
  readonly isReset?: boolean;
}

/** What an action of a plan comes to. */
export interface PlanFragment {
  readonly calls: readonly Call[];
  /** The tokens of which it may leave something on the router. */
  readonly tokens: readonly Address[];
  /** What it approves. */
  readonly allowances: readonly PlannedAllowance[];
  /**
   * What the fragment means for the router's reentrancy guard, which any call of the router to itself releases. Code
   * outside of the router that runs after that could spend what lies on the router.
   *
   * - `requires`: calls other contracts while funds lie on the router, so the guard must hold.
   * - `releases`: releases the guard after its last call of another contract.
   * - `releasesFirst`: releases the guard and calls other contracts afterwards, so nothing else may lie on the router.
   * - `neutral`: neither calls other contracts nor releases the guard.
   */
  readonly guard: "requires" | "releases" | "releasesFirst" | "neutral";
}
