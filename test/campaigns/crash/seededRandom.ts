import { uniformDraw } from "../../../src/scenarios/parameters.ts";

/** Numbers from 0 up to 1, the same ones for the same seed. */
export function seededRandom(seed: number): () => number {
  let index = 0;
  return () => uniformDraw(String(seed), index++);
}
