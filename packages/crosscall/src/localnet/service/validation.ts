import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Convert } from "typebox/value";

import { MalformedDataError } from "@crosscall/protocol/core";
import { parseData } from "@crosscall/protocol/schema";
import { RejectionError } from "../market/rejection.ts";

/**
 * Validates with the client's validation code. Converts text in queries and paths to numbers and booleans. Bodies are
 * not converted, so an amount is never a number.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const part = httpPart ?? "body";
  return (data: unknown) => {
    const value = part === "body" ? data : convertText(schema, data);
    try {
      return { value: parseData(schema, requireStorableText(value, `the ${part}`), `the ${part}`) };
    } catch (error) {
      if (!(error instanceof MalformedDataError)) throw error;
      return { error: rejectShape(part, error) };
    }
  };
};

/** Converts text to the types of the schema. Does not convert empty text to 0. */
function convertText(schema: TSchema, data: unknown): unknown {
  const texts = Object.entries(data ?? {});
  const empty = Object.fromEntries(texts.filter(([, text]) => text === ""));
  return Object.assign(Convert(schema, Object.fromEntries(texts.filter(([, text]) => text !== ""))) as object, empty);
}

/** Maximum depth of a body: far beyond any valid body, and safe for the stack. */
const DEPTH_MAX = 64;

/**
 * Rejects text that the database cannot hold (NUL, lone surrogates) and data nested too deeply to walk.
 *
 * @throws {@link MalformedDataError} with the path
 */
export function requireStorableText(value: unknown, what: string, path = "", depth = 0): unknown {
  if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) {
    throw new MalformedDataError({ what, path, reason: "contains an invalid character" });
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEPTH_MAX) {
    throw new MalformedDataError({ what, path: "", reason: `is nested deeper than ${DEPTH_MAX} levels` });
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) requireStorableText(item, what, `${path}[${index}]`, depth + 1);
  } else {
    for (const [key, item] of Object.entries(value)) {
      requireStorableText(key, what, path, depth + 1);
      requireStorableText(item, what, path === "" ? key : `${path}.${key}`, depth + 1);
    }
  }
  return value;
}

function rejectShape(part: string, { message, path }: MalformedDataError): RejectionError {
  const field = path === "" ? part : path;
  const hint = `Correct ${field}; see /documentation.`;
  return new RejectionError({
    status: 400,
    body: { message: `${message}. ${hint}`, errorCode: "INVALID_REQUEST", errorData: message, field, hint },
    hint,
  });
}
