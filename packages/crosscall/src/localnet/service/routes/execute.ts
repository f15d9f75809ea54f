import * as Type from "typebox";

import { MessageSchema } from "@crosscall/protocol/common";
import { requireCaller } from "../caller.ts";
import { prepareAnswer } from "../errors.ts";
import { acceptExecution } from "../gasless/acceptExecution.ts";
import { ExecuteBodySchema, readExecuteBody } from "../gasless/executeBody.ts";
import { toExecuteAnswer } from "../gasless/executeRefusal.ts";
import type { ServiceRoute } from "../route.ts";

const ErrorSchema = Type.Object(
  {
    error: Type.String({ description: "What went wrong; the label of the error if the call would revert." }),
    message: Type.Optional(Type.String({ description: "The error, for people." })),
    requestId: Type.Optional(Type.String()),
    details: Type.Optional(Type.Unknown({ description: "The simulated call." })),
  },
  { description: "An error of this endpoint." },
);

export const executeRoute: ServiceRoute<"chains" | "clock" | "currencies" | "randomWord" | "solver" | "store"> = (
  app,
  parts,
) => {
  app.post(
    "/execute",
    {
      schema: {
        summary: "Send a call for a user",
        body: ExecuteBodySchema,
        response: {
          200: Type.Object({ message: Type.String(), requestId: Type.String() }),
          429: MessageSchema,
          "4xx": ErrorSchema,
          "5xx": ErrorSchema,
        },
      },
      // Malformed bodies are rejected below, in this endpoint's own form.
      validatorCompiler: () => (value: unknown) => ({ value }),
      errorHandler(error, request, reply) {
        const { status, body } = toExecuteAnswer(error, prepareAnswer(error, request, reply));
        void reply.status(status).send(body);
      },
    },
    async (request) => {
      const { keyHash } = requireCaller(request);
      const requestId = await acceptExecution(parts, keyHash, readExecuteBody(request.body));
      return { message: "Transaction submitted", requestId };
    },
  );
};
