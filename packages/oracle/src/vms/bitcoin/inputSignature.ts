import { Script } from "@scure/btc-signer";
import { type Hex, bytesToHex, hexToBytes, size } from "viem";

import type { Unlocking } from "./bitcoinReader.ts";
import type { InputSignature } from "./psbt.ts";

/** @returns undefined if it is not a signature and a public key */
export function inputSignature({ scriptSig, witness }: Unlocking): InputSignature | undefined {
  const [signature, publicKey] = witness.length > 0 ? witness : pushesOf(scriptSig);
  if (signature === undefined || publicKey === undefined || !isPublicKey(publicKey)) return undefined;
  return { signature, publicKey };
}

function pushesOf(script: Hex): readonly Hex[] {
  try {
    return Script.decode(hexToBytes(script)).flatMap((part) => (part instanceof Uint8Array ? [bytesToHex(part)] : []));
  } catch {
    return [];
  }
}

function isPublicKey(bytes: Hex): boolean {
  const [length, kind] = [size(bytes), bytes.slice(2, 4)];
  return (length === 33 && (kind === "02" || kind === "03")) || (length === 65 && kind === "04");
}
