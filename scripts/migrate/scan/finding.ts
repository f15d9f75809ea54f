/** `certain` if the value comes from a v2 request of the same file, `likely` if only names match. */
export type Confidence = "certain" | "likely";

export interface Finding {
  /** Relative, with slashes. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly confidence: Confidence;
  /** Its v2 name: `data.inTxs[].hash`, `query hash`, `GET /requests/v2`. */
  readonly reads: string;
  readonly code: string;
  /** Code for v3. */
  readonly replacement: string;
  readonly reason: string;
}
