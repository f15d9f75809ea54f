import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { amountText } from "@crosscall/protocol/schema";
import type { ServiceRoute } from "../route.ts";
import { refuseInvalid } from "./refuseInvalid.ts";

const DepositSchema = Type.Object({
  txHash: Type.Optional(Type.String({ minLength: 1 })),
  amount: Type.Optional(amountText("In the smallest unit; the quoted amount by default.")),
  currency: Type.Optional(Type.String({ description: "As quoted by default." })),
  depositor: Type.Optional(Type.String({ description: "The request's user by default." })),
});

export const simulatedDepositRoute: ServiceRoute<"reports"> = (app, parts) => {
  app.post(
    "/admin/requests/:requestId/deposit",
    {
      schema: {
        summary: "Report a deposit on a simulated chain",
        params: Type.Object({ requestId: Type.String() }),
        body: DepositSchema,
        response: { 200: Type.Object({ txHash: Type.String() }), "4xx": ServiceErrorSchema },
      },
    },
    async ({ params: { requestId }, body }) => ({
      txHash: await refuseInvalid(parts.reports.simulatedDeposit(requestId, body)),
    }),
  );
};
