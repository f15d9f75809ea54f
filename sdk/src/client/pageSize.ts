import { InvalidInputError } from "../core/errors.ts";

/** The largest page of both listings (spec 1, section 8). */
const PAGE_MAX = 50;

/**
 * How many requests to ask for at a time: what the caller says, else as many as are wanted, up to the largest page.
 *
 * @throws {@link InvalidInputError} when the number wanted is no whole number of one or more
 */
export function pageSizeOf(pageSize: number | undefined, wanted: number | undefined): number {
  if (wanted !== undefined && (!Number.isSafeInteger(wanted) || wanted < 1)) {
    throw new InvalidInputError({
      field: "limit",
      value: wanted,
      reason: "it is not a whole number of one or more",
      hint: "Give how many requests you want at most, or leave it out for all.",
    });
  }
  return pageSize ?? Math.min(PAGE_MAX, wanted ?? PAGE_MAX);
}
