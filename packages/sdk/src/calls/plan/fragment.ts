import type { Address } from "viem";

import type { Call } from "@crosscall/protocol/common";
import type { AllowanceState } from "../raiseAllowance.ts";

export interface PlannedAllowance {
  readonly token: Address;
  readonly spender: Address;
  readonly facts: AllowanceState;
  /**
   * Whether the plan omits the reset, because the spender takes tokens from its caller only, or the calls certainly use
   * the whole allowance.
   */
  readonly mayRemain?: boolean;
}

export interface PlanFragment {
  readonly calls: readonly Call[];
  /** Currencies of which the calls take the router's whole balance; zero address for native currency. */
  readonly takes: readonly Address[];
  /** Currencies that can remain on the router, or return to it; zero address for native currency. */
  readonly leaves: readonly Address[];
  /** Whether the calls can also return any currency that the plan names, because their effects are unknown. */
  readonly isOpaque?: boolean;
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
