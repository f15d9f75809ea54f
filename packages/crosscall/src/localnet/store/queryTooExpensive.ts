import { CrosscallError } from "@crosscall/protocol/core";
import { GROUPS_MAX } from "./requests/filter.ts";

/** Timeout of one statement of a listing, in milliseconds. */
export const QUERY_TIMEOUT_MS = 5_000;

/** Error code of a statement that `statement_timeout` canceled (PostgreSQL, appendix A). */
const QUERY_CANCELED = "57014";

export class QueryTooExpensiveError extends CrosscallError {
  readonly code = "QUERY_TOO_EXPENSIVE";
  /** Exceeded limit. `time`: the query took too long; `groups`: the query has too many filter groups. */
  readonly flaw: "time" | "groups";
  /** Limit in milliseconds, or number of groups. */
  readonly atMost: number;

  constructor(parameters: { flaw: "time"; cause: unknown } | { flaw: "groups"; groups: number }) {
    const { flaw } = parameters;
    super(
      flaw === "time"
        ? {
            message: `the query took longer than ${QUERY_TIMEOUT_MS} ms`,
            hint: "Add a selective filter, such as user or startTimestamp, or omit includeTotal.",
            cause: parameters.cause,
          }
        : {
            message: `filters has ${parameters.groups} groups that differ in more than one field, which is more than the limit of ${GROUPS_MAX}`,
            hint: "Split the query, or merge groups by passing arrays of values.",
          },
    );
    this.flaw = flaw;
    this.atMost = flaw === "time" ? QUERY_TIMEOUT_MS : GROUPS_MAX;
  }
}

/** @throws {@link QueryTooExpensiveError} if the database canceled the query at its time limit */
export async function requireTimely<Result>(query: () => Promise<Result>): Promise<Result> {
  try {
    return await query();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === QUERY_CANCELED) throw new QueryTooExpensiveError({ flaw: "time", cause });
    throw cause;
  }
}
