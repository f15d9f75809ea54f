import { GetPublicKeyCommand, KMSClient, SignCommand } from "@aws-sdk/client-kms";
import { type Address, type Hex, bytesToHex, hexToBytes, numberToHex, recoverAddress, serializeSignature } from "viem";
import { publicKeyToAddress } from "viem/accounts";

import { InvalidStateError } from "@crosscall/protocol/core";
import { readPublicKey, readSignature } from "./der.ts";
import type { OracleSigner } from "./signer.ts";

export interface KmsSignerOptions {
  readonly keyId: string;
  readonly region: string;
}

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * Creates a signer with a key in a cloud key service. The service's client reads credentials and endpoint from the
 * environment.
 *
 * @throws {@link InvalidStateError} if the service does not return the public key, or the key is on another curve
 */
export async function createKmsSigner({ keyId, region }: KmsSignerOptions): Promise<OracleSigner> {
  const client = new KMSClient({ region });
  const address = await readAddress(client, keyId);
  return {
    address,
    async sign(digest) {
      const { Signature: signature } = await client.send(
        new SignCommand({
          KeyId: keyId,
          Message: hexToBytes(digest),
          MessageType: "DIGEST",
          SigningAlgorithm: "ECDSA_SHA_256",
        }),
      );
      if (signature === undefined) throw refused("returned no signature");
      return complete(digest, readSignature(signature), address);
    },
  };
}

async function readAddress(client: KMSClient, keyId: string): Promise<Address> {
  let publicKey: Uint8Array | undefined;
  try {
    ({ PublicKey: publicKey } = await client.send(new GetPublicKeyCommand({ KeyId: keyId })));
  } catch (cause) {
    throw refused("does not return the public key", cause);
  }
  if (publicKey === undefined) throw refused("returned no public key");
  return publicKeyToAddress(bytesToHex(readPublicKey(publicKey))).toLowerCase() as Address;
}

/** Normalizes s to the lower half, as required by Ethereum, and finds v. */
async function complete(digest: Hex, { r, s }: { r: bigint; s: bigint }, address: Address): Promise<Hex> {
  const lowS = s > CURVE_ORDER / 2n ? CURVE_ORDER - s : s;
  for (const yParity of [0, 1] as const) {
    const signature = serializeSignature({
      r: numberToHex(r, { size: 32 }),
      s: numberToHex(lowS, { size: 32 }),
      yParity,
    });
    if ((await recoverAddress({ hash: digest, signature })).toLowerCase() === address) return signature;
  }
  throw refused("signed with a key that does not match its public key");
}

function refused(what: string, cause?: unknown): InvalidStateError {
  return new InvalidStateError({
    message: `the key service ${what}`,
    hint: "Check CLOUD_KMS_SIGNER_KEY_ID, CLOUD_KMS_SIGNER_KEY_REGION and this machine's credentials.",
    cause,
  });
}
