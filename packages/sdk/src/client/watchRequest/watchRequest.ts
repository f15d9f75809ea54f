import type { IntentStatus } from "@crosscall/protocol/request";
import type { ServiceClient } from "../client.ts";
import { requestStatuses, type RequestStatusesParameters } from "./requestStatuses.ts";

/** Parameters of `watchRequest`. */
export interface WatchRequestParameters extends RequestStatusesParameters {
  /** Called with the first status and each change. */
  readonly onStatus?: (status: IntentStatus) => void;
}

/** The end of a request. */
export interface RequestOutcome {
  /** `success`: filled; `refund`: not filled, deposit returned; `failure`: not filled, and no refund seen in time. */
  readonly outcome: "success" | "refund" | "failure";
  readonly requestId: string;
  /** Transactions on the origin chain, including the deposit. */
  readonly inTxHashes: readonly string[];
  /** Transactions of the service: the fill, and a refund. */
  readonly txHashes: readonly string[];
  /** The last status. */
  readonly status: IntentStatus;
}

/**
 * Follows a request to its end.
 *
 * @returns the end, a failure and a refund too
 * @throws the errors of {@link requestStatuses}
 */
export async function watchRequest(
  client: ServiceClient,
  { onStatus, ...parameters }: WatchRequestParameters,
): Promise<RequestOutcome> {
  // Before anything is known of it, a request waits for its deposit.
  // oxlint-disable-next-line no-useless-assignment -- the loop may end before the first status
  let status: IntentStatus = { status: "waiting" };
  let inTxHashes: readonly string[] = [];
  for await (status of requestStatuses(client, parameters)) {
    inTxHashes = status.inTxHashes ?? inTxHashes;
    onStatus?.(status);
  }
  return {
    outcome: outcomeOf(status),
    requestId: parameters.requestId,
    inTxHashes,
    txHashes: status.txHashes ?? [],
    status,
  };
}

function outcomeOf({ status }: IntentStatus): RequestOutcome["outcome"] {
  if (status === "success") return "success";
  return status === "refund" ? "refund" : "failure";
}
