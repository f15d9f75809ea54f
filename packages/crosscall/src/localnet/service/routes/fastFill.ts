import * as Type from "typebox";

import { MessageSchema, ServiceErrorSchema } from "@crosscall/protocol/common";
import { amountText } from "@crosscall/protocol/schema";
import { queueFastFill } from "../fastFill/queueFastFill.ts";
import type { ServiceRoute } from "../route.ts";

const BodySchema = Type.Object({
  requestId: Type.String({ description: "Request to fill before its deposit is confirmed." }),
  solverInputCurrencyAmount: Type.Optional(
    amountText("What the solver receives on the origin chain, in the smallest unit; as quoted by default."),
  ),
  maxFillAmountUsd: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1e12, description: "Most that the fill may be worth." }),
  ),
});

/** Spec 4, section 4. */
export const fastFillRoute: ServiceRoute<"chains" | "clock" | "currencies" | "store"> = (app, parts) => {
  app.post(
    "/fast-fill",
    {
      schema: {
        summary: "Fill a request before its deposit is confirmed",
        body: BodySchema,
        response: { 200: MessageSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ body, caller }) => {
      await queueFastFill(parts, body, caller);
      return { message: "Request successfully queued for fast fill." };
    },
  );
};
