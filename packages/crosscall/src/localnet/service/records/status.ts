import type { DepositAddress, StatusUpdate } from "@crosscall/protocol/complete";
import type { StatusChange } from "../../store/notices.ts";
import { findRequest, type RequestRow } from "../../store/requests/requests.ts";
import type { Database } from "../../store/schema.ts";
import { listTransactions } from "../../store/transactions.ts";
import { selectTransactions, toIntentStatus, toReasons } from "./requestTransactions.ts";
import { toDepositAddress } from "./toRequestRecord.ts";

export type ToldChange = Pick<StatusChange, "requestId" | "status" | "updatedAt">;

/**
 * Returns the payload of websocket events and webhooks: status and time of the change, with the request's current data.
 * Returns undefined if the request was deleted.
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

type Status = RequestRow["status"];

export const STATUSES_V1 = ["failure", "fallback", "pending", "received", "success"] as const;

/** Statuses of `GET /requests`, which has one status more than `GET /intents/status`. */
export const LISTED_STATUSES_V1 = [...STATUSES_V1, "depositing"] as const;

/** Converts a status to v2, which has no `submitted`. */
export function toStatusV2(status: Status): Exclude<Status, "submitted"> {
  return status === "submitted" ? "pending" : status;
}

/**
 * Converts a status to v1. The meaning of `received` is not documented. Here, it means that the deposit is confirmed.
 */
export function toStatusV1(status: Status): (typeof STATUSES_V1)[number] {
  switch (status) {
    case "waiting":
    case "depositing":
      return "pending";
    case "pending":
    case "submitted":
      return "received";
    case "refund":
      return "fallback";
    case "success":
    case "failure":
      return status;
  }
}

export function toListedStatusV1(status: Status): (typeof LISTED_STATUSES_V1)[number] {
  return status === "depositing" ? status : toStatusV1(status);
}
