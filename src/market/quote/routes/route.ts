import type { Hex } from "viem";

import type { Step } from "@crosscall/sdk/internal/protocol/complete";
import type { Market } from "../../market.ts";
import type { Price } from "../priceQuote.ts";
import type { QuotedSwap } from "../priceSwapped.ts";

/** The ids of a quoted request. */
export interface QuoteIds {
  readonly requestId: Hex;
  /** The request's own id where it has no order. */
  readonly orderId: Hex;
}

/** A request that is priced, with what differs between the kinds of routes. */
export interface PricedRoute {
  readonly price: Price;
  /** The swap of the fill, if it makes one. */
  readonly swap?: QuotedSwap | undefined;
  /** The exchange of a request that its user executes on one chain. Such a request has no order. */
  readonly sameChainRouter?: string;
  /** What the user holds of the input, smallest unit. */
  readonly userBalance: bigint;
  /** Gas of the user's transaction on the origin chain, in wei. */
  readonly originGas: bigint;
  /** Builds the steps that the user performs. */
  readonly buildSteps: (ids: QuoteIds) => Step[] | Promise<Step[]>;
}

/** What routes are priced from. */
export type RouteMarket = Pick<Market, "currencies" | "solver">;
