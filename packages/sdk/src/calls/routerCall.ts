import { type Address, encodeFunctionData, type Hex, parseAbi } from "viem";

import { routerAbi } from "@crosscall/protocol/abi";
import { parseEvmAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { type Call, parseCallData } from "@crosscall/protocol/common";
import { ROUTER_VERSIONS } from "@crosscall/protocol/schema";
import { requireOneOf } from "@crosscall/protocol/common/rejectUnknownOptions";

/** Version of the service's router on a chain. */
export type RouterVersion = (typeof ROUTER_VERSIONS)[number];

export interface RouterParameters {
  readonly router: Address;
  /** v3 by default. */
  readonly routerVersion?: RouterVersion;
}

/** Supported only by v3 routers. */
export interface RouterMetadata {
  /** Metadata in the router's `FundsMovement` event, since v3. Defaults to empty. */
  readonly metadata?: Hex;
}

const olderRouterAbi = parseAbi([
  "function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts)",
  "function cleanupNative(uint256 amount, address recipient)",
]);

/** Arguments without metadata. The ViaCall functions are the same in all versions. */
type RouterFunction =
  | { readonly name: "cleanupErc20s"; readonly args: readonly [Address[], Address[], bigint[]] }
  | { readonly name: "cleanupNative"; readonly args: readonly [bigint, Address] }
  | { readonly name: "cleanupErc20sViaCall"; readonly args: readonly [Address[], Address[], Hex[], bigint[]] }
  | { readonly name: "cleanupNativeViaCall"; readonly args: readonly [bigint, Address, Hex] };

/** Encodes a self-call for the router's version. */
export function routerCall(
  { router, routerVersion = "v3", metadata }: RouterParameters & RouterMetadata,
  called: RouterFunction,
): Call {
  const version = requireOneOf(routerVersion, ROUTER_VERSIONS, "routerVersion");
  if (metadata !== undefined && version !== "v3") {
    throw new InvalidInputError({
      field: "metadata",
      value: metadata,
      reason: `a router of version ${version} does not support metadata`,
      hint: "Omit metadata, or pass a router of version v3.",
    });
  }
  return {
    to: parseEvmAddress(router, "router"),
    data: encode(called, version, parseCallData(metadata ?? "0x", "metadata")),
    value: "0",
  };
}

/** Rejects zero, which the router treats as the whole balance. */
export function requireSwept(amount: bigint | undefined, field: string): bigint {
  if (amount === undefined) return 0n;
  if (amount !== 0n) return amount;
  throw new InvalidInputError({
    field,
    value: 0n,
    reason: "the router treats zero as the whole balance",
    hint: `Omit ${field} to use all, or omit the call to use nothing.`,
  });
}

function encode(called: RouterFunction, version: RouterVersion, metadata: Hex): Hex {
  switch (called.name) {
    case "cleanupErc20s":
      return version === "v3"
        ? encodeFunctionData({ abi: routerAbi, functionName: called.name, args: [...called.args, metadata] })
        : encodeFunctionData({ abi: olderRouterAbi, functionName: called.name, args: called.args });
    case "cleanupNative":
      return version === "v3"
        ? encodeFunctionData({ abi: routerAbi, functionName: called.name, args: [...called.args, metadata] })
        : encodeFunctionData({ abi: olderRouterAbi, functionName: called.name, args: called.args });
    case "cleanupErc20sViaCall":
      return encodeFunctionData({ abi: routerAbi, functionName: called.name, args: called.args });
    case "cleanupNativeViaCall":
      return encodeFunctionData({ abi: routerAbi, functionName: called.name, args: called.args });
  }
}
