import { createHash } from "node:crypto";

import { refuseProblem } from "../../market/refusal.ts";
import type { RequestPosition, RequestSort } from "../../store/requests/listRequests.ts";

/** A cursor is valid for its own query only. */
export interface ContinuedQuery {
  readonly sortBy: RequestSort;
  /** Everything that determines the rows and their order. */
  readonly canonical: string;
}

/** The year 9999, which both a JavaScript date and the database can hold; Unix milliseconds. */
const LAST_TIME_MS = 253_402_300_799_999;

/** The digest detects misuse and protects no secret: a cursor reveals nothing that its query does not. */
export function encodeContinuation({ sortValue, id }: RequestPosition, query: ContinuedQuery): string {
  const position = `${sortValue}_${id}`;
  return Buffer.from(`${position}_${digest(position, query)}`).toString("base64url");
}

/** @throws {@link RefusalError} if this service did not create the cursor for this query */
export function decodeContinuation(continuation: string, query: ContinuedQuery): RequestPosition {
  const text = Buffer.from(continuation, "base64url").toString();
  const [, position, sortValue, id, seal] = /^((-?\d{1,90}(?:\.\d{1,6})?)_(.+))_([0-9a-f]{32})$/su.exec(text) ?? [];
  if (
    position !== undefined &&
    sortValue !== undefined &&
    id !== undefined &&
    seal === digest(position, query) &&
    // Decoding ignores invalid characters; a cursor has one spelling.
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
