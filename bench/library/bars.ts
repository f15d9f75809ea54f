import { type Bundle, FIRST_LOAD, PEER } from "./bundles.ts";

/** A limit for a bundle of the kit. */
export interface Bar {
  readonly name: string;
  readonly dependencies: "with viem" | "without viem";
  /** Bytes, minified and gzipped. */
  readonly bytes: number;
  readonly limit: number;
  readonly isMet: boolean;
}

/** Maximum ratio of the first load's size to the published SDK's size without viem. The first load needs no viem. */
const FIRST_LOAD_RATIO = 0.75;

/** Maximum sizes in bytes, without viem: the measured sizes rounded up, to notice growth. */
const LIMITS: Readonly<Record<string, number>> = {
  "crosscall, the SDK's job: whole, without the verification": 54_900,
  "crosscall, the SDK's job: whole, with the verification": 77_400,
  "@crosscall/sdk": 93_800,
  "@crosscall/sdk/calls": 63_600,
  "@crosscall/protocol": 24_000,
  "@crosscall/sdk/verify": 32_000,
  "@crosscall/sdk/attestation": 22_100,
  "@crosscall/sdk/migrate": 11_900,
  "@crosscall/protocol/abi": 2_000,
};

/**
 * With dependencies, each bundle must be smaller than the published SDK. The first load of the same job must be smaller
 * by a quarter than that SDK without viem, which many apps already load. The kit's other bundles can be larger, because they
 * validate requests and responses and verify signing requests; each has its own limit.
 */
export function judge(bundles: readonly Bundle[]): readonly Bar[] {
  const peer = bundles.find(({ name }) => name === PEER);
  if (peer === undefined) throw new Error(`${PEER} was not measured`);
  return bundles
    .filter((bundle) => bundle !== peer)
    .flatMap(({ name, whole, withoutViem }) => {
      const firstLoad = name === FIRST_LOAD ? Math.floor(FIRST_LOAD_RATIO * peer.withoutViem) : undefined;
      const limit = firstLoad ?? LIMITS[name];
      if (limit === undefined) throw new Error(`${name} has no limit`);
      return [
        // Requires a bundle smaller than the SDK, so the same size fails.
        { name, dependencies: "with viem", bytes: whole, limit: firstLoad ?? peer.whole - 1 } as const,
        { name, dependencies: "without viem", bytes: withoutViem, limit } as const,
      ];
    })
    .map((bar) => ({ ...bar, isMet: bar.bytes <= bar.limit }));
}
