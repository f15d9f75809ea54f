import type { DepositAddress, StatusUpdate } from "@crosscall/protocol/complete";
import type { StatusChange } from "../../store/notices.ts";
import { findRequest } from "../../store/requests/requests.ts";
import type { Database } from "../../store/schema.ts";
import { listTransactions } from "../../store/transactions.ts";
import { selectTransactions, toIntentStatus, toReasons } from "./requestTransactions.ts";
import { toDepositAddress } from "./toRequestRecord.ts";

export type ToldChange = Pick<StatusChange, "requestId" | "status" | "updatedAt">;

/**
 * Payload of the websocket and of webhooks: status and time of the change, with the current facts of the request.
 * Undefined if the request is gone.
 */
export async function describeStatus(
  db: Database,
  { requestId, status, updatedAt }: ToldChange,
): Promise<StatusUpdate | undefined> {
  const request = await findRequest(db, requestId);
  if (request === undefined) return undefined;
  const rows = await listTransactions(db, [requestId]);
  const present = toIntentStatus(request, rows);
  const depositAddress = toDepositAddress(request, selectTransactions(request, rows));
  return {
    requestId,
    status,
    inTxHashes: present.inTxHashes ?? [],
    txHashes: present.txHashes ?? [],
    updatedAt,
    originChainId: request.origin_chain_id,
    destinationChainId: request.destination_chain_id,
    depositAddress: depositAddress === null ? null : toEventAddress(depositAddress),
    referrer: request.referrer,
    details: present.details ?? null,
    ...toReasons(request, status),
  };
}

function toEventAddress({ address, type: depositAddressType, depositor, depositTxHash }: DepositAddress) {
  return { address, depositAddressType, depositor, depositTxHash };
}
