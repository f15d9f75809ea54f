import type { Address } from "viem";

import type { Call } from "../../protocol/common/call.ts";
import type { QuoteRequest } from "../../protocol/quote/quoteRequest.ts";
import type { TradeType } from "../../protocol/common/tradeType.ts";
import type { RouterVersion } from "../routerCall.ts";

/** A destination proxy of crosscall, or one derived from it. */
export interface KnownProxy {
  readonly address: Address;
  /** What it takes; needed to tell whether the right token is approved. */
  readonly inputToken?: Address;
}

/** The contracts of the destination chain that a check may know. What it does not know it does not trust. */
export interface CheckedContracts {
  readonly router: Address;
  /** "v3" when left out. */
  readonly routerVersion?: RouterVersion;
  readonly pushExecutor?: Address;
  readonly livePuller?: Address;
  readonly proxies?: readonly KnownProxy[];
  /** Others that act on their caller's tokens only and make no call that somebody chooses. */
  readonly trusted?: readonly Address[];
  /** Others that make any call for anyone, beside the router, the executor and Multicall3. */
  readonly anyCallers?: readonly Address[];
}

/** What the chain says of an account. */
export interface AccountFacts {
  readonly address: Address;
  readonly hasCode?: boolean;
  /** The token that it takes, if it is a vault. */
  readonly asset?: Address;
}

/** What the chain says of a token. */
export interface TokenFacts {
  readonly address: Address;
  readonly decimals?: number;
  /** Whether it refuses to change one non-zero allowance into another. */
  readonly refusesAllowanceChange?: boolean;
  /** Whether its `approve` returns nothing. */
  readonly approveReturnsNothing?: boolean;
}

/** An allowance that the router has given and that stands already. */
export interface RouterAllowance {
  readonly token: Address;
  readonly spender: Address;
  /** Smallest unit. */
  readonly amount: bigint;
}

/** Facts about the chain, from `readCallFacts`. A rule whose facts are missing finds nothing. */
export interface CallFacts {
  readonly accounts?: readonly AccountFacts[];
  readonly tokens?: readonly TokenFacts[];
  readonly allowances?: readonly RouterAllowance[];
  /** The least that is delivered of the destination currency, smallest unit: `minimumAmount` of a quote. */
  readonly minimumDelivered?: bigint;
  /** Unix seconds. */
  readonly timestamp?: bigint;
}

/** The parts of a quote request that its calls depend on. */
export interface CheckedPlan {
  readonly tradeType: TradeType;
  /** Smallest unit, decimal. */
  readonly amount: string;
  /** The zero address for native. */
  readonly destinationCurrency: string;
  readonly recipient?: string;
  readonly refundTo?: string;
  readonly txs: readonly Call[];
}

interface Surroundings {
  readonly contracts: CheckedContracts;
  readonly facts?: CallFacts;
}

/** Parameters of `checkCalls`: a complete request or parts of one. */
export type CheckCallsParameters = Surroundings & ({ readonly request: QuoteRequest } | CheckedPlan);
