import type { Chance } from "../../integration/support/lyingRpc.ts";
import { BROKEN_BODIES, NASTY_PATHS } from "../../integration/support/nastyValues.ts";

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The name of the chain whose endpoint is hostile. */
export const LIAR = "liar";

const repeat = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

const nested = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);

/** Values that no field expects, and values at the edges of what fields accept. */
const VALUES: readonly (() => unknown)[] = [
  ...[null, true, false, 0, -0, -1, 1.5, 1e21, 2 ** 53, -(2 ** 63), 2 ** 32, [], {}, [[]], [null], [{}]].map(
    (value) => () => value,
  ),
  ...["", " ", "\0", "\ud800", "\u202e", "__proto__", "constructor", "toString", "NaN", "-1", "1.5", "1e5", "0b1"].map(
    (value) => () => value,
  ),
  ...["0", "00", "0x", "0x0", "0X1F", "0x1", `0x${"g".repeat(64)}`, `0x${"0".repeat(40)}`].map((value) => () => value),
  ...[1, 40, 64, 65, 130, 132].map((length) => () => `0x${"f".repeat(length)}`),
  ...[1, 32, 44, 64, 78, 79, 512, 513, 5_000, 300_000].map((length) => () => "9".repeat(length)),
  () => `0x${"ab".repeat(60_000)}`,
  () => "1".repeat(512),
  () => "z".repeat(512),
  () => "😀".repeat(2_000),
  () => repeat(256, "1"),
  () => repeat(257, {}),
  () => repeat(20_000, 1),
  () => nested(15),
  () => nested(1_000),
  () => ({ ["__proto__"]: 1, constructor: { prototype: { polluted: true } } }),
  () => LIAR,
  () => LIAR,
  () => LIAR,
];

const CONTENT_TYPES = ["text/plain", "application/json; charset=utf-16", "multipart/form-data", "a/b;;", ""];

/** One request of a run; the same for the same chance. */
export function hostileRequest(bodies: Readonly<Record<string, object>>, chance: Chance): HostileRequest {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(chance() * values.length)] as Value;
  const json = { "content-type": "application/json" };
  if (chance() < 0.03) {
    const path = pick(["/lives/v1?withReport=1", "/chains/v1", "/metrics", "/documentation/json", "/lives/v1?%", "/x"]);
    return { method: "GET", path, headers: {}, body: "" };
  }
  const [route, valid] = pick(Object.entries(bodies));
  const path = chance() < 0.02 ? `/attestations/${pick(NASTY_PATHS)}` : `/attestations/${route}`;
  const headers: Record<string, string> = chance() < 0.03 ? { "content-type": pick(CONTENT_TYPES) } : { ...json };
  if (chance() < 0.02) for (const index of repeat(100, 0).keys()) headers[`x-${index}`] = "y".repeat(50);
  if (chance() < 0.05) headers["x-api-key"] = pick(["k", "key", "x".repeat(3_000)]);
  if (chance() < 0.05) return { method: "POST", path, headers, body: pick(BROKEN_BODIES) };
  let body: unknown = chance() < 0.15 ? { ...valid, requestPeerSignatures: true } : valid;
  for (const _ of repeat(Math.floor(chance() * 4), 0)) body = mutate(body, chance);
  const text = JSON.stringify(body);
  return { method: "POST", path, headers, body: chance() < 0.03 ? text.slice(0, chance() * text.length) : text };
}

/** Changes one place of a body: replaces, removes, adds or repeats a value. */
function mutate(value: unknown, chance: Chance): unknown {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(chance() * values.length)] as Value;
  const isLeaf = typeof value !== "object" || value === null;
  if (isLeaf || chance() < 0.03) return pick(VALUES)();
  if (Array.isArray(value)) {
    const items = value as unknown[];
    if (items.length === 0 || chance() < 0.2) return [...items, pick(VALUES)()];
    if (chance() < 0.2) return repeat(pick([0, 2, 40, 256, 300]), items[0]);
    const at = Math.floor(chance() * items.length);
    return items.with(at, mutate(items[at], chance));
  }
  const fields = Object.entries(value) as [string, unknown][];
  if (fields.length === 0 || chance() < 0.05) {
    return { ...value, [pick(["a", "__proto__", "constructor", "toString"])]: pick(VALUES)() };
  }
  const [name, field] = pick(fields);
  if (chance() < 0.1) return Object.fromEntries(fields.filter(([other]) => other !== name));
  return { ...value, [name]: mutate(field, chance) };
}
