import { type Address, type Hex, size, slice, zeroAddress } from "viem";

import { MalformedDataError } from "@crosscall/sdk/internal/core/errors";
import { nonceMappingEntryId } from "@crosscall/sdk/internal/protocol/attestation/genericMapping";
import { hubAlias } from "@crosscall/sdk/internal/protocol/attestation/hubIds";
import type { MappingReader } from "../vmChain.ts";

/** What the hub binds a transfer to: transfers of the exchange carry no id of their own. */
export interface NonceMapping {
  readonly id: Hex;
  /** Who deposits by it; undefined where it is the sender. */
  readonly depositor: Address | undefined;
  /** Unix seconds. */
  readonly createdAt: number;
}

/**
 * The mapping of a sender's nonce.
 *
 * @throws {@link MalformedDataError} when the entry is none of a nonce
 */
export async function readNonceMapping(
  hub: MappingReader,
  chainId: string,
  { sender, nonce }: { readonly sender: Hex; readonly nonce: number },
): Promise<NonceMapping | undefined> {
  const entry = await hub.mappingEntry(hubAlias(chainId, sender), nonceMappingEntryId(nonce.toString()));
  if (entry === undefined) return undefined;
  const { data, createdAt } = entry;
  // Entries of the first version hold no depositor.
  if (size(data) === 32) return { id: data, depositor: undefined, createdAt };
  if (size(data) !== 52) {
    const reason = "it is neither an id nor an id and a depositor";
    throw new MalformedDataError({ what: "an entry of the hub's generic mapping", path: "", reason });
  }
  const depositor = slice(data, 32);
  return { id: slice(data, 0, 32), depositor: depositor === zeroAddress ? undefined : depositor, createdAt };
}
