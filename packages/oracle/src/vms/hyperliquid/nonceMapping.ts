import { type Address, type Hex, size, slice, zeroAddress } from "viem";

import { MalformedDataError } from "@crosscall/protocol/core";
import { hubAlias, nonceMappingEntryId } from "@crosscall/protocol/attestation";
import type { MappingReader } from "../vmChain.ts";

/** Transfers on the exchange carry no id, so the hub maps them. */
export interface NonceMapping {
  readonly id: Hex;
  /** Undefined if it is the sender. */
  readonly depositor: Address | undefined;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** @throws {@link MalformedDataError} if the entry is not a nonce mapping */
export async function readNonceMapping(
  hub: MappingReader,
  chainId: string,
  { sender, nonce }: { readonly sender: Hex; readonly nonce: number },
): Promise<NonceMapping | undefined> {
  const entry = await hub.mappingEntry(hubAlias(chainId, sender), nonceMappingEntryId(nonce.toString()));
  if (entry === undefined) return undefined;
  const { data, createdAt } = entry;
  // Version 1 has no depositor.
  if (size(data) === 32) return { id: data, depositor: undefined, createdAt };
  if (size(data) !== 52) {
    const reason = "it is neither an id nor an id and a depositor";
    throw new MalformedDataError({ what: "an entry of the hub's generic mapping", path: "", reason });
  }
  const depositor = slice(data, 32);
  return { id: slice(data, 0, 32), depositor: depositor === zeroAddress ? undefined : depositor, createdAt };
}
