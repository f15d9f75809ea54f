import type { Address, Hex } from "viem";

import { InvalidInputError } from "../../../core/errors.ts";
import type { ExecutionDomain } from "../../../protocol/attestation/execution.ts";
import { hubAlias, hubTokenId } from "../../../protocol/attestation/hubIds.ts";
import type { VmCodec, VmType } from "../../../protocol/vms/vmCodec.ts";
import { vmCodecOf } from "../../../protocol/vms/vmCodecOf.ts";
import type { EncodeOrderAddress } from "../../../protocol/order/orderId.ts";

/** The settlement hub for which oracles must have signed. */
export interface TrustedHub extends ExecutionDomain {
  /** Its own name in orders: `relay`. */
  readonly id: string;
  /** Where entries of the generic mapping are valid. */
  readonly genericMappingAddress?: Address;
  /** What holds back mints that are not final yet; left out where the fast mode is not used. */
  readonly rateLimiterAddress?: Address;
}

/** A chain with the addresses that the verifier trusts. */
export interface TrustedChain {
  /** Its name in orders. */
  readonly id: string;
  readonly vmType: VmType;
  /** Its depositories. */
  readonly depositories: readonly string[];
}

/** What an answer is held against. */
export interface Trust {
  readonly hub: TrustedHub;
  /** @throws {@link InvalidInputError} when the chain was not given */
  chain(id: string): TrustedChain & { readonly codec: VmCodec };
  /** The bytes of an address. */
  readonly encode: EncodeOrderAddress;
  /** The hub account of an address. */
  alias(chainId: string, address: string, field: string): Address;
  /** The hub token of a currency. */
  token(chainId: string, currency: string, field: string): bigint;
}

/** Trust in a hub and some chains. */
export function createTrust(hub: TrustedHub, chains: readonly TrustedChain[]): Trust {
  const byId = new Map(chains.map((chain) => [chain.id, { ...chain, codec: vmCodecOf(chain.vmType) }]));
  const chainOf: Trust["chain"] = (id) => {
    const chain = byId.get(id);
    if (chain !== undefined) return chain;
    const hint = "Give the chain with its family and its depositories.";
    throw new InvalidInputError({ field: "chains", value: id, reason: "this chain is not among them", hint });
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
