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

/** Maximum share of the published SDK's size for the first load without viem. */
const FIRST_LOAD_RATIO = 0.75;

/** Maximum bytes without viem: the measured size, rounded up, so that growth is noticed. */
const LIMITS: Readonly<Record<string, number>> = {
  "crosscall, the SDK's job: whole, without the verification": 56_500,
  "crosscall, the SDK's job: whole, with the verification": 78_800,
  "@crosscall/sdk": 93_300,
  "@crosscall/sdk/calls": 48_500,
  "@crosscall/protocol": 25_300,
  "@crosscall/sdk/verify": 31_400,
  "@crosscall/sdk/attestation": 22_000,
  "@crosscall/sdk/migrate": 11_600,
  "@crosscall/protocol/abi": 2_000,
};

/**
 * With its dependencies, each bundle must be smaller than the published SDK. Without viem, which an app often has
 * anyway, the first load of the same job must be smaller by a quarter. The kit's other bundles are larger: they
 * validate requests and responses, and verify what a quote asks to sign. Each has its own limit.
 */
export function judge(bundles: readonly Bundle[]): readonly Bar[] {
  const peer = bundles.find(({ name }) => name === PEER);
  if (peer === undefined) throw new Error(`${PEER} was not measured`);
  return bundles
    .filter((bundle) => bundle !== peer)
    .flatMap(({ name, whole, withoutViem }) => {
      // Smaller than the SDK, not as large.
      const bars = [{ name, dependencies: "with viem", bytes: whole, limit: peer.whole - 1 }] as const;
      const limit = name === FIRST_LOAD ? Math.floor(FIRST_LOAD_RATIO * peer.withoutViem) : LIMITS[name];
      if (limit === undefined) throw new Error(`${name} has no limit`);
      return [...bars, { name, dependencies: "without viem", bytes: withoutViem, limit } as const];
    })
    .map((bar) => ({ ...bar, isMet: bar.bytes <= bar.limit }));
}
