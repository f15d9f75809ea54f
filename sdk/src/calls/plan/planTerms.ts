import type { Address } from "viem";

import type { Call } from "../../protocol/common/call.ts";
import type { FindingCode } from "../check/rules.ts";
import type { CallTradeType } from "../recipes/recipe.ts";
import type { RouterParameters } from "../routerCall.ts";

/** The destination chain's router, and what the quote is about. */
export interface PlanTerms extends RouterParameters {
  readonly tradeType: CallTradeType;
  /** Address of the currency that is delivered; the zero address for the native one. */
  readonly destinationCurrency: Address;
  /** Who gets what is left on the router. */
  readonly recipient: Address;
  /**
   * Smallest unit. With EXACT_INPUT what the user sends, in the origin currency. With EXACT_OUTPUT of a token what the
   * calls need of it. Left out with EXACT_OUTPUT of the native currency, where it is the sum of the values.
   */
  readonly amount?: bigint;
  /** Errors that `checkCalls` may find in the plan all the same; none when left out. */
  readonly accepts?: readonly FindingCode[];
}

/** The fields of a quote request that a plan determines. */
export interface PlannedCalls {
  readonly txs: Call[];
  /** Smallest unit, decimal. */
  readonly amount: string;
  readonly tradeType: CallTradeType;
}
