import type { Static, TObject } from "typebox";

import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import { listMismatches } from "@crosscall/sdk/internal/protocol/schema/findMismatch";

/**
 * Rejects unknown fields: a misspelled limit would have no effect.
 *
 * @param at path in the plan, `""` for the whole
 * @throws {@link InvalidInputError} naming the field
 */
export function parsePart<Schema extends TObject>(schema: Schema, value: unknown, at: string): Static<Schema> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidInputError({
      field: at === "" ? "plan" : at,
      value,
      reason: "it is not an object",
      hint: "Write an object with the fields that docs/plan-files.md lists.",
    });
  }
  const known = Object.keys(schema.properties);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new InvalidInputError({
      field: at === "" ? unknown : `${at}.${unknown}`,
      value: (value as Record<string, unknown>)[unknown],
      reason: "the field is unknown",
      hint: `Use ${known.join(", ")}.`,
    });
  }
  const [mismatch] = listMismatches(schema, value, at);
  if (mismatch === undefined) return value as Static<Schema>;
  throw new InvalidInputError({
    field: mismatch.path === "" ? "plan" : mismatch.path,
    value: mismatch.value,
    reason: mismatch.reason,
    hint: `Write ${mismatch.path === "" ? "the plan" : mismatch.path} as described in docs/plan-files.md.`,
  });
}
