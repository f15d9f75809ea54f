import { createHash } from "node:crypto";

import { refuseProblem } from "../../market/refusal.ts";
import type { RequestPosition, RequestSort } from "../../store/listRequests.ts";

/** The query that a cursor continues: a cursor serves no other one. */
export interface ContinuedQuery {
  readonly sortBy: RequestSort;
  /** All that decides which rows come, and in which order. */
  readonly canonical: string;
}

/** The end of what a JavaScript date and the database both hold: the year 9999, in Unix milliseconds. */
const LAST_TIME_MS = 253_402_300_799_999;

/**
 * The cursor of the page that follows a row. Callers pass it back as it is. Its digest finds slips and misuse and keeps
 * no secret: a cursor opens nothing that its query does not.
 */
export function encodeContinuation({ sortValue, id }: RequestPosition, query: ContinuedQuery): string {
  const position = `${sortValue}_${id}`;
  return Buffer.from(`${position}_${digest(position, query)}`).toString("base64url");
}

/**
 * The row that a cursor stands for.
 *
 * @throws {@link RefusalError} when this service did not make the cursor, or made it for another query
 */
export function decodeContinuation(continuation: string, query: ContinuedQuery): RequestPosition {
  const text = Buffer.from(continuation, "base64url").toString();
  const [, position, sortValue, id, seal] = /^((-?\d{1,90}(?:\.\d{1,6})?)_(.+))_([0-9a-f]{32})$/su.exec(text) ?? [];
  if (
    position !== undefined &&
    sortValue !== undefined &&
    id !== undefined &&
    seal === digest(position, query) &&
    // Decoding skips what does not belong; a cursor has one spelling.
    Buffer.from(text).toString("base64url") === continuation &&
    (query.sortBy === "amountUsd" || isTime(sortValue))
  ) {
    return { sortValue, id };
  }
  throw refuseProblem({
    errorCode: "INVALID_REQUEST",
    field: "continuation",
    value: continuation,
    reason: "is not a cursor of this query",
    hint: "Pass the continuation of the previous page unchanged, with the same filters and order. Omit it for the first page.",
  });
}

function isTime(sortValue: string): boolean {
  return /^\d+$/u.test(sortValue) && Number(sortValue) <= LAST_TIME_MS;
}

function digest(position: string, { canonical }: ContinuedQuery): string {
  return createHash("sha256").update(`${position}\n${canonical}`).digest("hex").slice(0, 32);
}
