import type { RequestPosition } from "../../store/requests.ts";
import { refuseProblem } from "./refusal.ts";

/** The cursor of the page that follows a row. Callers pass it back as it is. */
export function encodeContinuation({ created_at, id }: RequestPosition): string {
  return Buffer.from(`${created_at.getTime()}_${id}`).toString("base64url");
}

/**
 * The row that a cursor stands for.
 *
 * @throws {@link RefusalError} when this service did not make the cursor
 */
export function decodeContinuation(continuation: string): RequestPosition {
  const [, time, id] = /^(\d{1,15})_(0x[0-9a-f]{64})$/u.exec(Buffer.from(continuation, "base64url").toString()) ?? [];
  if (time !== undefined && id !== undefined) return { created_at: new Date(Number(time)), id };
  throw refuseProblem({
    errorCode: "INVALID_REQUEST",
    field: "continuation",
    value: continuation,
    reason: "it is no cursor of this service",
    cure: "Pass the continuation of the page before as it is, or leave it out for the first page.",
  });
}
