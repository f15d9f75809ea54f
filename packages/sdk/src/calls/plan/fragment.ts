import type { Address } from "viem";

import type { Call } from "@crosscall/protocol/common";
import type { AllowanceState } from "../raiseAllowance.ts";

export interface PlannedAllowance {
  readonly token: Address;
  readonly spender: Address;
  readonly facts: AllowanceState;
  /** Whether the fragment itself resets the allowance; by default, the plan resets it at the end. */
  readonly isReset?: boolean;
}

export interface PlanFragment {
  readonly calls: readonly Call[];
  /** Tokens that can remain on the router. */
  readonly tokens: readonly Address[];
  readonly allowances: readonly PlannedAllowance[];
  /**
   * Effect on the reentrancy guard of a router before version 3.1, which any self-call of the router releases. Code
   * that runs afterwards could take the router's funds.
   *
   * - `requires`: calls other contracts while the router holds funds.
   * - `releases`: releases the guard after its last call of another contract.
   * - `releasesFirst`: releases the guard, then calls other contracts, so the router must hold no other funds.
   * - `neutral`: neither calls other contracts nor releases the guard.
   */
  readonly guard: "requires" | "releases" | "releasesFirst" | "neutral";
}
