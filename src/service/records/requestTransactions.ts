import type { IntentStatus } from "@crosscall/sdk/internal/protocol/complete";
import type { RequestRow } from "../../store/tables/requestTables.ts";
import type { ListedTransaction } from "../../store/transactions.ts";

export interface RequestTransactions {
  readonly deposit: ListedTransaction | undefined;
  readonly fill: ListedTransaction | undefined;
  readonly refund: ListedTransaction | undefined;
  readonly payment: ListedTransaction | undefined;
}

export function selectTransactions(request: RequestRow, rows: readonly ListedTransaction[]): RequestTransactions {
  const find = (purpose: ListedTransaction["purpose"]): ListedTransaction | undefined =>
    rows.find((row) => row.request_id === request.id && row.purpose === purpose);
  return { deposit: find("deposit"), fill: find("fill"), refund: find("refund"), payment: find("payment") };
}

/** Spec 1, section 4.3. */
export function toIntentStatus(request: RequestRow, rows: readonly ListedTransaction[]): IntentStatus {
  const { deposit, fill, refund } = selectTransactions(request, rows);
  const outgoing = [fill, refund].filter((row) => row !== undefined);
  return {
    status: request.status,
    ...(request.fail_reason === null ? {} : { details: detailsOf(request) }),
    inTxHashes: deposit === undefined ? [] : [deposit.hash],
    txHashes: outgoing.map((row) => row.hash),
    updatedAt: request.updated_at.getTime(),
    quoteCreatedAt: request.created_at.getTime(),
    originChainId: request.origin_chain_id,
    destinationChainId: request.destination_chain_id,
  };
}

function detailsOf({ fail_reason, fail_details }: RequestRow): string | null {
  return fail_details === null ? fail_reason : `${fail_reason}: ${fail_details}`;
}
