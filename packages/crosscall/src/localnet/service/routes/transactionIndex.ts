import * as Type from "typebox";
import type { Hex } from "viem";

import { MessageSchema, ServiceErrorSchema } from "@crosscall/protocol/common";
import { hexText } from "@crosscall/protocol/schema";
import type { ServiceRoute } from "../route.ts";
import { AnnouncedChainSchema, noteDeposit, requireAnnouncedChain, requireAnnouncedRequest } from "./announcement.ts";

const BodySchema = Type.Object({
  chainId: AnnouncedChainSchema,
  txHash: hexText("The deposit.", 32),
  requestId: Type.Optional(Type.String({ description: "Request that the transaction pays, if known." })),
});

/** A client announces its deposit (spec 4, section 4). */
export const transactionIndexRoute: ServiceRoute<"chains" | "clock" | "store"> = (app, parts) => {
  app.post(
    "/transactions/index",
    {
      schema: {
        summary: "Announce a deposit",
        body: BodySchema,
        response: { 200: MessageSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ body }) => {
      const chain = requireAnnouncedChain(parts, body.chainId);
      if (body.requestId !== undefined) await requireAnnouncedRequest(parts, chain, body.requestId);
      await noteDeposit(parts, chain, body.txHash as Hex);
      return { message: "Success" };
    },
  );
};
