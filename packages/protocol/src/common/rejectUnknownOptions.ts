import { compact } from "../core/compact.ts";
import { InvalidInputError } from "../core/errors.ts";

/** Names of the options of a type, with those of each member of a union. */
type OptionNames<Options> = Options extends unknown ? keyof Options & string : never;

/**
 * All options of a type; the type requires that none is missing. The value is 1, or for {@link rejectUnknownOptionsDeep}
 * the options of a nested object, or of each object in a list.
 */
export type KnownOptions<Options> = Readonly<Record<OptionNames<Options>, unknown>>;

/** An option has an unknown name, so it would have no effect. The error omits its value, which may be a secret. */
export class UnknownOptionError extends InvalidInputError {
  constructor(field: string, nearest: string | undefined, known: readonly string[]) {
    const reason = "there is no option with this name";
    const hint = nearest === undefined ? `Use one of ${known.join(", ")}.` : `Use ${nearest}.`;
    super({ field, value: undefined, reason, hint });
    this.message = `${field}: ${reason}`;
    Object.assign(this, compact({ nearest }));
  }
}

/**
 * Rejects options with unknown names, because a misspelled option would have no effect. Options that are undefined are
 * ignored.
 *
 * @param at path of the options, such as `chains[0].`
 * @throws {@link UnknownOptionError} naming the option and the most similar known one
 */
export function rejectUnknownOptions<Options extends object>(
  options: Options | undefined,
  known: KnownOptions<Options>,
  at = "",
): void {
  rejectUnknownNames(options ?? {}, Object.keys(known), at);
}

/** {@link rejectUnknownOptions} for options and their nested options. */
export function rejectUnknownOptionsDeep<Options extends object>(
  options: Options,
  known: KnownOptions<Options>,
  at = "",
): void {
  rejectUnknownOptions(options, known, at);
  rejectUnknownNestedOptions(options, known, at);
}

/** Rejects unknown names in nested options only. Values that are not objects are left to other checks. */
export function rejectUnknownNestedOptions(options: object, known: object, at = ""): void {
  for (const [name, nested] of Object.entries(known) as [string, unknown][]) {
    if (typeof nested !== "object" || nested === null) continue;
    const given = options[name as keyof typeof options] as unknown;
    const parts: readonly unknown[] = Array.isArray(given) ? given : [given];
    for (const [index, part] of parts.entries()) {
      if (typeof part !== "object" || part === null) continue;
      rejectUnknownOptionsDeep<object>(part, nested, `${at}${name}${part === given ? "" : `[${index}]`}.`);
    }
  }
}

/** {@link rejectUnknownOptions} for names that are known at run time only. */
export function rejectUnknownNames(options: object, known: readonly string[], at = ""): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !known.includes(name)) {
      throw new UnknownOptionError(`${at}${name}`, nearestName(name, known), known);
    }
  }
}

/** {@link rejectUnknownOptions} for options that are mixed with other data: rejects only names that are similar to an option. */
export function rejectMisspelledOptions(options: object, known: readonly string[]): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    const nearest = nearestName(name, known);
    if (nearest !== undefined) throw new UnknownOptionError(name, nearest, known);
  }
}

/** Returns the known name with the fewest different characters, or undefined if more than a third of them differ. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  let nearest: string | undefined;
  for (const candidate of known) {
    const distance = distanceOf(name.toLowerCase(), candidate.toLowerCase(), least);
    if (distance < least) [least, nearest] = [distance, candidate];
  }
  return nearest;
}

/** Returns the Levenshtein distance, or the limit for names whose lengths differ by more. */
function distanceOf(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + Number(from[i] !== to[j]);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** @throws {@link InvalidInputError} when the value is not one of the known values */
export function requireOneOf<const Value extends string>(
  value: unknown,
  known: readonly Value[],
  field: string,
): Value {
  const found = known.find((each) => each === value);
  if (found !== undefined) return found;
  throw new InvalidInputError({
    field,
    value,
    reason: "this value is unknown",
    hint: `Pass one of ${known.join(", ")}.`,
  });
}
