import * as Type from "typebox";
import { type Hex, isHash } from "viem";

import { MessageSchema, ServiceErrorSchema } from "@crosscall/protocol/common";
import { anyFields, parseJson } from "@crosscall/protocol/schema";
import type { DevChain } from "../../devchain/devChain.ts";
import { readTransaction } from "../../devchain/readChain.ts";
import { refuseField } from "../../market/refusal.ts";
import { isUserExecuted } from "../../market/requestKind.ts";
import type { ServiceRoute } from "../route.ts";
import type { ServiceParts } from "../serviceParts.ts";
import { AnnouncedChainSchema, noteDeposit, requireAnnouncedChain, requireAnnouncedRequest } from "./announcement.ts";

const BodySchema = Type.Object({
  requestId: Type.String({ description: "Request that the transaction executes." }),
  chainId: AnnouncedChainSchema,
  // The published SDK sends JSON in a string.
  tx: Type.Union([Type.String(), anyFields("The transaction.")], {
    description: "The step's transaction with its txHash, as an object or JSON text.",
  }),
});

/** A client announces a same-chain transaction (spec 4, sections 4 and 6). */
export const transactionSingleRoute: ServiceRoute<"chains" | "clock" | "reports" | "store"> = (app, parts) => {
  app.post(
    "/transactions/single",
    {
      schema: {
        summary: "Announce the transaction of a same-chain request",
        body: BodySchema,
        response: { 200: MessageSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ body }) => {
      const hash = readHash(body.tx);
      const chain = requireAnnouncedChain(parts, body.chainId);
      const request = await requireAnnouncedRequest(parts, chain, body.requestId);
      if (hash === undefined) return { message: "Success" };
      if (isUserExecuted(request)) await noteExecution(parts, chain, hash);
      else await noteDeposit(parts, chain, hash);
      return { message: "Success" };
    },
  );
};

/**
 * Undefined if the transaction has no hash yet.
 *
 * @throws {@link RefusalError} if it is not a transaction
 */
function readHash(tx: string | Readonly<Record<string, unknown>>): Hex | undefined {
  const fields: unknown = typeof tx === "string" ? parseJson(tx) : tx;
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    throw refuseField("tx", null, "must be a transaction", "Pass an object or its JSON text.");
  }
  const hash = "txHash" in fields ? fields.txHash : undefined;
  if (hash === undefined || hash === null) return undefined;
  if (typeof hash === "string" && isHash(hash)) return hash;
  throw refuseField("tx.txHash", hash, "must be a transaction hash", "Pass 32 bytes of hex, or omit it.");
}

/** A transaction that is in a block ends its request at once; others are found later. */
async function noteExecution({ reports }: Pick<ServiceParts, "reports">, chain: DevChain, hash: Hex): Promise<void> {
  const transaction = await readTransaction(chain, hash);
  if (transaction?.blockHash != null) await reports.userTransaction(chain, transaction);
}
