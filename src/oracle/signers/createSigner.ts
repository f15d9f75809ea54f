import type { SigningSettings } from "../config/settings.ts";
import { createPrivateKeySigner } from "./privateKeySigner.ts";
import type { OracleSigner } from "./signer.ts";

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
