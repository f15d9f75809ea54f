import type { Client, Hex } from "viem";

import type { Clock } from "@crosscall/protocol/core";
import type { IntentStatus } from "@crosscall/protocol/request";
import type { Quote } from "@crosscall/protocol/quote";
import type { QuoteV3, ReceivedQuote } from "@crosscall/protocol/quote/rules";
import type { StatusSource } from "../client/watchRequest/statusSource.ts";
import type { QuoteFreshness } from "./freshQuote.ts";
import type { ActionCallbacks } from "./delegate.ts";
import type { ExecutionJournal } from "./journal.ts";
import type { VerificationOptions } from "./requireVerified.ts";
import type { ExecutionWallet } from "./wallets.ts";

/** A progress event of an execution. */
export type ExecutionEvent =
  /** The quote that replaces the given one: fresh, or taken by an earlier run. */
  | { readonly kind: "requoted"; readonly quote: Quote }
  | { readonly kind: "found"; readonly requestId: string; readonly txHash?: Hex }
  /** The wallet has these steps as one bundle (EIP-5792). `sent` and `confirmed` of each follow, with one hash. */
  | { readonly kind: "bundled"; readonly stepIds: readonly string[]; readonly bundleId: string }
  /** `isResumed` if an earlier run recorded the transaction. */
  | { readonly kind: "sent"; readonly stepId: string; readonly txHash: Hex; readonly isResumed?: true }
  | { readonly kind: "confirmed"; readonly stepId: string; readonly txHash: Hex; readonly gasUsed: bigint }
  | { readonly kind: "signed"; readonly stepId: string; readonly signature: Hex }
  | { readonly kind: "performed"; readonly stepId: string; readonly result: string | undefined }
  | { readonly kind: "status"; readonly status: IntentStatus };

/** Parameters of `executeSteps`. */
export interface ExecuteStepsParameters extends ActionCallbacks, VerificationOptions {
  /**
   * From `getQuote`, or of any version as the service sent it. It is verified before anything is signed, and a quote with its
   * time is replaced when it is too old.
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
   * Records what was begun, so that a later run pays nothing twice. By default in memory, for as long as the object of the quote
   * exists.
   */
  readonly journal?: ExecutionJournal;
  /** Maximum age of the quote, 30 seconds by default; `false` for any age. */
  readonly freshness?: QuoteFreshness | false;
  /** Source of statuses after the steps; polling by default. */
  readonly source?: StatusSource;
  /**
   * A node of the destination chain. With it, a success that the service reports is confirmed there: a transaction must
   * be included that fills this order, from the service's pinned addresses.
   */
  readonly destinationClient?: Client;
  /** See {@link WatchRequestParameters}. */
  readonly refundGraceMs?: number;
  /** Polling interval in milliseconds; see {@link watchRequest}. */
  readonly pollIntervalMs?: number;
  /**
   * Longest that each wait may take, in milliseconds; ten minutes by default: for the answer of the wallet, for the inclusion of a
   * transaction, and for the outcome.
   */
  readonly timeoutMs?: number;
  /**
   * Prompts the wallet although an earlier payment of this request may still be made, so that the account may pay twice. Set it only
   * after a `PaymentUnresolvedError`, when the user knows that nothing was sent.
   */
  readonly payAgain?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: (event: ExecutionEvent) => void;
  readonly clock?: Clock;
}

/** The parameters with the quote that the SDK works with. */
export interface ExecutionParameters extends Omit<ExecuteStepsParameters, "quote"> {
  readonly quote: Quote | ReceivedQuote;
}
