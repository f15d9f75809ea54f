import { type Hex, sha256, stringToHex } from "viem";

/** Message that a hub balance's owner signs to withdraw or transfer it (spec 5, section 2). */
export interface OwnerOrder {
  readonly operation: "withdrawal" | "transfer";
  readonly chainId: string;
  readonly currency: string;
  readonly amount: string;
  readonly ownerChainId: string;
  readonly owner: string;
  readonly recipient: string;
  readonly nonce: string;
  readonly additionalData?: unknown;
}

/** Returns the digest of an owner's order: SHA-256 of its JSON with sorted keys and without undefined fields. */
export function hashOwnerOrder(order: OwnerOrder): Hex {
  const { operation, chainId, currency, amount, ownerChainId, owner, recipient, nonce, additionalData } = order;
  const signed = { operation, chainId, currency, amount, ownerChainId, owner, recipient, nonce, additionalData };
  return sha256(stringToHex(canonicalJson(signed)));
}

/** With sorted keys. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(",")}}`;
}
