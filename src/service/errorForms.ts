import type { FastifyReply, FastifyRequest } from "fastify";
import * as Type from "typebox";

import type { ServiceErrorBody } from "@crosscall/sdk/internal/protocol/common/serviceError";
import { answerError, toAnswer } from "./errors.ts";

type ErrorForm = (body: ServiceErrorBody) => object;

/** Some endpoints of the live service have an error body of their own for these statuses. */
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
export const answerMessageAndCode = answerAs(({ message, errorCode = "UNKNOWN_ERROR" }) => ({
  message,
  code: errorCode,
}));

/** `{error}` */
export const answerErrorText = answerAs(({ message: error }) => ({ error }));

/** For the option `errorHandler` of a route. */
function answerAs(form: ErrorForm) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { status, body } = toAnswer(error);
    if (!OWN_STATUSES.includes(status)) {
      answerError(error, request, reply);
      return;
    }
    if (status >= 500) request.log.error({ error, path: request.url }, "a call failed");
    void reply.status(status).send(form(body));
  };
}
