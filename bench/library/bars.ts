import { type Bundle, PEER, SAME_JOB } from "./bundles.ts";

/** A bundle of the kit held against the published SDK's. */
export interface Bar {
  readonly name: string;
  /** What of the bundle is compared. */
  readonly size: "withoutViem" | "whole";
  readonly ratio: number;
  readonly isMet: boolean;
}

/**
 * Each light entry point, with all that it needs, must be smaller than the published SDK; and so must what does the same
 * job, also without what both need. A whole entry point does more than that job: that it is larger then is no miss.
 */
export function judge(bundles: readonly Bundle[]): readonly Bar[] {
  const peer = bundles.find(({ name }) => name === PEER);
  if (peer === undefined) throw new Error(`${PEER} was not measured`);
  return bundles
    .filter((bundle) => bundle !== peer)
    .flatMap((bundle) =>
      (["withoutViem", "whole"] as const).flatMap((size) => {
        if (size === "withoutViem" && bundle.name !== SAME_JOB) return [];
        const ratio = bundle[size] / peer[size];
        return [{ name: bundle.name, size, ratio, isMet: ratio < 1 }];
      }),
    );
}
