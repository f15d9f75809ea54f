import { type Address, concat, slice } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import { TRON_CODEC } from "@crosscall/protocol/vms";

// The ledger keeps an address as the 20 bytes that contracts see. The API formats addresses in two ways.

const HEX_FORM = /^(?:0x)?41[0-9a-f]{40}$/iu;

/** @throws {@link InvalidInputError} if the value is neither base58check nor hex */
export function readAddress(value: unknown, field: string): Address {
  if (typeof value !== "string") {
    throw new InvalidInputError({ field, value, reason: "it is missing", hint: `Pass ${field}.` });
  }
  if (HEX_FORM.test(value)) return `0x${value.slice(-40).toLowerCase()}`;
  return slice(TRON_CODEC.encodeAddress(value, field), 1);
}

export function toBase58(address: Address): string {
  return TRON_CODEC.decodeAddress(concat(["0x41", address]));
}

/** Returns the form that the API uses without `visible`. */
export function toHexForm(address: Address): string {
  return `41${address.slice(2).toLowerCase()}`;
}
