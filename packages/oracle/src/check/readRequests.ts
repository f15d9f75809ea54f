import { InvalidInputError } from "@crosscall/protocol/core";
import { ATTESTATION_ROUTES } from "@crosscall/protocol/attestation";
import { isObject, parseJson } from "@crosscall/protocol/schema";
import type { OracleRequest } from "./oracleHttp.ts";

export interface NumberedRequest extends OracleRequest {
  /** From 1. */
  readonly line: number;
}

const PREFIX = "/attestations/";

/**
 * Requests from JSON lines `{ "route", "body" }`. Skips empty lines and ignores other fields.
 *
 * @param field option or argument with the file
 * @throws {@link InvalidInputError} for a line that is not a request
 */
export async function* readRequests(
  lines: AsyncIterable<string> | Iterable<string>,
  field: string,
): AsyncGenerator<NumberedRequest> {
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() !== "") yield { line, ...parseRequest(text, `${field}, line ${line}`) };
  }
}

function parseRequest(text: string, field: string): OracleRequest {
  const refuse = (reason: string): InvalidInputError =>
    new InvalidInputError({
      field,
      value: text.slice(0, 80),
      reason,
      hint: 'Write each request on one line: {"route": "depository-deposits/v1", "body": {…}}',
    });
  const content = parseJson(text);
  if (!isObject(content)) throw refuse("it is not a JSON object");
  const { route: stated, body } = content;
  if (typeof stated !== "string") throw refuse("it has no route");
  if (!isObject(body)) throw refuse("it has no body");
  const route = stated.startsWith(PREFIX) ? stated.slice(PREFIX.length) : stated;
  if (!Object.hasOwn(ATTESTATION_ROUTES, route)) throw refuse(`${route} is not a route of an oracle`);
  return { route, body };
}
