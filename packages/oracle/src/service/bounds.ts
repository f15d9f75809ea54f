import type { TSchema } from "typebox";

import { AttestationRefusedError } from "../attestationRefusedError.ts";

/** Maximum depth of objects and arrays; no route has more than 8. */
const MAX_DEPTH = 16;

/** Maximum number of fields and items: hashing an order of this size takes tens of milliseconds. */
const MAX_VALUES = 2_500;

/** Maximum items of an array, more than any order has. Each item may cost a read of a chain. */
const MAX_ITEMS = 256;

/** Limits of single fields: an output only costs an encoding, an input about a millisecond of hashing. */
const ITEMS: Readonly<Record<string, number>> = { allocatorUtxos: 500, feeUtxos: 500, inputs: 64 };

/** Fits ids, addresses and transactions in the longest format of any family. */
const MAX_TEXT = 512;

/** Fits signatures of Bitcoin and of several parts. */
const MAX_SIGNATURE = 4_096;

/** Fits a transaction, which has at most 128 KiB. */
const MAX_HEX = 2 + 2 * 128 * 1024;

/** Up to 2^256 as decimal or as hex with 0x. */
const INTEGER = { maxLength: 78, pattern: "^([0-9]+|0[xX][0-9a-fA-F]{1,64})$" };

const INTEGERS: ReadonlySet<string> = new Set([
  "amount",
  "apiKeyIndex",
  "expectedAmount",
  "expiration",
  "fee",
  "minimumAmount",
  "nonce",
  "priceImpactBps",
  "salt",
  "usdPrice",
  "usdcFee",
  "value",
  "weight",
  "withdrawalNonce",
]);

const HEX: ReadonlySet<string> = new Set(["calls", "extraData", "id", "orderId"]);

const LENGTHS: Readonly<Record<string, number>> = {
  calls: MAX_HEX,
  extraData: MAX_HEX,
  orderSignature: MAX_SIGNATURE,
  ownerSignature: MAX_SIGNATURE,
  signature: MAX_SIGNATURE,
  withdrawal: MAX_HEX,
};

type Schema = Readonly<Record<string, unknown>>;

/**
 * Adds bounds to every text and array of a body's schema, so that the validator rejects values that are expensive to
 * read. Fields without a specific bound get the general one.
 */
export function boundBody(schema: TSchema): object {
  return bound(schema as Schema, "");
}

function bound(schema: Schema, name: string): Schema {
  const { type, properties, items, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.map((branch: Schema) => bound(branch, name)) };
  if (type === "object") {
    const fields = Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>);
    return { ...schema, properties: Object.fromEntries(fields.map(([field, inner]) => [field, bound(inner, field)])) };
  }
  if (type === "array") return { maxItems: ITEMS[name] ?? MAX_ITEMS, ...schema, items: bound(items as Schema, name) };
  if (type === "number" || type === "integer") {
    return { minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...schema, type: "integer" };
  }
  if (type !== "string" || "const" in schema) return schema;
  // A schema with a pattern accepts other texts.
  if (INTEGERS.has(name) && !("pattern" in schema)) return { ...INTEGER, ...schema };
  return {
    maxLength: LENGTHS[name] ?? MAX_TEXT,
    ...(HEX.has(name) ? { pattern: "^0x([0-9a-fA-F]{2})*$" } : {}),
    ...schema,
  };
}

/**
 * Bounds fields without a schema, which oracles ignore but pass to peers.
 *
 * @returns the error, which names the field; undefined within the bounds
 */
export function findExcess(body: unknown): AttestationRefusedError | undefined {
  const open: { readonly value: unknown; readonly path: string; readonly depth: number }[] = [
    { value: body, path: "body", depth: 1 },
  ];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value !== "object" || value === null) continue;
    if (depth > MAX_DEPTH) {
      return new AttestationRefusedError(`${path} must NOT be nested deeper than ${MAX_DEPTH} levels`);
    }
    const names = Object.keys(value);
    values += names.length;
    if (values > MAX_VALUES) {
      return new AttestationRefusedError(`${path} must NOT bring the body to more than ${MAX_VALUES} values`);
    }
    for (const name of names) {
      const inner: unknown = Reflect.get(value, name);
      if (typeof inner === "number" && !Number.isFinite(inner)) {
        return new AttestationRefusedError(`${path}/${name.slice(0, 64)} must be a finite number`);
      }
      if (typeof inner === "object")
        open.push({ value: inner, path: `${path}/${name.slice(0, 64)}`, depth: depth + 1 });
    }
  }
  return undefined;
}
