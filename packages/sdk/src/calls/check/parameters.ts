import type { Address } from "viem";

import type { Call, TradeType } from "@crosscall/protocol/common";
import type { KnownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { RouterVersion } from "../routerCall.ts";

/** Destination proxy of crosscall, or a contract derived from it. */
export interface KnownProxy {
  readonly address: Address;
  /** The token that must be approved. */
  readonly inputToken?: Address;
}

/** Contracts on the destination chain that the check knows. Unknown contracts are not trusted. */
export interface CheckedContracts {
  readonly router: Address;
  /** "v3" by default. */
  readonly routerVersion?: RouterVersion;
  readonly pushExecutor?: Address;
  readonly livePuller?: Address;
  readonly proxies?: readonly KnownProxy[];
  /** Contracts that act only on their caller's tokens, and make no arbitrary calls. */
  readonly trusted?: readonly Address[];
  /** Contracts that make arbitrary calls for anyone, in addition to the router, the executor and Multicall3. */
  readonly anyCallers?: readonly Address[];
}

export interface AccountFacts {
  readonly address: Address;
  readonly hasCode?: boolean;
  /** Asset of the vault, if the contract is a vault. */
  readonly asset?: Address;
}

export interface TokenFacts {
  readonly address: Address;
  readonly decimals?: number;
  /** Whether the token rejects a change from one non-zero allowance to another. */
  readonly refusesAllowanceChange?: boolean;
  readonly approveReturnsNothing?: boolean;
}

export interface RouterAllowance {
  readonly token: Address;
  readonly spender: Address;
  /** Smallest unit. */
  readonly amount: bigint;
}

export interface Permit2Allowance extends RouterAllowance {
  /** Unix seconds. */
  readonly expiration: bigint;
}

/** Facts about the chain, from `readCallFacts`. A rule reports nothing if its facts are missing. */
export interface CallFacts {
  readonly accounts?: readonly AccountFacts[];
  readonly tokens?: readonly TokenFacts[];
  readonly allowances?: readonly RouterAllowance[];
  /** The router's allowances in Permit2. */
  readonly permit2Allowances?: readonly Permit2Allowance[];
  /** Accounts that are contracts on the origin chain and have no code on the destination chain. */
  readonly missingAccounts?: readonly Address[];
  /** Minimum delivered amount in the destination currency's smallest unit: `minimumAmount` of a quote. */
  readonly minimumDelivered?: bigint;
  /** Unix seconds. */
  readonly timestamp?: bigint;
}

/** Nested options of `checkCalls`. */
export const CHECK_OPTIONS = {
  contracts: {
    router: 1,
    routerVersion: 1,
    pushExecutor: 1,
    livePuller: 1,
    proxies: { address: 1, inputToken: 1 } satisfies KnownOptions<KnownProxy>,
    trusted: 1,
    anyCallers: 1,
  } satisfies KnownOptions<CheckedContracts>,
  facts: {
    accounts: { address: 1, hasCode: 1, asset: 1 } satisfies KnownOptions<AccountFacts>,
    tokens: {
      address: 1,
      decimals: 1,
      refusesAllowanceChange: 1,
      approveReturnsNothing: 1,
    } satisfies KnownOptions<TokenFacts>,
    allowances: { token: 1, spender: 1, amount: 1 } satisfies KnownOptions<RouterAllowance>,
    permit2Allowances: { token: 1, spender: 1, amount: 1, expiration: 1 } satisfies KnownOptions<Permit2Allowance>,
    missingAccounts: 1,
    minimumDelivered: 1,
    timestamp: 1,
  } satisfies KnownOptions<CallFacts>,
};

/** Fields of a quote request that affect its calls. */
export interface CheckedPlan {
  readonly tradeType: TradeType;
  /** Smallest unit, decimal. */
  readonly amount: string;
  /** Address of the currency; the zero address for native currency. */
  readonly destinationCurrency: string;
  readonly recipient?: string;
  readonly refundTo?: string;
  readonly txs: readonly Call[];
}

interface Surroundings {
  readonly contracts: CheckedContracts;
  readonly facts?: CallFacts;
}

/** Parameters of `checkCalls`: a complete request, or parts of a request. */
export type CheckCallsParameters = Surroundings & ({ readonly request: QuoteRequest } | CheckedPlan);
