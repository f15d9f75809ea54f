import * as Type from "typebox";

import { MessageSchema } from "@crosscall/protocol/common";
import { PermitResponseV3Schema } from "@crosscall/protocol/quote/rules";
import { amountText, oneOf } from "@crosscall/protocol/schema";
import { acceptClaim } from "../appFees/claims.ts";
import { requireCaller } from "../caller.ts";
import { responseErrorV3, ErrorV3Schema } from "../errorForms.ts";
import { prepareResponse } from "../errors.ts";
import { queueFastFill } from "../fastFill/queueFastFill.ts";
import { acceptExecution } from "../gasless/acceptExecution.ts";
import { acceptPermit } from "../gasless/acceptPermit.ts";
import { ExecuteBodySchema, ExecuteRejection, readExecuteBody, toExecuteResponse } from "../gasless/executeBody.ts";
import { normalizeBody } from "../quoteBodies/normalizeAmounts.ts";
import { responses, type ServiceRoute } from "../route.ts";
import type { ChainReader, Payer, Pricer, QuoteIssuer, RandomSource, Recorder } from "../../market/market.ts";

const ErrorSchema = Type.Object(
  {
    error: Type.String({
      description: "Reason, or the label of the error if the call would revert.",
    }),
    message: Type.Optional(Type.String({ description: "Human-readable error." })),
    requestId: Type.Optional(Type.String()),
    details: Type.Optional(Type.Unknown({ description: "The simulated call." })),
  },
  { description: "An error of this endpoint." },
);

export const executeRoute: ServiceRoute<Pricer & ChainReader & Payer & Recorder & RandomSource> = (app, parts) => {
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
      // The handler rejects malformed bodies in this endpoint's own format.
      validatorCompiler: () => (value: unknown) => ({ value }),
      errorHandler(error, request, reply) {
        const { status, body } =
          error instanceof ExecuteRejection ? error : toExecuteResponse(prepareResponse(error, request, reply));
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

const PermitBodySchema = Type.Object({
  kind: Type.String({ description: "Kind of the permit or `claim`, as in the step." }),
  requestId: Type.String({ description: "Id of the request that the permit pays for, or of the claim." }),
  api: Type.Optional(oneOf(["bridge", "swap", "user-swap"], "As in the step.")),
  referrer: Type.Optional(Type.String({ description: "Tag of the integration." })),
});

const SignatureSchema = Type.Object({ signature: Type.String({ description: "Signature of the step's message." }) });

type PermitParts = Pricer & ChainReader & Payer & Recorder & QuoteIssuer;

export const executePermitsRoute: ServiceRoute<PermitParts> = (app, parts) => {
  app.post(
    "/execute/permits",
    {
      schema: {
        summary: "Pay for a request with a signed permit, or claim app fees",
        querystring: SignatureSchema,
        body: PermitBodySchema,
        response: responses(MessageSchema),
      },
    },
    // Omits `steps`, because they would end the client's wait.
    async ({ body, query: { signature } }) => ({ message: await accept(parts, body, signature) }),
  );
  app.post(
    "/execute/permits/v2",
    {
      schema: {
        summary: "Pay for a v3 quote with a signed permit, or claim app fees",
        querystring: SignatureSchema,
        body: PermitBodySchema,
        response: { 200: PermitResponseV3Schema, "4xx": ErrorV3Schema },
      },
      errorHandler: responseErrorV3("UNAUTHORIZED", "PERMIT_FAILED"),
    },
    async ({ body, query: { signature } }) => ({ message: await accept(parts, body, signature), steps: [] }),
  );
};

/** @returns a message that states what was accepted */
async function accept(
  parts: PermitParts,
  body: Type.Static<typeof PermitBodySchema>,
  signature: string,
): Promise<string> {
  if (body.kind === "claim") {
    await acceptClaim(parts, { requestId: body.requestId, signature });
    return "Claim accepted";
  }
  await acceptPermit(parts, { ...body, signature });
  return "Permit accepted";
}

const FastFillBodySchema = Type.Object({
  requestId: Type.String({ description: "Request to fill before its deposit is confirmed." }),
  solverInputCurrencyAmount: Type.Optional(
    amountText(
      "Amount that the solver receives on the origin chain, in the smallest unit; the quoted amount by default.",
    ),
  ),
  maxFillAmountUsd: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1e12, description: "Maximum value of the fill, in USD." }),
  ),
});

/** Spec 4, section 4. */
export const fastFillRoute: ServiceRoute<Pricer & ChainReader & Recorder> = (app, parts) => {
  app.post(
    "/fast-fill",
    {
      schema: {
        summary: "Fill a request before its deposit is confirmed",
        body: FastFillBodySchema,
        response: responses(MessageSchema),
      },
      preValidation: normalizeBody,
    },
    async ({ body, caller }) => {
      await queueFastFill(parts, body, caller);
      return { message: "Request successfully queued for fast fill." };
    },
  );
};
