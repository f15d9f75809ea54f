import { AttestationRefusedError } from "../attestationRefusedError.ts";
import type { OracleChain } from "../chainTable.ts";

/**
 * The chain's primary depository if the request names none.
 *
 * @throws {@link AttestationRefusedError} if the chain does not have it
 */
export function depositoryOf({ config, codec }: OracleChain, requested?: string): string {
  const { id, depository, additionalDepositories = [] } = config;
  if (requested === undefined) {
    if (depository === undefined) throw new AttestationRefusedError("Chain has no depository configured");
    return depository;
  }
  const encoded = codec.encodeAddress(requested, "depository");
  const known = [...(depository === undefined ? [] : [depository]), ...additionalDepositories];
  const found = known.find((other) => codec.encodeAddress(other, "depository") === encoded);
  if (found !== undefined) return found;
  throw new AttestationRefusedError(`Depository ${requested} is not configured for chain ${id}`);
}
