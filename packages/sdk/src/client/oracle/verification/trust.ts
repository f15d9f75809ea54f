import type { Address, Hex } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import { type ExecutionDomain, hubAlias, hubTokenId } from "@crosscall/protocol/attestation";
import { type VmCodec, vmCodecOf, type VmType } from "@crosscall/protocol/vms";
import type { EncodeOrderAddress } from "@crosscall/protocol/order";

/** Settlement hub for which the oracles must have signed. */
export interface TrustedHub extends ExecutionDomain {
  /** Name of the hub in orders: `relay`. */
  readonly id: string;
  /** Contract of the hub's generic mapping. */
  readonly genericMappingAddress?: Address;
  /** Rate limiter of mints before finality; absent without the fast mode. */
  readonly rateLimiterAddress?: Address;
}

/** Chain with the addresses that the verifier trusts. */
export interface TrustedChain {
  /** Name of the chain in orders. */
  readonly id: string;
  readonly vmType: VmType;
  /** Its depositories. */
  readonly depositories: readonly string[];
}

/** Trusted values to compare with a response. */
export interface Trust {
  readonly hub: TrustedHub;
  chain(id: string): TrustedChain & { readonly codec: VmCodec };
  readonly encode: EncodeOrderAddress;
  alias(chainId: string, address: string, field: string): Address;
  token(chainId: string, currency: string, field: string): bigint;
}

export function createTrust(hub: TrustedHub, chains: readonly TrustedChain[]): Trust {
  const byId = new Map(chains.map((chain) => [chain.id, { ...chain, codec: vmCodecOf(chain.vmType) }]));
  const chainOf: Trust["chain"] = (id) => {
    const chain = byId.get(id);
    if (chain !== undefined) return chain;
    const hint = "Pass the chain with its family and its depositories.";
    throw new InvalidInputError({ field: "chains", value: id, reason: "this chain is missing", hint });
  };
  const encode = (chainId: string, address: string, field: string): Hex =>
    chainOf(chainId).codec.encodeAddress(address, field);
  return {
    hub,
    chain: chainOf,
    encode,
    alias: (chainId, address, field) => hubAlias(chainId, encode(chainId, address, field)),
    token: (chainId, currency, field) => hubTokenId(chainId, encode(chainId, currency, field)),
  };
}
