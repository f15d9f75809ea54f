import { type Bundle, PEER } from "./bundles.ts";

/** A bundle of the kit held against the published SDK's. */
export interface Bar {
  readonly name: string;
  /** What of the bundle is compared. */
  readonly size: "withoutViem" | "whole";
  readonly ratio: number;
  readonly isMet: boolean;
}

/** Each light entry point must be smaller than the published SDK, with and without what both need. */
export function judge(bundles: readonly Bundle[]): readonly Bar[] {
  const peer = bundles.find(({ name }) => name === PEER);
  if (peer === undefined) throw new Error(`${PEER} was not measured`);
  return bundles
    .filter((bundle) => bundle !== peer)
    .flatMap((bundle) =>
      (["withoutViem", "whole"] as const).map((size) => {
        const ratio = bundle[size] / peer[size];
        return { name: bundle.name, size, ratio, isMet: ratio < 1 };
      }),
    );
}
