import type { Hex } from "viem";

import type { Step } from "@crosscall/protocol/complete";
import type { EvmCall } from "../../../devchain/devChain.ts";
import type { DatabaseUser, LedgerUser, Payer, Pricer, Rebalancer } from "../../market.ts";
import type { Price } from "../priceQuote.ts";
import type { QuotedSwap } from "../priceSwapped.ts";

export interface QuoteIds {
  readonly requestId: Hex;
  /** Id of the order, or the requestId for a request without an order. */
  readonly orderId: Hex;
}

export interface PricedRoute {
  readonly price: Price;
  readonly swap?: QuotedSwap | undefined;
  /** The exchange of a same-chain request, which has no order. */
  readonly sameChainRouter?: string;
  /** Smallest unit. */
  readonly userBalance: bigint;
  /** Gas of the user's transaction on the origin chain, in wei. */
  readonly originGas: bigint;
  /** Calls that use the input of a same-chain permit. */
  readonly permitCalls?: readonly EvmCall[];
  readonly buildSteps: (ids: QuoteIds) => Step[] | Promise<Step[]>;
}

export type RouteMarket = Pricer & Payer & DatabaseUser & LedgerUser & Rebalancer;
