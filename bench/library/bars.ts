import { type Bundle, PEER } from "./bundles.ts";

/** A bundle of the kit compared with the published SDK. */
export interface Bar {
  readonly name: string;
  readonly ratio: number;
  readonly limit: number;
  readonly isMet: boolean;
}

/** All of the SDK's entry point has the code for every wallet, which bundlers leave out where it is not imported. */
const LIMITS: Readonly<Record<string, number>> = { "@crosscall/sdk": 1.05 };

/**
 * Each light entry point with its dependencies must be smaller than the published SDK, or within its limit. Without viem, the kit is
 * larger: it validates requests and responses, and verifies what a quote asks to sign.
 */
export function judge(bundles: readonly Bundle[]): readonly Bar[] {
  const peer = bundles.find(({ name }) => name === PEER);
  if (peer === undefined) throw new Error(`${PEER} was not measured`);
  return bundles
    .filter((bundle) => bundle !== peer)
    .map(({ name, whole }) => {
      const [ratio, limit] = [whole / peer.whole, LIMITS[name] ?? 1];
      return { name, ratio, limit, isMet: ratio < limit };
    });
}
