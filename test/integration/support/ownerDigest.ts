import { createHash } from "node:crypto";
import type { Hex, LocalAccount } from "viem";

/** Returns the SHA-256 of an owner's request as JSON with sorted keys, without 0x. */
function ownerDigestOf(fields: Readonly<Record<string, unknown>>): string {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, field]) => [name, sorted(field)]));
  };
  return createHash("sha256")
    .update(JSON.stringify(sorted(fields)))
    .digest("hex");
}

/** Returns the message that a balance owner signs on an EVM chain for a withdrawal. */
export function signWithdrawal(owner: LocalAccount, fields: Readonly<Record<string, unknown>>): Promise<Hex> {
  return owner.signMessage({ message: { raw: `0x${ownerDigestOf({ ...fields, operation: "withdrawal" })}` } });
}
