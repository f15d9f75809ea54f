import { BaseError, RpcRequestError } from "viem";

/** Error codes of EIP-1193, EIP-1474, EIP-3085 and EIP-5792. */
export const PROVIDER_CODES = {
  invalidParams: -32_602,
  internal: -32_603,
  userRejected: 4_001,
  unauthorized: 4_100,
  unsupportedMethod: 4_200,
  disconnected: 4_900,
  unknownChain: 4_902,
  unsupportedCapability: 5_700,
  unsupportedChain: 5_710,
  duplicateBundle: 5_720,
  unknownBundle: 5_730,
} as const;

/** Fields of an error that a page reads. */
export interface PageError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An error from a wallet, which the page receives with this code. It does not belong to the kit's errors. */
export class ProviderError extends Error {
  readonly code: number;

  constructor(code: keyof typeof PROVIDER_CODES, message: string) {
    super(message);
    this.code = PROVIDER_CODES[code];
  }
}

/** Converts an error from a node. Keeps its code and data, such as those of a revert. */
export function toPageError(error: unknown): PageError {
  if (error instanceof ProviderError) return { code: error.code, message: error.message };
  const answered = error instanceof BaseError ? error.walk((each) => each instanceof RpcRequestError) : undefined;
  if (answered instanceof RpcRequestError) {
    const { code, details, data } = answered;
    return { code, message: details, ...(data === undefined ? {} : { data }) };
  }
  return { code: PROVIDER_CODES.internal, message: error instanceof Error ? error.message : String(error) };
}
