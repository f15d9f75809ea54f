import {
  type Hex,
  concat,
  hexToBytes,
  isHex,
  recoverPublicKey,
  ripemd160,
  sha256,
  size,
  slice,
  stringToHex,
  toHex,
} from "viem";

import { bitcoinScript } from "@crosscall/protocol/vms";
import { isSignedByWitness } from "./isSignedByWitness.ts";

/** Prefix of signed messages. */
const MAGIC = "\u0018Bitcoin Signed Message:\n";

/** Of BIP-137. */
const SIGNATURE_BYTES = 65;

/** Version 0 with a key's hash, or Taproot. */
const PROGRAM_OF_KEY = /^0x(?:0014.{40}|5120.{64})$/u;

/** By locking script. */
interface AddressKind {
  /** First byte of signatures for this kind, without parity, that wallets use besides the general one. */
  readonly ownHeader: number | undefined;
  readonly scriptOf: (publicKey: Hex) => Hex;
}

/** For an uncompressed key; plus four for a compressed one. */
const FIRST_HEADER = 27;
const COMPRESSED = 4;

/**
 * BIP-137 or BIP-322. Taproot addresses have signatures of BIP-322 only, and legacy ones of BIP-137 only.
 *
 * @param signature bytes as hex, with or without 0x
 */
export async function isSignedOnBitcoin(text: string, owner: string, signature: string): Promise<boolean> {
  const hex = prefixed(signature);
  if (!isHex(hex)) return false;
  try {
    const script = bitcoinScript(owner, "owner");
    if (size(hex) !== SIGNATURE_BYTES) {
      return PROGRAM_OF_KEY.test(script) && isSignedByWitness(text, hexToBytes(script), hexToBytes(hex));
    }
    const kind = kindOf(script);
    if (kind === undefined) return false;
    const header = Number(slice(hex, 0, 1)) - FIRST_HEADER;
    const isGeneral = header >= 0 && header < 2 * COMPRESSED;
    const isOwn = kind.ownHeader !== undefined && header >> 2 === kind.ownHeader;
    if (!isGeneral && !isOwn) return false;
    const isCompressed = header >= COMPRESSED;
    const recovered = await recoverPublicKey({
      hash: hashText(text),
      signature: concat([slice(hex, 1), toHex(FIRST_HEADER + (header & 1), { size: 1 })]),
    });
    const publicKey = isCompressed ? compress(recovered) : recovered;
    return kind.scriptOf(publicKey) === script;
  } catch {
    return false;
  }
}

/**
 * Whether signatures of this form are supported for the owner: none of script hashes of version 0, and no BIP-322 of
 * legacy addresses, such as of multisignature wallets.
 */
export function isSupportedOnBitcoin(owner: string, signature: string): boolean {
  const script = bitcoinScript(owner, "owner");
  if (PROGRAM_OF_KEY.test(script)) return true;
  const hex = prefixed(signature);
  return kindOf(script) !== undefined && !(isHex(hex) && size(hex) !== SIGNATURE_BYTES);
}

function prefixed(signature: string): string {
  return signature.startsWith("0x") ? signature : `0x${signature}`;
}

/** Undefined for other scripts. */
function kindOf(script: Hex): AddressKind | undefined {
  if (script.startsWith("0x0014")) return { ownHeader: 3, scriptOf: keyScript };
  if (script.startsWith("0xa914")) {
    return { ownHeader: 2, scriptOf: (key) => concat(["0xa914", hash160(keyScript(key)), "0x87"]) };
  }
  if (!script.startsWith("0x76a914")) return undefined;
  return { ownHeader: undefined, scriptOf: (key) => concat(["0x76a914", hash160(key), "0x88ac"]) };
}

function keyScript(publicKey: Hex): Hex {
  return concat(["0x0014", hash160(publicKey)]);
}

function hash160(bytes: Hex): Hex {
  return ripemd160(sha256(bytes));
}

function compress(publicKey: Hex): Hex {
  const isOdd = (hexToBytes(slice(publicKey, 64, 65))[0] ?? 0) & 1;
  return concat([isOdd === 1 ? "0x03" : "0x02", slice(publicKey, 1, 33)]);
}

function hashText(text: string): Hex {
  return sha256(sha256(concat([stringToHex(MAGIC), toHex(text.length, { size: 1 }), stringToHex(text)])));
}
