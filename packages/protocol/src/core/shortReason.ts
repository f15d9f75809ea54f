/** Longer messages contain requests and responses, which belong in `cause`. */
const MAX_LENGTH = 200;

/**
 * Shortens a reason to one line. Wallets and nodes put whole requests into messages; viem and ethers attach a short
 * form.
 */
export function shortReason(error: unknown): string {
  const short = typeof error === "object" && error !== null && "shortMessage" in error ? error.shortMessage : undefined;
  const text = typeof short === "string" ? short : error instanceof Error ? error.message : String(error);
  const [line = ""] = text.trim().split("\n");
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 3)}...` : line;
}
