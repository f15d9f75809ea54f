import type { Address, Hex } from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";

import { createBoundedCache } from "../boundedCache.ts";
import type { SigningSettings } from "../config/settings.ts";
import type { OracleSigner } from "./signer.ts";

/** Repeated attestations reuse the signature. */
const KEPT_SIGNATURES = 10_000;

/** @throws {@link InvalidStateError} if the key service does not return its public key */
export async function createSigner(settings: SigningSettings): Promise<OracleSigner> {
  switch (settings.module) {
    case "raw-private-key":
      return createPrivateKeySigner(settings.privateKey);
    case "cloud-kms": {
      // The key service's client is large, so only its users load it.
      const { createKmsSigner } = await import("./kmsSigner.ts");
      return createKmsSigner(settings);
    }
  }
}

/** In-memory key. Nonces are deterministic (RFC 6979), so a digest has one signature. */
function createPrivateKeySigner(privateKey: Hex): OracleSigner {
  const signatures = createBoundedCache<Hex, Promise<Hex>>(KEPT_SIGNATURES);
  return {
    address: privateKeyToAccount(privateKey).address.toLowerCase() as Address,
    sign: (digest) => signatures.getOrAdd(digest, () => sign({ hash: digest, privateKey, to: "hex" })),
  };
}
