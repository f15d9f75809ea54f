import type { EnvelopePoint, EnvelopeRange } from "./envelope.ts";

/**
 * The ranges of what was tried: neighbours that go the same way are one.
 *
 * @param points at least one, by amount, rising, with nothing between neighbours of different outcome
 */
export function joinRanges(points: readonly EnvelopePoint[]): readonly EnvelopeRange[] {
  const ranges: EnvelopeRange[] = [];
  for (const point of points) {
    const { amount, success, failReason, txIndex } = point;
    const last = ranges.at(-1);
    if (last?.success === success && last.failReason === failReason && last.txIndex === txIndex) {
      ranges[ranges.length - 1] = { ...last, to: amount };
      continue;
    }
    // Failures that were not followed to the unit leave amounts between them, which go with the ones before.
    if (last !== undefined) ranges[ranges.length - 1] = { ...last, to: amount - 1n };
    ranges.push({ from: amount, to: amount, success, failReason, txIndex });
  }
  return ranges;
}
