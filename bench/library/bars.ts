import { type Bundle, PEER, SAME_JOB } from "./bundles.ts";

/** A bundle of the kit compared with the published SDK. */
export interface Bar {
  readonly name: string;
  /** Which size of the bundle is compared. */
  readonly size: "withoutViem" | "whole";
  readonly ratio: number;
  readonly isMet: boolean;
}

/**
 * Each light entry point with its dependencies must be smaller than the published SDK. The bundle that does the same
 * job must be smaller without viem, too. A whole entry point does more than that job, so it may be larger without viem.
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
