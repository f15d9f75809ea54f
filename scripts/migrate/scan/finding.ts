/** `certain` where the value comes from a v2 request of the same file, `likely` where only the names match. */
export type Confidence = "certain" | "likely";

/** A read of v2 in a source file. */
export interface Finding {
  /** Path below the folder that was scanned, with slashes. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly confidence: Confidence;
  /** What is read, by its v2 name: `data.inTxs[].hash`, `query hash`, `GET /requests/v2`. */
  readonly reads: string;
  /** The code as it stands. */
  readonly code: string;
  /** What v3 wants there, as code. */
  readonly replacement: string;
  readonly reason: string;
}
