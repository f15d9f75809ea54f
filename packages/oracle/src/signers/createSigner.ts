import { signRecoverable } from "tiny-secp256k1";
import { type Address, type Hex, hexToBytes } from "viem";
import { privateKeyToAddress } from "viem/accounts";

import { InvalidStateError } from "@crosscall/protocol/core";
import { createBoundedCache } from "../boundedCache.ts";
import type { SigningSettings } from "../config/settings.ts";
import type { OracleSigner } from "./signer.ts";

/** Maximum number of cached signatures, which repeated attestations reuse. */
const KEPT_SIGNATURES = 10_000;

/**
 * @throws {@link InvalidStateError} if the client of the key service is not installed, or the service returns no public
 * key
 */
export async function createSigner(settings: SigningSettings): Promise<OracleSigner> {
  switch (settings.module) {
    case "raw-private-key":
      return createPrivateKeySigner(settings.privateKey);
    case "cloud-kms": {
      // Imported here, because the key service's client is large and only its users install it.
      const { createKmsSigner } = await import("./kmsSigner.ts").catch(rejectWithoutClient);
      return createKmsSigner(settings);
    }
  }
}

function rejectWithoutClient(cause: unknown): never {
  if (!(cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND")) throw cause;
  throw new InvalidStateError({
    message: "the client of the key service is not installed",
    hint: "Run `npm install @aws-sdk/client-kms@3`, or sign with another SIGNING_MODULE.",
    cause,
  });
}

/**
 * Creates a signer with an in-memory key. Nonces are deterministic (RFC 6979), so a digest always has the same
 * signature. libsecp256k1 signs three times as fast as JavaScript.
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
