import * as Type from "typebox";
import type { Hex } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { DevChain } from "../../devchain/devChain.ts";
import { findReceipt, readTransaction } from "../../devchain/readChain.ts";
import { refuseProblem, refuseUnknown } from "../../market/refusal.ts";
import { announceDeposit } from "../../store/deposits.ts";
import { findRequest, findRequestByOrderId, type RequestRow } from "../../store/requests/requests.ts";
import { transition } from "../../store/requests/transitions.ts";
import type { ServiceParts } from "../serviceParts.ts";

/** Clients send the chain id as a number or as text. */
export const AnnouncedChainSchema = Type.Union([Type.Integer(), Type.String({ pattern: "^[0-9]+$" })], {
  description: "The origin chain.",
});

/** @throws {@link RefusalError} if the network does not have the chain */
export function requireAnnouncedChain(
  { chains }: Pick<ServiceParts, "chains">,
  chainId: Type.Static<typeof AnnouncedChainSchema>,
  field = "chainId",
): DevChain {
  const chain = chains.get(Number(chainId));
  if (chain !== undefined) return chain;
  throw refuseProblem({
    errorCode: "UNSUPPORTED_CHAIN",
    field,
    value: chainId,
    reason: `this network has the chains ${[...chains.keys()].join(", ")}`,
    hint: "Pass the chain on which the transaction was sent.",
  });
}

/** @throws {@link RefusalError} if the request is unknown, or has another chain */
export async function requireAnnouncedRequest(
  { store }: Pick<ServiceParts, "store">,
  chain: DevChain,
  requestId: string,
): Promise<RequestRow> {
  const request = await findRequest(store.db, requestId);
  if (request === undefined) throw refuseUnknown(`request ${requestId}`);
  if (request.origin_chain_id === chain.id) return request;
  throw refuseProblem({
    errorCode: "INVALID_REQUEST",
    field: "chainId",
    value: chain.id,
    reason: `request ${requestId} is paid on chain ${request.origin_chain_id}`,
    hint: "Pass the origin chain of the request.",
  });
}

/** A deposit without a block shows as `depositing`; its event settles the rest. */
export async function noteDeposit(
  parts: Pick<ServiceParts, "clock" | "store">,
  chain: DevChain,
  hash: Hex,
): Promise<void> {
  const transaction = await readTransaction(chain, hash);
  if (transaction === undefined) return;
  const { input, to } = transaction;
  // The last 32 bytes of a deposit's call data are the orderId.
  const isDeposit = to !== null && isSameAddress(to, chain.contracts.depository) && input.length >= 66;
  if (!isDeposit || (await hasReverted(chain, hash))) return;
  const request = await findRequestByOrderId(parts.store.db, `0x${input.slice(-64)}`);
  if (request === undefined) return;
  const at = new Date(parts.clock.now());
  await parts.store.db.transaction().execute(async (db) => {
    const isMoved = await transition(db, { requestId: request.id, from: ["waiting"], to: "depositing", at });
    if (isMoved) await announceDeposit(db, { request_id: request.id, chain_id: chain.id, tx_hash: hash, at });
  });
}

async function hasReverted(chain: DevChain, hash: Hex): Promise<boolean> {
  return (await findReceipt(chain, hash))?.status === "reverted";
}
