import type { Quote } from "../../../packages/protocol/src/quote/quote.ts";
import { rehashOrder } from "../../support/rehashOrder.ts";

/** A change of a quote's JSON. */
export interface Mutation {
  /** Path of what is changed, with `*` for array indexes: `steps[*].items[*].data.to`. */
  readonly path: string;
  readonly name: string;
  readonly mutated: unknown;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type Keys = readonly (string | number)[];

/**
 * Every change of every leaf, and of every list, and a field more in what is signed. A changed order also comes with its own orderId in all places, and
 * without the solver's signature.
 */
export function* mutateQuote(quote: unknown): Generator<Mutation> {
  for (const mutation of mutateAt(quote as Json, quote as Json, [])) {
    yield mutation;
    if (!mutation.path.startsWith("protocol.v2.orderData.")) continue;
    const rehashed = tryRehash(mutation.mutated as Quote);
    if (rehashed !== undefined) yield { ...mutation, name: `${mutation.name}, rehashed`, mutated: rehashed };
  }
}

/** @returns undefined if no order is left that has an id */
function tryRehash(quote: Quote): Quote | undefined {
  const { orderSignature: _, ...v2 } = quote.protocol?.v2 ?? {};
  try {
    return rehashOrder({ ...quote, protocol: { ...quote.protocol, v2 } });
  } catch {
    return undefined;
  }
}

function* mutateAt(root: Json, value: Json, keys: Keys): Generator<Mutation> {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    const last = list.at(-1);
    yield change(root, keys, "appended", [...list, last ?? OTHER_ADDRESS]);
    if (list.length > 0) yield change(root, keys, "emptied", []);
    for (const [index, item] of list.entries()) yield* mutateAt(root, item, [...keys, index]);
    return;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value as Readonly<Record<string, Json>>);
    // What is signed is named by its fields.
    if (keys.includes("sign")) yield change(root, [...keys, "extra"], "added", OTHER_ADDRESS);
    if (keys.at(-1) === "types") yield change(root, [...keys, "EIP712Domain"], "added", []);
    for (const [index, [key, item]] of entries.entries()) {
      const at = [...keys, key];
      yield change(root, at, "removed", undefined);
      if (typeof item === "object") {
        yield* mutateAt(root, item, at);
        continue;
      }
      for (const [name, other] of Object.entries(changesOf(item))) {
        if (other !== item) yield change(root, at, name, other);
      }
      const sibling = entries.find(
        ([, one], other) => other > index && typeof one === typeof item && !isSameNumber(one, item),
      );
      if (sibling !== undefined) {
        yield {
          path: pathOf(at),
          name: "swapped",
          mutated: set(set(root, at, sibling[1]), [...keys, sibling[0]], item),
        };
      }
    }
    return;
  }
  for (const [name, other] of Object.entries(changesOf(value))) {
    if (other !== value) yield change(root, keys, name, other);
  }
}

/** The same value, or the same number with other zeros. */
function isSameNumber(one: Json, other: Json): boolean {
  const isDecimal = [one, other].every((value) => typeof value === "string" && /^\d+(\.\d+)?$/u.test(value));
  return one === other || (isDecimal && Number(one) === Number(other));
}

const OTHER_ADDRESS = "0x00000000000000000000000000000000000c0de5";

function changesOf(value: string | number | boolean | null): Readonly<Record<string, Json>> {
  if (typeof value === "number") return { next: value + 1, previous: value - 1, tenfold: value * 10, other: 0 };
  if (typeof value !== "string") return { other: value !== true };
  if (/^-?\d+$/u.test(value)) {
    const number = BigInt(value);
    return {
      next: String(number + 1n),
      previous: String(number - 1n),
      tenfold: String(number * 10n),
      other: "0",
      emptied: "",
    };
  }
  if (/^0x[0-9a-f]{40}$/iu.test(value)) return { other: OTHER_ADDRESS, emptied: "0x", zero: `0x${"0".repeat(40)}` };
  if (/^0x[0-9a-f]*$/iu.test(value)) {
    const flipped = value.replace(/.$/u, (digit) => (digit === "1" ? "2" : "1"));
    const first = value.replace(/^0x../u, (start) => (start === "0x11" ? "0x22" : "0x11"));
    return { other: value === "0x" ? "0x11" : flipped, start: first, emptied: "0x", appended: `${value}00` };
  }
  return { other: `${value}x`, emptied: "" };
}

function change(root: Json, keys: Keys, name: string, value: Json | undefined): Mutation {
  return { path: pathOf(keys), name, mutated: set(root, keys, value) };
}

function set(node: Json, [key, ...rest]: Keys, value: Json | undefined): Json {
  if (key === undefined) return value as Json;
  if (Array.isArray(node)) {
    return (node as readonly Json[]).map((item, index) => (index === key ? set(item, rest, value) : item));
  }
  const record = node as Readonly<Record<string, Json>>;
  if (rest.length === 0 && value === undefined) {
    const { [key]: _, ...left } = record;
    return left;
  }
  return { ...record, [key]: set(record[key] as Json, rest, value) };
}

function pathOf(keys: Keys): string {
  return keys.map((key, index) => (typeof key === "number" ? "[*]" : index === 0 ? key : `.${key}`)).join("");
}
