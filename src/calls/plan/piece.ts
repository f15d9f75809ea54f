import type { Address } from "viem";

import type { Call } from "../../protocol/call.ts";

/** What an action of a plan comes to. */
export interface PlanPiece {
  readonly calls: readonly Call[];
  /** The tokens of which it may leave something on the router. */
  readonly tokens: readonly Address[];
  /** What it approves, to be taken back at the end. */
  readonly allowances: readonly { readonly token: Address; readonly spender: Address }[];
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
