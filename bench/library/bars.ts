import { type Bundle, PEER } from "./bundles.ts";

/** A bundle of the kit compared with the published SDK. */
export interface Bar {
  readonly name: string;
  readonly ratio: number;
  readonly isMet: boolean;
}

/**
 * Each light entry point with its dependencies must be smaller than the published SDK. Without viem, the kit is larger:
 * it validates requests and responses, and verifies what a quote asks to sign.
 */
export function judge(bundles: readonly Bundle[]): readonly Bar[] {
  const peer = bundles.find(({ name }) => name === PEER);
  if (peer === undefined) throw new Error(`${PEER} was not measured`);
  return bundles
    .filter((bundle) => bundle !== peer)
    .map(({ name, whole }) => ({ name, ratio: whole / peer.whole, isMet: whole < peer.whole }));
}
