import { UserRejectedError } from "./executionErrors.ts";

/** EIP-1193, ethers and WalletConnect (CAIP-25). */
const REJECTION_CODES: readonly unknown[] = [4_001, "ACTION_REJECTED", 5_000];

/** Some wallets send only this text. */
const REJECTION_WORDS = /\buser (rejected|denied)\b|\brejected by (the )?user\b/iu;

/** Wallet errors are often wrapped, so causes are checked too. */
export function isUserRejection(error: unknown): boolean {
  for (let cause = error; typeof cause === "object" && cause !== null; cause = "cause" in cause ? cause.cause : null) {
    if ("code" in cause && REJECTION_CODES.includes(cause.code)) return true;
    if (cause instanceof Error && REJECTION_WORDS.test(cause.message)) return true;
  }
  return false;
}

export async function askUser<Result>(stepId: string, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (cause) {
    if (isUserRejection(cause)) throw new UserRejectedError({ stepId, cause });
    throw cause;
  }
}
