import { InvalidInputError } from "../core/errors.ts";

/** Spec 1, section 8. */
const PAGE_MAX = 50;

/**
 * The caller's page size, else the number of wanted requests up to the maximum.
 *
 * @throws {@link InvalidInputError} if that number is not a positive integer
 */
export function pageSizeOf(pageSize: number | undefined, wanted: number | undefined): number {
  if (wanted !== undefined && (!Number.isSafeInteger(wanted) || wanted < 1)) {
    throw new InvalidInputError({
      field: "limit",
      value: wanted,
      reason: "it is not a whole number of one or more",
      hint: "Pass the maximum number of requests, or omit it for all.",
    });
  }
  return pageSize ?? Math.min(PAGE_MAX, wanted ?? PAGE_MAX);
}
