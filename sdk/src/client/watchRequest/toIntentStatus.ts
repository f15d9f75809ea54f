import type { IntentStatus } from "../../protocol/request/intentStatus.ts";
import type { StatusEvent } from "../../protocol/request/statusEvent.ts";

export function toIntentStatus({ data }: StatusEvent): IntentStatus {
  const { status, inTxHashes, txHashes, updatedAt, originChainId, destinationChainId } = data;
  const details = data.details ?? data.failReason;
  return {
    status,
    ...(details === undefined || details === null ? {} : { details }),
    inTxHashes: inTxHashes ?? [],
    txHashes: txHashes ?? [],
    updatedAt,
    originChainId,
    destinationChainId,
  };
}
