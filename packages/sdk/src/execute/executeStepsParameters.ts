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

/** Progress event of an execution. */
export type ExecutionEvent =
  /** Quote that replaces the passed quote: a new quote, or the replacement from an earlier run. */
  | { readonly kind: "requoted"; readonly quote: Quote }
  | { readonly kind: "found"; readonly requestId: string; readonly txHash?: Hex }
  /**
   * The wallet received these steps as one bundle (EIP-5792). `sent` and `confirmed` events for each step follow, with
   * the same hash.
   */
  | { readonly kind: "bundled"; readonly stepIds: readonly string[]; readonly bundleId: string }
  /** `isResumed` is true if an earlier run journaled the transaction. */
  | { readonly kind: "sent"; readonly stepId: string; readonly txHash: Hex; readonly isResumed?: true }
  | { readonly kind: "confirmed"; readonly stepId: string; readonly txHash: Hex; readonly gasUsed: bigint }
  | { readonly kind: "signed"; readonly stepId: string; readonly signature: Hex }
  | { readonly kind: "performed"; readonly stepId: string; readonly result: string | undefined }
  | { readonly kind: "status"; readonly status: IntentStatus };

export interface DelegatedAction {
  readonly requestId: string;
  readonly stepId: string;
  /**
   * Whether an earlier run passed the action to the callback and recorded no result. Check whether it was performed
   * before you repeat it; on the exchange chain, `memo` identifies the transfer.
   */
  readonly mayHaveRun: boolean;
  /** Text that an earlier run recorded last. */
  readonly recorded: string | undefined;
  /** Records a text in the journal for a later run, such as a transaction's id before it is sent. Throws after an abort. */
  readonly record: (text: string) => Promise<void>;
  /**
   * Verifies the step again. `executeSteps` verifies it before it calls the callback, unless there is a recorded text:
   * then call this function before you sign.
   */
  readonly verify: () => Promise<void>;
  /** Whether the caller allows a second payment although an earlier one may still succeed. */
  readonly payAgain: boolean;
  /** Aborts when `executeSteps` stops waiting for the callback. */
  readonly signal: AbortSignal;
}

/** Transfer to make on the exchange chain (spec 2, section 6). */
export interface ExchangeAction extends DelegatedAction {
  readonly action: TransferData["action"];
}

/** Transaction to sign and send on the SVM chain. */
export interface SvmTransaction extends Omit<DelegatedAction, "verify"> {
  /** Chain of the transaction. SVM chains have the same depository, so a deposit on another one would be lost. */
  readonly chainId: number;
  /** Data of the item, unchanged. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Executed quote, and the request that was passed with it. */
  readonly quote: Quote | ReceivedQuote;
  readonly request: QuoteRequest | undefined;
  /**
   * Verifies the step again. `executeSteps` verifies it before it calls the callback, unless there is a recorded text:
   * then call this function before you sign. Pass the quote with the transaction of a wallet that changed it to verify
   * that instead.
   */
  readonly verify: (changed?: Quote | ReceivedQuote) => Promise<void>;
}

/** Quote to simulate before it is signed. */
export interface Preflight {
  readonly request: QuoteRequest;
  readonly quote: Quote;
  /** Whether the user pays the gas; false if others can pay it, as in a batch. Defaults to true. */
  readonly paysGas?: boolean;
  readonly limits?: QuoteLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Parts of a preflight's result that determine whether the quote may be signed. */
export interface PreflightResult {
  readonly verdict: "passed" | "failed";
  readonly findings: readonly PreflightFinding[];
}

/** Simulates a quote before it is signed. */
export type RunPreflight = (subject: Preflight) => Promise<PreflightResult>;

/** Options to verify a quote before anything is signed. */
export interface VerificationOptions {
  /**
   * Pinned addresses of the service. Defaults to `serviceTrust`; pass `network.trust` on a local network. `"service"`
   * signs everything that the service requests, without verification.
   */
  readonly trust?: ServiceTrust | "service";
  /**
   * Quote request. Defaults to the request in a quote from `getQuote`. Pass it with quotes from other sources, because
   * a service could put a different request into its response.
   */
  readonly request?: QuoteRequest;
  /** Limits on the quote's costs and on gas. */
  readonly limits?: QuoteLimits;
  /**
   * Simulates every quote before it is signed, and accepts or rejects it. Create one with `createPreflight` of
   * `crosscall/preflight`. Without a preflight, quotes with steps that cannot be fully decoded are rejected.
   */
  readonly preflight?: RunPreflight;
}

export interface QuoteFreshness {
  /** Maximum age in milliseconds. Defaults to 30,000. */
  readonly maxAgeMs?: number;
  /** Whether to request a new quote (the default) or fail. */
  readonly requotes?: boolean;
  /** Tolerance for a worse new quote, in basis points of the old amounts. Defaults to 0. */
  readonly toleranceBps?: number;
}

/** Parameters of `executeSteps`. */
export interface ExecuteStepsParameters extends VerificationOptions {
  /**
   * Quote from `getQuote`, or of any version as the service sent it. The quote is verified before anything is signed. A
   * quote with a time is replaced if the quote is too old.
   */
  readonly quote: Quote | ReceivedQuote | QuoteV3;
  /** Wallet with the quote's account, for every chain that is not in `wallets`. */
  readonly wallet?: ExecutionWallet;
  /** By chain id. */
  readonly wallets?: Readonly<Record<number, ExecutionWallet>>;
  /** Performs transfers on the exchange chain. Returns the transaction id, if there is one. */
  readonly onExchangeAction?: (action: ExchangeAction) => Promise<string | undefined>;
  /** Performs SVM transactions, as `svmWallet` does. Returns the transaction id, if there is one. */
  readonly onSvmTransaction?: (transaction: SvmTransaction) => Promise<string | undefined>;
  /**
   * Whether the account signs the transactions as one batch that the service sends (`POST /execute`), so that the
   * account needs no native currency for gas. Requires a viem wallet client with a local account, and a client with an
   * API key.
   */
  readonly gasless?: boolean;
  /**
   * Journal of started actions, so that a later run pays nothing twice. Defaults to memory, as long as the quote object
   * exists.
   */
  readonly journal?: ExecutionJournal;
  /** Maximum age of the quote. Defaults to 30 seconds; `false` allows any age. */
  readonly freshness?: QuoteFreshness | false;
  /** Source of status updates after the steps are executed. Defaults to polling. */
  readonly source?: StatusSource;
  /**
   * Client for the destination chain, to confirm a reported success: a transaction from the service's pinned addresses
   * must fill the order.
   */
  readonly destinationClient?: Client;
  /** See {@link WatchRequestParameters}. */
  readonly refundGraceMs?: number;
  /** Polling interval in milliseconds; see {@link watchRequest}. */
  readonly pollIntervalMs?: number;
  /**
   * Maximum time of each wait in milliseconds: for the wallet's response, for the inclusion of a transaction, and for
   * the outcome. Defaults to ten minutes.
   */
  readonly timeoutMs?: number;
  /**
   * Whether to prompt the wallet although an earlier payment of this request may still succeed, so that the account may
   * pay twice. Set it only after a `PaymentUnresolvedError`, if the user knows that nothing was sent.
   */
  readonly payAgain?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: (event: ExecutionEvent) => void;
  readonly clock?: Clock;
}

/** Parameters with the converted quote. */
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
  /** Request id of the executed quote, which may have replaced the passed quote. */
  readonly requestId: string;
  /** Included transactions of this run, in order. */
  readonly transactions: readonly SentTransaction[];
  /** Final status: `success`. */
  readonly status: IntentStatus;
}
