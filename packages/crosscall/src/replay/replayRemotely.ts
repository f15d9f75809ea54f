import type { Envelope } from "./envelope/envelope.ts";
import type { EnvelopeRangeOptions } from "./envelope/envelopeRange.ts";
import type { EnvelopeProgress } from "./envelope/measureEnvelope.ts";
import type { FillPlan } from "./fillPlan.ts";
import { measureRemoteEnvelope } from "./remote/measureRemoteEnvelope.ts";
import { findReplayed, type FindReplayedParameters } from "./subject/findReplayed.ts";

export interface ReplayRemotelyParameters extends FindReplayedParameters {
  readonly envelope?: EnvelopeRangeOptions | undefined;
  /** The last block before the fill; by default the fill's own, else the latest. */
  readonly blockNumber?: bigint | undefined;
  readonly onProgress?: ((progress: EnvelopeProgress) => void) | undefined;
}

/** Result of `replayRemotely`. */
export interface RemoteReplay {
  readonly plan: FillPlan;
  /** Delivered amount, in the plan currency's smallest unit. */
  readonly amount: bigint;
  /** Whether the fill works for that amount, as far as the envelope shows; for all amounts if it is outside. */
  readonly works: boolean;
  readonly envelope: Envelope;
}

/**
 * Tries a fill with a range of delivered amounts through RPC calls only, without a fork and a call tree.
 *
 * @throws as `findFill` and `measureRemoteEnvelope`
 */
export async function replayRemotely(parameters: ReplayRemotelyParameters): Promise<RemoteReplay> {
  const { rpcUrl, envelope: range, timeoutMs, signal, onProgress } = parameters;
  const { subject, past } = await findReplayed(parameters);
  const { plan, amount, sent } = subject;
  const own = past === undefined ? sent?.blockNumber : past.blockNumber - 1n;
  const blockNumber = parameters.blockNumber ?? own;
  const envelope = await measureRemoteEnvelope(plan, { ...range, rpcUrl, blockNumber, timeoutMs, signal, onProgress });
  const holding = envelope.ranges.filter(({ from, to }) => from <= amount && amount <= to);
  const works = (holding.length === 0 ? envelope.ranges : holding).every(({ success }) => success);
  return { plan, amount, works, envelope };
}
