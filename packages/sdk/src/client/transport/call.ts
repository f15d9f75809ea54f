export interface OutgoingCall {
  readonly method: "GET" | "POST";
  /** From the base URL, without the query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** Sent instead of an API key. */
  readonly token?: string | undefined;
  /** For errors. */
  readonly requestId?: string | undefined;
  /** Maximum number of tries, if below the client's. */
  readonly maxTries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly isOk: boolean;
  readonly headers: Headers;
  /** Undefined for invalid JSON. */
  readonly body: unknown;
  /** Wait requested by the service, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Number of tries so far. */
  readonly tries: number;
}
