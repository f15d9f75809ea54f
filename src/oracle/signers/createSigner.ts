import type { Address, Hex } from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";

import { createBoundedCache } from "../boundedCache.ts";
import type { SigningSettings } from "../config/settings.ts";
import type { OracleSigner } from "./signer.ts";

/** Signatures kept: asking again for an attestation costs no second one. */
const KEPT_SIGNATURES = 10_000;

/**
 * The signer that the settings ask for.
 *
 * @throws {@link InvalidStateError} when a key service does not give its public key
 */
export async function createSigner(settings: SigningSettings): Promise<OracleSigner> {
  switch (settings.module) {
    case "raw-private-key":
      return createPrivateKeySigner(settings.privateKey);
    case "cloud-kms": {
      // The key service's client is large: only who signs with it loads it.
      const { createKmsSigner } = await import("./kmsSigner.ts");
      return createKmsSigner(settings);
    }
  }
}

/** Signs with a private key in memory. The nonce is derived (RFC 6979), so a digest has one signature only. */
function createPrivateKeySigner(privateKey: Hex): OracleSigner {
  const signatures = createBoundedCache<Hex, Promise<Hex>>(KEPT_SIGNATURES);
  return {
    address: privateKeyToAccount(privateKey).address.toLowerCase() as Address,
    sign: (digest) => signatures.getOrAdd(digest, () => sign({ hash: digest, privateKey, to: "hex" })),
  };
}
