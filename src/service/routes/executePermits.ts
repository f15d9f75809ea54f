import * as Type from "typebox";

import { MessageSchema } from "@crosscall/sdk/internal/protocol/common/message";
import { ServiceErrorSchema } from "@crosscall/sdk/internal/protocol/common/serviceError";
import { oneOf } from "@crosscall/sdk/internal/protocol/schema/schemaParts";
import { acceptClaim } from "../appFees/acceptClaim.ts";
import { acceptPermit } from "../gasless/acceptPermit.ts";
import type { ServiceRoute } from "../route.ts";

const BodySchema = Type.Object({
  kind: Type.String({ description: "Kind of permit, or `claim`, as in the step." }),
  requestId: Type.String({ description: "The request that the permit pays, or the claim." }),
  api: Type.Optional(oneOf(["bridge", "swap", "user-swap"], "As in the step.")),
  referrer: Type.Optional(Type.String({ description: "Tag of the integration." })),
});

export const executePermitsRoute: ServiceRoute<
  "chains" | "clock" | "currencies" | "quoteTtlMs" | "solver" | "store"
> = (app, parts) => {
  app.post(
    "/execute/permits",
    {
      schema: {
        summary: "Pay for a request with a signed permit, or claim app fees",
        querystring: Type.Object({ signature: Type.String({ description: "Signature of the step's message." }) }),
        body: BodySchema,
        response: { 200: MessageSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ body, query: { signature } }) => {
      if (body.kind === "claim") {
        await acceptClaim(parts, { requestId: body.requestId, signature });
        return { message: "Claim accepted" };
      }
      await acceptPermit(parts, { ...body, signature });
      // Without `steps`, which would end the client's wait.
      return { message: "Permit accepted" };
    },
  );
};
