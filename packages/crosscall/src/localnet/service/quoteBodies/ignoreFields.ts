import type { Reporter } from "../../log.ts";
import type { UnhonoredField } from "../../market/quote/listUnhonoredFields.ts";
import { rejectProblem } from "../../market/rejection.ts";
import type { FieldJudge } from "../serviceParts.ts";

/** Header with the fields of a request that had no effect. */
export const IGNORED_HEADER = "x-crosscall-ignored";

/** Limits for the header and the memory, because callers choose the names of unknown fields. */
const NAMES_PER_RESPONSE = 20;
const NAME_MAX_LENGTH = 100;
const LOGGED_FIELDS_MAX = 1_000;

interface HeaderWriter {
  readonly header: (name: string, value: string) => unknown;
}

/** Removes fields from a request, or rejects the request. */
export type FieldFilter = <Request extends object>(
  request: Request,
  unhonored: readonly UnhonoredField[],
  reply: HeaderWriter,
) => Request;

/**
 * Returns a function that removes fields without an effect from a request, and names them in a header. Logs each field
 * once.
 */
export function createFieldFilter({ log, strict }: FieldJudge & Reporter): FieldFilter {
  const logged = new Set<string>();

  /** @throws {@link RejectionError} for an essential field, or for any field if the network is strict */
  return (request, unhonored, reply) => {
    const rejected = unhonored.find(({ isEssential }) => isEssential || strict === true);
    if (rejected !== undefined) throw rejectProblem(rejected);
    if (unhonored.length === 0) return request;
    const fields = new Set(unhonored.map(({ field }) => field));
    void reply.header(IGNORED_HEADER, [...fields].slice(0, NAMES_PER_RESPONSE).map(toHeaderText).join(", "));
    for (const { field, reason } of unhonored) {
      if (logged.has(field) || logged.size === LOGGED_FIELDS_MAX) continue;
      logged.add(field);
      log.warn({ field: field.slice(0, NAME_MAX_LENGTH), reason }, "a field of a request is ignored");
    }
    return Object.fromEntries(Object.entries(request).filter(([name]) => !fields.has(name))) as typeof request;
  };
}

/** Converts a field name to header text. Headers contain only visible ASCII, and a comma separates names. */
function toHeaderText(field: string): string {
  return field
    .slice(0, NAME_MAX_LENGTH)
    .toWellFormed()
    .replace(/[^\w.[\]$-]/gu, encodeURIComponent);
}
