import type { FastifyReply, FastifyRequest } from "fastify";
import * as Type from "typebox";

import { compact } from "@crosscall/protocol/core";
import type { ServiceErrorBody } from "@crosscall/protocol/errors";
import { prepareResponse } from "./errors.ts";

type ErrorForm = (body: ServiceErrorBody) => object;

/** Statuses for which some endpoints of the live service have a special error body. */
const OWN_STATUSES = [400, 500];

export const MessageAndCodeSchema = Type.Object(
  { message: Type.String(), code: Type.String() },
  { description: "An error of the service, in the form of this endpoint." },
);

export const ErrorTextSchema = Type.Object(
  { error: Type.String() },
  { description: "An error of the service, in the form of this endpoint." },
);

/** `{message, code}` */
export const responseMessageAndCode = respondAs(({ message, errorCode = "UNKNOWN_ERROR" }) => ({
  message,
  code: errorCode,
}));

/** `{error}` */
export const responseErrorText = respondAs(({ message: error }) => ({ error }));

/** Error of `/quote/v3` and `/execute/permits/v2`, which always has a code. */
export const ErrorV3Schema = Type.Object(
  {
    message: Type.String(),
    errorCode: Type.String(),
    requestId: Type.Optional(Type.String({ description: "Id of the request, if there is one." })),
    errorData: Type.Optional(
      Type.Object(
        {
          field: Type.Optional(Type.String()),
          reason: Type.Optional(Type.String()),
          hint: Type.Optional(Type.String()),
        },
        { additionalProperties: true, description: "More about the error." },
      ),
    ),
  },
  { description: "An error of the service." },
);

/**
 * Creates an error handler that responds with `{message, errorCode, requestId, errorData}`.
 *
 * @param unauthorized code for an HTTP request without credentials
 * @param other code for errors that have no code in the other versions
 */
export function responseErrorV3(unauthorized: string, other = "INVALID_REQUEST") {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { status, body } = prepareResponse(error, request, reply);
    void reply.status(status).send(toErrorV3(status, body, { unauthorized, other, posted: request.body }));
  };
}

function toErrorV3(
  status: number,
  { message, errorCode, errorData: reason, field, hint }: ServiceErrorBody,
  { unauthorized, other, posted }: { unauthorized: string; other: string; posted: unknown },
): Type.Static<typeof ErrorV3Schema> {
  const requestId =
    typeof posted === "object" && posted !== null && "requestId" in posted ? posted.requestId : undefined;
  const data = compact({ field, reason, hint });
  return {
    message,
    errorCode: codeOf(),
    ...(typeof requestId === "string" ? { requestId } : {}),
    ...(Object.keys(data).length === 0 ? {} : { errorData: data }),
  };

  function codeOf(): string {
    if (status === 401) return unauthorized;
    return errorCode ?? (status === 429 ? "RATE_LIMITED" : other);
  }
}

/** Creates the `errorHandler` option of a route. */
function respondAs(form: ErrorForm) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { status, body } = prepareResponse(error, request, reply);
    void reply.status(status).send(OWN_STATUSES.includes(status) ? form(body) : body);
  };
}
