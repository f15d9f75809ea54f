import * as Type from "typebox";

import { MessageSchema, ServiceErrorSchema } from "@crosscall/protocol/common";
import { PermitAnswerV3Schema } from "@crosscall/protocol/quote/rules";
import { oneOf } from "@crosscall/protocol/schema";
import { acceptClaim } from "../appFees/acceptClaim.ts";
import { acceptPermit } from "../gasless/acceptPermit.ts";
import { answerErrorV3, ErrorV3Schema } from "../errorForms.ts";
import type { ServiceRoute } from "../route.ts";
import type { ServiceParts } from "../serviceParts.ts";

const BodySchema = Type.Object({
  kind: Type.String({ description: "Kind of permit, or `claim`, as in the step." }),
  requestId: Type.String({ description: "The request that the permit pays, or the claim." }),
  api: Type.Optional(oneOf(["bridge", "swap", "user-swap"], "As in the step.")),
  referrer: Type.Optional(Type.String({ description: "Tag of the integration." })),
});

const SignatureSchema = Type.Object({ signature: Type.String({ description: "Signature of the step's message." }) });

type PermitParts = Pick<ServiceParts, "chains" | "clock" | "currencies" | "quoteTtlMs" | "solver" | "store">;

export const executePermitsRoute: ServiceRoute<keyof PermitParts> = (app, parts) => {
  app.post(
    "/execute/permits",
    {
      schema: {
        summary: "Pay for a request with a signed permit, or claim app fees",
        querystring: SignatureSchema,
        body: BodySchema,
        response: { 200: MessageSchema, "4xx": ServiceErrorSchema },
      },
    },
    // Without `steps`, which would end the client's wait.
    async ({ body, query: { signature } }) => ({ message: await accept(parts, body, signature) }),
  );
  app.post(
    "/execute/permits/v2",
    {
      schema: {
        summary: "Pay for a request of quote v3 with a signed permit, or claim app fees",
        querystring: SignatureSchema,
        body: BodySchema,
        response: { 200: PermitAnswerV3Schema, "4xx": ErrorV3Schema },
      },
      errorHandler: answerErrorV3("UNAUTHORIZED", "PERMIT_FAILED"),
    },
    async ({ body, query: { signature } }) => ({ message: await accept(parts, body, signature), steps: [] }),
  );
};

/** @returns what was accepted, for people */
async function accept(parts: PermitParts, body: Type.Static<typeof BodySchema>, signature: string): Promise<string> {
  if (body.kind === "claim") {
    await acceptClaim(parts, { requestId: body.requestId, signature });
    return "Claim accepted";
  }
  await acceptPermit(parts, { ...body, signature });
  return "Permit accepted";
}
