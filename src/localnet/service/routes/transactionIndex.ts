import * as Type from "typebox";
import { type Hex, TransactionNotFoundError, TransactionReceiptNotFoundError } from "viem";

import { isSameAddress } from "../../../chains/address.ts";
import { hexText } from "../../../protocol/schemaParts.ts";
import { ServiceErrorSchema } from "../../../protocol/serviceError.ts";
import { announceDeposit } from "../../../store/announcements.ts";
import { findRequestByOrderId, transition } from "../../../store/requests.ts";
import type { ServiceChain, ServiceContext } from "../../context.ts";
import type { ServiceRoute } from "../route.ts";
import { refuseProblem } from "../refusal.ts";

const BodySchema = Type.Object({
  // Clients send the chain id as a number or as text.
  chainId: Type.Union([Type.Integer(), Type.String({ pattern: "^[0-9]+$" })], { description: "The origin chain." }),
  txHash: hexText("The deposit.", 32),
  requestId: Type.Optional(Type.String()),
});

/** `POST /transactions/index`: a client announces its deposit (PROTOCOL, section 4). */
export const transactionIndexRoute: ServiceRoute = (app, context) => {
  app.post(
    "/transactions/index",
    {
      schema: {
        summary: "Announce a deposit",
        body: BodySchema,
        response: { 200: Type.Object({ message: Type.String() }), "4xx": ServiceErrorSchema },
      },
    },
    async ({ body }) => {
      const chain = context.chains.get(Number(body.chainId));
      if (chain === undefined) {
        throw refuseProblem({
          errorCode: "UNSUPPORTED_CHAIN",
          field: "chainId",
          value: body.chainId,
          reason: `this network has the chains ${[...context.chains.keys()].join(", ")}`,
          cure: "Give the chain that the deposit was sent on.",
        });
      }
      await noteDeposit(context, chain, body.txHash as Hex);
      return { message: "Success" };
    },
  );
};

/** A deposit that is sent but not in a block yet shows as `depositing`; its event settles the rest. */
async function noteDeposit(context: ServiceContext, chain: ServiceChain, hash: Hex): Promise<void> {
  const orderId = await readOrderId(chain, hash);
  const request = orderId === undefined ? undefined : await findRequestByOrderId(context.store.db, orderId);
  if (request === undefined) return;
  const at = new Date(context.clock.now());
  await context.store.db.transaction().execute(async (db) => {
    const isMoved = await transition(db, { requestId: request.id, from: ["waiting"], to: "depositing", at });
    if (isMoved) await announceDeposit(db, { request_id: request.id, chain_id: chain.id, tx_hash: hash, at });
  });
}

/** The orderId of a deposit that is on its way: the last 32 bytes of its call data. */
async function readOrderId(chain: ServiceChain, hash: Hex): Promise<Hex | undefined> {
  try {
    const { input, to } = await chain.client.getTransaction({ hash });
    const isDeposit = to !== null && isSameAddress(to, chain.contracts.depository) && input.length >= 66;
    return isDeposit && !(await hasReverted(chain, hash)) ? `0x${input.slice(-64)}` : undefined;
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined;
    throw error;
  }
}

/** Whether a transaction is in a block and came to nothing. */
async function hasReverted(chain: ServiceChain, hash: Hex): Promise<boolean> {
  try {
    return (await chain.client.getTransactionReceipt({ hash })).status === "reverted";
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return false;
    throw error;
  }
}
