import type { Address, Hex } from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";

import { createBoundedCache } from "../boundedCache.ts";
import type { OracleSigner } from "./signer.ts";

/** Signatures kept: asking again for an attestation costs no second one. */
const KEPT_SIGNATURES = 10_000;

/** Signs with a private key in memory. The nonce is derived (RFC 6979), so a digest has one signature only. */
export function createPrivateKeySigner(privateKey: Hex): OracleSigner {
  const signatures = createBoundedCache<Hex, Promise<Hex>>(KEPT_SIGNATURES);
  return {
    address: privateKeyToAccount(privateKey).address.toLowerCase() as Address,
    sign: (digest) => signatures.getOrAdd(digest, () => sign({ hash: digest, privateKey, to: "hex" })),
  };
}
