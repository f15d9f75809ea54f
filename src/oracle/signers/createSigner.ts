import { signRecoverable } from "tiny-secp256k1";
import { type Address, type Hex, hexToBytes } from "viem";
import { privateKeyToAddress } from "viem/accounts";

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

/**
 * In-memory key. Nonces are deterministic (RFC 6979), so a digest has one signature. libsecp256k1 signs three times as
 * fast as JavaScript.
 */
function createPrivateKeySigner(privateKey: Hex): OracleSigner {
  const key = hexToBytes(privateKey);
  const signatures = createBoundedCache<Hex, Hex>(KEPT_SIGNATURES);
  return {
    address: privateKeyToAddress(privateKey).toLowerCase() as Address,
    sign: (digest) => Promise.resolve(signatures.getOrAdd(digest, () => signWith(key, digest))),
  };
}

function signWith(key: Uint8Array, digest: Hex): Hex {
  const { signature, recoveryId } = signRecoverable(Buffer.from(digest.slice(2), "hex"), key);
  return `0x${Buffer.from(signature).toString("hex")}${recoveryId === 0 ? "1b" : "1c"}`;
}
