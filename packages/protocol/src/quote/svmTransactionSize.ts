import { decodeBase64 } from "../encoding/baseTexts.ts";
import { InvalidInputError } from "../core/errors.ts";

/** Maximum size of an SVM transaction in bytes (spec 2, section 8). */
export const SVM_TRANSACTION_MAX_BYTES = 1232;

/** Bytes that wallets may prepend (spec 2, section 8). */
export const SVM_COMPUTE_BUDGET_BYTES = 60;

/** Limit of a quoted deposit, in bytes (spec 2, section 8). */
export const SVM_QUOTED_MAX_BYTES = SVM_TRANSACTION_MAX_BYTES - SVM_COMPUTE_BUDGET_BYTES;

export interface SvmTransactionSize {
  readonly sizeBytes: number;
  /** Whether the transaction still fits after a wallet prepends its compute budget, as the service requires. */
  readonly fitsQuote: boolean;
  /** Whether the transaction fits unchanged. */
  readonly fitsChain: boolean;
  /** Remaining bytes until the transaction no longer fits a quote; negative if it does not fit. */
  readonly headroomBytes: number;
}

/**
 * Measures a serialized SVM transaction.
 *
 * @param transaction the transaction as bytes or base64
 * @param added serialized instructions to insert, each as bytes or base64. Each new account takes another 32 bytes,
 * which only the transaction's compiler can count
 * @throws {@link InvalidInputError} when a text is not base64
 */
export function measureSvmTransaction(
  transaction: Uint8Array | string,
  added: readonly (Uint8Array | string)[] = [],
): SvmTransactionSize {
  const sizeBytes = added.reduce<number>(
    (sum, instruction, index) => sum + byteLength(instruction, `added[${index}]`),
    byteLength(transaction, "transaction"),
  );
  return {
    sizeBytes,
    fitsQuote: sizeBytes <= SVM_QUOTED_MAX_BYTES,
    fitsChain: sizeBytes <= SVM_TRANSACTION_MAX_BYTES,
    headroomBytes: SVM_QUOTED_MAX_BYTES - sizeBytes,
  };
}

function byteLength(serialized: Uint8Array | string, field: string): number {
  if (typeof serialized !== "string") return serialized.length;
  const bytes = decodeBase64(serialized);
  if (bytes !== undefined) return bytes.length;
  throw new InvalidInputError({
    field,
    value: serialized,
    reason: "it is not base64 with padding",
    hint: `Pass ${field} as bytes or base64.`,
  });
}
