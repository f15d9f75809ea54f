import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Convert } from "typebox/value";

import { MalformedDataError } from "../../core/errors.ts";
import { parseData } from "../../protocol/parse.ts";
import { RefusalError } from "./refusal.ts";

/**
 * Validates calls with the same code that parses answers in the client. Text of the query and path becomes numbers and
 * booleans where the schema has them; a body is taken as it is, so that an amount is never a number.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const part = httpPart ?? "body";
  return (data: unknown) => {
    const value = part === "body" ? data : Convert(schema, data);
    try {
      return { value: parseData(schema, value, `the ${part}`) };
    } catch (error) {
      if (!(error instanceof MalformedDataError)) throw error;
      return { error: refuseShape(part, error) };
    }
  };
};

/** A part of a call has not the shape of its schema. */
function refuseShape(part: string, { message, path }: MalformedDataError): RefusalError {
  const field = path === "" ? part : path;
  const cure = `Correct ${field}; /documentation shows the shape.`;
  return new RefusalError({
    status: 400,
    body: { message: `${message}. ${cure}`, errorCode: "INVALID_REQUEST", errorData: { field, cure } },
    cure,
  });
}
