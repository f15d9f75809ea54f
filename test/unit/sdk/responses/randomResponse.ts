import type { TSchema } from "typebox";

/** Options of a response. */
export interface RandomOptions {
  /** Probability of omitting an optional field. */
  readonly dropped: number;
  /** Numbers from 0 to 1. */
  readonly random: () => number;
}

interface SchemaShape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly additionalProperties?: TSchema | boolean;
}

/** Probability of an unknown field, and of an unknown enumeration value. */
const UNKNOWN_FIELD = 0.1;
const UNKNOWN_MEMBER = 0.05;

const TEXTS = ["", "0", "1000000", "-0.25", "USDC", "0x", `0x${"ab".repeat(20)}`, `0x${"cd".repeat(32)}`, "…"];

/** A response that the schema allows, with unknown fields and members. */
export function randomResponse(schema: TSchema, options: RandomOptions): unknown {
  const { random, dropped } = options;
  const words = schema as SchemaShape;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  if (words.anyOf !== undefined) return randomResponse(pick(words.anyOf), options);
  if (words.enum !== undefined) return random() < UNKNOWN_MEMBER ? "A_NEW_MEMBER" : pick(words.enum);
  switch (words.type) {
    case "object": {
      const required = words.required ?? [];
      const fields = Object.entries(words.properties ?? {}).flatMap(([name, inner]) =>
        !required.includes(name) && random() < dropped ? [] : [[name, randomResponse(inner, options)] as const],
      );
      const unknown = random() < UNKNOWN_FIELD ? [["addedLater", { at: 1 }] as const] : [];
      return Object.fromEntries([...fields, ...unknown]);
    }
    case "array":
      return Array.from({ length: Math.floor(random() * 3) }, () => randomResponse(words.items!, options));
    case "string":
      return pick(TEXTS);
    case "number":
      return pick([0, 1, 18, 8453, 792_703_809, 1_790_000_000_000, 0.5, -1]);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    default:
      return pick<unknown>([{}, { any: "thing" }, [], "text", 5]);
  }
}

/** The same numbers from 0 to 1 in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
