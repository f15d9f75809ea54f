import type { Address } from "viem";

import type { Call } from "@crosscall/protocol/common";
import type { FindingCode } from "../check/rules.ts";
import type { CallTradeType } from "../recipes/recipe.ts";
import type { RouterParameters } from "../routerCall.ts";

/** The destination chain's router, and the terms of the quote. */
export interface PlanTerms extends RouterParameters {
  readonly tradeType: CallTradeType;
  /** Delivered currency; zero address for native currency. */
  readonly destinationCurrency: Address;
  /** Recipient of the router's remaining funds. */
  readonly recipient: Address;
  /**
   * Amount in the smallest unit. With EXACT_INPUT, the amount that the user sends, in the origin currency. With
   * EXACT_OUTPUT of a token, the amount that the calls need. Absent with EXACT_OUTPUT of native currency, because it is
   * the sum of the values.
   */
  readonly amount?: bigint;
  /** Errors of `checkCalls` to accept. Defaults to none. */
  readonly accepts?: readonly FindingCode[];
}

/** Fields of a quote request that a plan determines. */
export interface PlannedCalls {
  readonly txs: Call[];
  /** Smallest unit, decimal. */
  readonly amount: string;
  readonly tradeType: CallTradeType;
}
