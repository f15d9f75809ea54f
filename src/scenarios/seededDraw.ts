import { createHash } from "node:crypto";

/** How many uniform draws make a normal one: the variance of their sum is then one. */
const DRAWS_OF_NORMAL = 12;

/** A number from 0 to below 1, the same for the same seed and index. */
export function uniformDraw(seed: string, index: number, part = 0): number {
  const digest = createHash("sha256").update(`${index}.${part}.${seed}`).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

/** A number of the standard normal distribution, cut off at 6; the same for the same seed and index. */
export function normalDraw(seed: string, index: number): number {
  // A sum of twelve: no logarithm takes part, whose last digit may differ from one machine to the next.
  let sum = 0;
  for (let part = 0; part < DRAWS_OF_NORMAL; part += 1) sum += uniformDraw(seed, index, part);
  return sum - DRAWS_OF_NORMAL / 2;
}
