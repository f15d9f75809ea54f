import type { EnvelopePoint } from "./envelope.ts";

/** A point of an envelope, with what tells failures of the same reason apart. */
export interface Trial extends EnvelopePoint {
  readonly outcome: string;
}
