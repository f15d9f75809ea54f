import { expect } from "chai";
import type { TSchema } from "typebox";

import { MalformedDataError } from "../../../packages/protocol/src/core/errors.ts";
import { parseData } from "../../../packages/protocol/src/schema/parse.ts";

/** Runs a function that must throw the kit's error for malformed data, and returns that error. */
export function malformed(run: () => unknown): MalformedDataError {
  try {
    run();
  } catch (error) {
    expect(error).to.be.instanceOf(MalformedDataError);
    return error as MalformedDataError;
  }
  throw new Error("nothing was thrown");
}

/** Optional members of amount objects (spec 1, section 2.4). */
const AMOUNT_OPTIONS = ["amountUsdCurrent", "minimumAmount"];

/**
 * Removes every field of a complete value, one at a time, at every depth. The schema must reject each removal at the
 * path of the removed field, unless `optional` contains that path or the field is an optional member of an amount
 * object.
 */
export function checkEveryField(schema: TSchema, whole: object, optional: readonly string[]): void {
  // Copies through JSON, because structuredClone would keep a shared object that the fixture uses twice.
  const copy = (): Record<string, unknown> => JSON.parse(JSON.stringify(whole)) as Record<string, unknown>;
  expect(parseData(schema, copy(), "it")).to.deep.equal(whole);
  const accepted: string[] = [];
  for (const { keys, path } of listFields(whole, [], "")) {
    const value = copy();
    const parent = keys.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, value);
    const name = keys.at(-1)!;
    const isAmountOption = "amountFormatted" in parent && AMOUNT_OPTIONS.includes(name);
    Reflect.deleteProperty(parent, name);
    const rejectedAt = findRejection(schema, value);
    if (rejectedAt !== undefined) expect(rejectedAt).to.equal(path);
    if (isAmountOption) expect(rejectedAt, path).to.equal(undefined);
    else if (rejectedAt === undefined) accepted.push(path);
  }
  expect(accepted.sort()).to.deep.equal([...optional].sort());
}

function findRejection(schema: TSchema, value: unknown): string | undefined {
  try {
    parseData(schema, value, "it");
    return undefined;
  } catch (error) {
    if (error instanceof MalformedDataError) return error.path;
    throw error;
  }
}

function listFields(value: unknown, keys: string[], path: string): { keys: string[]; path: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = { keys: [...keys, key], path: "" };
    if (Array.isArray(value)) return listFields(inner, at.keys, `${path}[${key}]`);
    at.path = path === "" ? key : `${path}.${key}`;
    return [at, ...listFields(inner, at.keys, at.path)];
  });
}
