import { InvalidInputError } from "@crosscall/protocol/core";

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
