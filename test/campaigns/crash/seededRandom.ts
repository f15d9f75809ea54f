import { uniformDraw } from "../../../packages/crosscall/src/localnet/scenarios/parameters.ts";

/** Returns numbers from 0 up to 1, always the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let index = 0;
  return () => uniformDraw(String(seed), index++);
}
