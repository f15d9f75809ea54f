import type { Hex } from "viem";

import type { Clock } from "../../core/clock.ts";
import type { IntentStatus } from "../../protocol/request/intentStatus.ts";
import type { Quote } from "../../protocol/quote/quote.ts";
import type { ReceivedQuote } from "../../protocol/quote/quoteFreshness.ts";
import type { StatusSource } from "../watchRequest/statusSource.ts";
import type { QuoteFreshness } from "./freshQuote.ts";
import type { ActionCallbacks } from "./delegate.ts";
import type { ExecutionJournal } from "./journal.ts";
import type { ExecutionWallet } from "./wallets.ts";

/** A progress event of an execution. */
export type ExecutionEvent =
  /** The quote that takes the given one's place: a fresh one, or the one that an earlier run took. */
  | { readonly kind: "requoted"; readonly quote: Quote }
  | { readonly kind: "found"; readonly requestId: string; readonly txHash?: Hex }
  | { readonly kind: "sent"; readonly stepId: string; readonly txHash: Hex }
  | { readonly kind: "confirmed"; readonly stepId: string; readonly txHash: Hex; readonly gasUsed: bigint }
  | { readonly kind: "signed"; readonly stepId: string; readonly signature: Hex }
  | { readonly kind: "performed"; readonly stepId: string; readonly result: string | undefined }
  | { readonly kind: "status"; readonly status: IntentStatus };

/** Parameters of `executeSteps`. */
export interface ExecuteStepsParameters extends ActionCallbacks {
  /** As `getQuote` gives it: one that says when it was taken is replaced when it is too old. */
  readonly quote: Quote | ReceivedQuote;
  /** The wallet with the account that the quote was asked for, for every chain that `wallets` does not have. */
  readonly wallet?: ExecutionWallet;
  /** Wallets by chain id. */
  readonly wallets?: Readonly<Record<number, ExecutionWallet>>;
  /** Where it is written what was begun, so that a later run pays nothing twice; the process's memory when left out. */
  readonly journal?: ExecutionJournal;
  /** How old the quote may be: half a minute when left out; `false` for any age. */
  readonly freshness?: QuoteFreshness | false;
  /** Where the statuses come from after the steps; polling when left out. */
  readonly source?: StatusSource;
  /** See {@link WatchRequestParameters}. */
  readonly refundGraceMs?: number;
  /** Milliseconds between two looks at the status; see {@link watchRequest}. */
  readonly pollIntervalMs?: number;
  /** The longest watch after the deposit, in milliseconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: (event: ExecutionEvent) => void;
  readonly clock?: Clock;
}
