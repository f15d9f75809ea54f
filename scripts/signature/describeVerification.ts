import type { SignatureVerification } from "@crosscall/sdk/internal/client/verifySignature";

/** What came of verifying a signature, for people: each check, and each field that differs. */
export function describeVerification({ isValid, offChain, onChain, differences }: SignatureVerification): string {
  const expected = offChain.expectedSigners.join(", ");
  const lines = [
    isValid ? "the signature holds" : "the signature does NOT hold",
    `off-chain  ${offChain.isPassed ? "passed" : "failed"}: signed by ${offChain.signer ?? "nobody"}, expected ${expected}`,
  ];
  if (onChain !== undefined) {
    const { isPassed, receiver, solver, refusal } = onChain;
    const reason = refusal === undefined ? "" : `, which refuses with ${refusal.error ?? "an unknown error"}`;
    const passed = isPassed ? "passed" : "failed";
    lines.push(`on-chain   ${passed}: receiver ${receiver} trusts ${solver}${reason}`);
  }
  for (const { field, expected: wanted, signed } of differences) {
    lines.push(`differs    ${field}: expected ${wanted}, signed ${signed}`);
  }
  return `${lines.join("\n")}\n`;
}
