/**
 * Numbers of Hardhat's errors (hardhat.org, *Hardhat errors*: `HHE10402` …). Its class is not imported, because Hardhat
 * and Ignition are optional packages.
 */
export const HARDHAT_ERRORS = {
  WAITING_FOR_CONFIRMATIONS: 10_402,
  WAITING_FOR_NONCE: 10_403,
  TRANSACTION_LOST: 10_410,
  NONCE_TOO_HIGH: 10_411,
  NONCE_TOO_LOW: 10_412,
  CONTRACT_VERIFICATION_MISSING_BYTECODE: 80_021,
  CONTRACT_ALREADY_VERIFIED: 80_022,
} as const;

export interface HardhatError extends Error {
  readonly number: number;
  readonly messageArguments: Readonly<Record<string, unknown>>;
}

/** Whether an error is one of Hardhat's: any of them, or one with a number in the list. */
export function isHardhatError(error: unknown, numbers?: readonly number[]): error is HardhatError {
  if (!(error instanceof Error && error.name === "HardhatError" && "number" in error)) return false;
  return numbers === undefined || numbers.some((number) => number === error.number);
}
