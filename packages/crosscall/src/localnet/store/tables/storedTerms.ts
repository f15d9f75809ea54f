import type { QuoteRequest } from "@crosscall/protocol/quote/rules";

/** What a quote request asks of the fill, apart from amounts. Absent fields ask for nothing. */
export interface StoredTerms {
  /** Unix seconds from which the request is refunded instead of filled. */
  readonly expiresAt?: number;
  /** Of the order's calls together. */
  readonly txsGasLimit?: number;
  /** Extra cost of a fill whose deposit arrives after the order's deadline, in bps. */
  readonly lateToleranceBps?: string;
  readonly usesExternalLiquidity?: true;
  /** The rate is guaranteed, so the delivered amount is the quoted one. */
  readonly isFixedRate?: true;
  /** Native currency for the recipient in addition to the output, in wei. */
  readonly gasTopup?: string;
  readonly authorizationList?: NonNullable<QuoteRequest["authorizationList"]>;
}
