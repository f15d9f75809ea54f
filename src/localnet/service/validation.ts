import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Convert } from "typebox/value";

import { MalformedDataError } from "../../core/errors.ts";
import type { ServiceErrorBody } from "../../protocol/serviceError.ts";
import { parseData } from "../../protocol/parse.ts";

/** A part of a call has not the shape of its schema. */
export class ShapeError extends Error {
  readonly body: ServiceErrorBody;

  constructor(part: string, error: MalformedDataError) {
    super(error.message);
    const field = error.path === "" ? part : error.path;
    const cure = `Correct ${field}; /documentation shows the shape.`;
    this.body = {
      message: `${error.message}. ${cure}`,
      errorCode: "INVALID_REQUEST",
      errorData: { field, cure },
    };
  }
}

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
      return { error: new ShapeError(part, error) };
    }
  };
};
