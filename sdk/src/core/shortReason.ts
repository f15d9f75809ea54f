/** Longer reasons hold requests and responses, which belong in `cause`. */
const MAX_LENGTH = 200;

/**
 * Why something failed, in one line for an error message. Wallets and nodes put whole requests into their messages; the
 * short form that viem and ethers attach is used where there is one.
 */
export function shortReason(error: unknown): string {
  const short = typeof error === "object" && error !== null && "shortMessage" in error ? error.shortMessage : undefined;
  const text = typeof short === "string" ? short : error instanceof Error ? error.message : String(error);
  const [line = ""] = text.trim().split("\n");
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 3)}...` : line;
}
