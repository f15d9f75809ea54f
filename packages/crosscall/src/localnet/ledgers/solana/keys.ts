import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";

import { base58 } from "@scure/base";

import { compileSvmMessage, encodeSvmTransaction, type LookupTable } from "@crosscall/sdk/kit";
import type { Instruction } from "./wire.ts";

/** An account of the network with its key. */
export interface LocalKey {
  readonly address: string;
  readonly privateKey: KeyObject;
}

/** Start of an Ed25519 key in PKCS #8. The 32 bytes of the seed follow. */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const SPKI_PREFIX_BYTES = 12;

/** Derives a key from a name. Everyone knows these keys. */
export function localKey(name: string): LocalKey {
  const seed = createHash("sha256").update(`crosscall ${name}`).digest();
  const key = Buffer.concat([PKCS8_PREFIX, seed]);
  const privateKey = createPrivateKey({ key, format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  return { address: base58.encode(publicKey.subarray(SPKI_PREFIX_BYTES)), privateKey };
}

/** Signs a transaction that one account pays and signs. Without lookup tables, it has the legacy format, as all clients read. */
export function signTransaction(
  payer: LocalKey,
  instructions: readonly Instruction[],
  blockhash: string,
  tables: readonly LookupTable[] = [],
): Uint8Array {
  const versioned = compileSvmMessage({ payer: payer.address, instructions, tables, blockhash });
  // Version 0 adds a byte for itself and, at the end, the empty list of tables.
  const message = tables.length === 0 ? versioned.subarray(1, -1) : versioned;
  return encodeSvmTransaction([sign(undefined, message, payer.privateKey)], message);
}
