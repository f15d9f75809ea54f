import type { Hex } from "viem";

import { encodeAddress } from "../../chains/address.ts";
import { InvalidInputError } from "../../core/errors.ts";
import type { VmType } from "../vms/vmCodec.ts";
import { vmCodecOf } from "../vms/vmCodecOf.ts";

/** Other chains are EVM. */
const VM_TYPE_BY_NAME: ReadonlyMap<string, VmType> = new Map([
  ["bitcoin", "bitcoin-vm"],
  ["eclipse", "solana-vm"],
  ["hyperliquid", "hyperliquid-vm"],
  ["lighter", "lighter-vm"],
  ["solana", "solana-vm"],
  ["soon", "solana-vm"],
  ["ton", "ton-vm"],
  ["tron", "tron-vm"],
  ["xrp", "xrp-vm"],
]);

/** In this order: Bitcoin addresses may have any version byte, so Tron's could pass for one. */
const TOLD_BY_FORM: readonly VmType[] = ["tron-vm", "xrp-vm", "ton-vm", "lighter-vm", "bitcoin-vm"];

/**
 * By the chain's name, or by the address's form if the name is unknown.
 *
 * @param chainId name in orders, such as `base`
 * @param field path of the address, for the error
 * @throws {@link InvalidInputError} if no family has such addresses
 */
export function encodeOrderAddress(chainId: string, address: string, field: string): Hex {
  const vmType = VM_TYPE_BY_NAME.get(chainId);
  if (vmType !== undefined) return vmCodecOf(vmType).encodeAddress(address, field);
  try {
    return encodeAddress(address, field);
  } catch (error) {
    for (const candidate of TOLD_BY_FORM) {
      const encoded = tryEncode(candidate, address, field);
      if (encoded !== undefined) return encoded;
    }
    throw error;
  }
}

function tryEncode(vmType: VmType, address: string, field: string): Hex | undefined {
  try {
    return vmCodecOf(vmType).encodeAddress(address, field);
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}
