import type { TSchema } from "typebox";

import { AttestationRefusedError } from "../attestationRefusedError.ts";

/** Maximum depth of objects and arrays. No route uses more than 8. */
const MAX_DEPTH = 16;

/** Maximum number of fields and items. Hashing an order of this size takes tens of milliseconds. */
const MAX_VALUES = 2_500;

/** Maximum number of array items, more than any order has. Each item can cost a chain read. */
const MAX_ITEMS = 256;

/** Limits for single fields. An output costs only an encoding, and an input about a millisecond of hashing. */
const ITEMS: Readonly<Record<string, number>> = { allocatorUtxos: 500, feeUtxos: 500, inputs: 64 };

/** Maximum length of ids, addresses and transaction hashes, in the longest format of any family. */
const MAX_TEXT = 512;

/** Maximum length of signatures, including Bitcoin and multipart signatures. */
const MAX_SIGNATURE = 4_096;

/** Maximum length of call data, from the transaction limit of 128 KiB. */
const MAX_HEX = 2 + 2 * 128 * 1024;

/** Maximum length of a number up to 2^256, in decimal or in hex with 0x. */
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
 * Adds bounds to every string and array in the schema of a body, so that the validator rejects values that are
 * expensive to read. Fields without a specific bound get the general bound.
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
  // Schemas with a pattern accept strings that are bounded in other ways.
  if (INTEGERS.has(name) && !("pattern" in schema)) return { ...INTEGER, ...schema };
  return {
    maxLength: LENGTHS[name] ?? MAX_TEXT,
    ...(HEX.has(name) ? { pattern: "^0x([0-9a-fA-F]{2})*$" } : {}),
    ...schema,
  };
}

/**
 * Checks fields without a schema, which oracles ignore but pass on to peers.
 *
 * @returns an error that names the field, or undefined if the body is within the bounds
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
