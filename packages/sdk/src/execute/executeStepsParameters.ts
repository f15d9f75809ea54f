import type { Client, Hex } from "viem";

import type { Clock } from "@crosscall/protocol/core";
import type { Quote, TransferData } from "@crosscall/protocol/quote";
import type { QuoteRequest, QuoteV3, ReceivedQuote } from "@crosscall/protocol/quote/rules";
import type { IntentStatus } from "@crosscall/protocol/request";
import type { QuoteLimits } from "../verify/terms.ts";
import type { ServiceTrust } from "../verify/trust.ts";
import type { StatusSource } from "../client/watchRequest/statusSource.ts";
import type { PreflightFinding } from "./executionErrors.ts";
import type { ExecutionJournal } from "./journal.ts";
import type { ExecutionWallet } from "./wallets.ts";

/** A progress event of an execution. */
export type ExecutionEvent =
  /** The quote that replaces the given one: a fresh one, or the replacement from an earlier run. */
  | { readonly kind: "requoted"; readonly quote: Quote }
  | { readonly kind: "found"; readonly requestId: string; readonly txHash?: Hex }
  /** The wallet got these steps as one bundle (EIP-5792). `sent` and `confirmed` of each follow, with one hash. */
  | { readonly kind: "bundled"; readonly stepIds: readonly string[]; readonly bundleId: string }
  /** `isResumed` if an earlier run recorded the transaction. */
  | { readonly kind: "sent"; readonly stepId: string; readonly txHash: Hex; readonly isResumed?: true }
  | { readonly kind: "confirmed"; readonly stepId: string; readonly txHash: Hex; readonly gasUsed: bigint }
  | { readonly kind: "signed"; readonly stepId: string; readonly signature: Hex }
  | { readonly kind: "performed"; readonly stepId: string; readonly result: string | undefined }
  | { readonly kind: "status"; readonly status: IntentStatus };

export interface DelegatedAction {
  readonly requestId: string;
  readonly stepId: string;
  /**
   * An earlier run passed it to the callback and recorded no result. Check whether it was done before you repeat it; on
   * the exchange chain, `memo` identifies it.
   */
  readonly mayHaveRun: boolean;
  readonly signal: AbortSignal | undefined;
}

/** A transfer to make on the exchange chain (spec 2, section 6). */
export interface ExchangeAction extends DelegatedAction {
  readonly action: TransferData["action"];
}

/** A transaction to sign and send on the SVM chain. */
export interface SvmTransaction extends DelegatedAction {
  /** The item's data, unchanged. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Callbacks for actions that no EVM wallet can perform. Each returns the transaction id, if there is one. */
export interface ActionCallbacks {
  readonly onExchangeAction?: (action: ExchangeAction) => Promise<string | undefined>;
  readonly onSvmTransaction?: (transaction: SvmTransaction) => Promise<string | undefined>;
}

/** A quote before it is signed. */
export interface Preflight {
  readonly request: QuoteRequest;
  readonly quote: Quote;
  /** False if others may pay the gas of the user's transactions, as in a batch; true by default. */
  readonly paysGas?: boolean;
  readonly limits?: QuoteLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Parts of a preflight's result that determine whether to sign. */
export interface PreflightResult {
  readonly verdict: "passed" | "failed";
  readonly findings: readonly PreflightFinding[];
}

/** Simulates a quote before it is signed. */
export type RunPreflight = (subject: Preflight) => Promise<PreflightResult>;

/** How a quote is verified before anything is signed. */
export interface VerificationOptions {
  /**
   * Pinned addresses of the service; `serviceTrust` by default, and `network.trust` on a local network. `"service"`
   * signs everything that the service requests, without verification.
   */
  readonly trust?: ServiceTrust | "service";
  /**
   * The quote request; by default the one in a quote from `getQuote`. Pass it with quotes from other sources: a service
   * could put a different request into its response.
   */
  readonly request?: QuoteRequest;
  /** Limits on the costs of the quote and on gas. */
  readonly limits?: QuoteLimits;
  /**
   * Simulates every quote before it is signed, and accepts or rejects it; `createPreflight` of `crosscall/preflight`
   * creates one. Without it, quotes whose steps cannot be fully decoded are rejected.
   */
  readonly preflight?: RunPreflight;
}

export interface QuoteFreshness {
  /** Maximum age in milliseconds; 30,000 by default. */
  readonly maxAgeMs?: number;
  /** Whether to request a fresh quote (the default) or to fail. */
  readonly requotes?: boolean;
  /** How much worse the fresh quote may be, in basis points of the old one; 0 by default. */
  readonly toleranceBps?: number;
}

/** Parameters of `executeSteps`. */
export interface ExecuteStepsParameters extends ActionCallbacks, VerificationOptions {
  /**
   * Quote from `getQuote`, or of any version as the service sent it. It is verified before anything is signed. A quote
   * with a time is replaced if it is too old.
   */
  readonly quote: Quote | ReceivedQuote | QuoteV3;
  /** Wallet with the quote's account, for every chain without one in `wallets`. */
  readonly wallet?: ExecutionWallet;
  /** By chain id. */
  readonly wallets?: Readonly<Record<number, ExecutionWallet>>;
  /**
   * The account signs the transactions as one batch, and the service sends them (`POST /execute`): the account needs no
   * native currency for gas. For a viem wallet client with a local account, and a client with an API key.
   */
  readonly gasless?: boolean;
  /**
   * Records started actions, so that a later run pays nothing twice. By default in memory, as long as the quote object
   * exists.
   */
  readonly journal?: ExecutionJournal;
  /** Maximum age of the quote, 30 seconds by default; `false` for any age. */
  readonly freshness?: QuoteFreshness | false;
  /** Source of statuses after the steps; polling by default. */
  readonly source?: StatusSource;
  /**
   * Node of the destination chain, to confirm a reported success there: a transaction from the service's pinned
   * addresses must fill this order.
   */
  readonly destinationClient?: Client;
  /** See {@link WatchRequestParameters}. */
  readonly refundGraceMs?: number;
  /** Polling interval in milliseconds; see {@link watchRequest}. */
  readonly pollIntervalMs?: number;
  /**
   * Maximum time of each wait, in milliseconds; ten minutes by default: for the wallet's response, for the inclusion of
   * a transaction, and for the outcome.
   */
  readonly timeoutMs?: number;
  /**
   * Prompts the wallet although an earlier payment of this request may still go through, so the account may pay twice.
   * Set it only after a `PaymentUnresolvedError`, when the user knows that nothing was sent.
   */
  readonly payAgain?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: (event: ExecutionEvent) => void;
  readonly clock?: Clock;
}

/** The parameters with the converted quote. */
export interface ExecutionParameters extends Omit<ExecuteStepsParameters, "quote"> {
  readonly quote: Quote | ReceivedQuote;
}

export interface SentTransaction {
  readonly chainId: number;
  readonly txHash: Hex;
  readonly gasUsed: bigint;
}

/** Result of executing the steps. */
export interface ExecutionResult {
  /** Id of the executed quote, which may have replaced the given one. */
  readonly requestId: string;
  /** Included transactions of this run, in order. */
  readonly transactions: readonly SentTransaction[];
  /** The final status: `success`. */
  readonly status: IntentStatus;
}
