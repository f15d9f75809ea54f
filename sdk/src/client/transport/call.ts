/** What is sent. */
export interface OutgoingCall {
  readonly method: "GET" | "POST";
  /** Path from the base URL, without the query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** The request that the call is about, for its errors. */
  readonly requestId?: string | undefined;
  /** How often it may be sent, where that is less than the client's own number. */
  readonly maxTries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came back, with whatever status. */
export interface Answer {
  readonly status: number;
  readonly isOk: boolean;
  readonly headers: Headers;
  /** Parsed from JSON; undefined where it is none. */
  readonly body: unknown;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** How often the call was sent. */
  readonly tries: number;
}
