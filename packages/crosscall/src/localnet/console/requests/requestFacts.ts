import type { RequestRecord } from "@crosscall/protocol/complete";
import { refuseUnknown } from "../../market/refusal.ts";
import { selectTransactions, type RequestTransactions } from "../../service/records/requestTransactions.ts";
import { toRequestRecord } from "../../service/records/toRequestRecord.ts";
import { findRequest, type RequestRow } from "../../store/requests/requests.ts";
import { listTransitions, type TransitionRow } from "../../store/requests/transitions.ts";
import { listTransactions } from "../../store/transactions.ts";
import type { ConsoleParts } from "../consoleParts.ts";

/** All that the store knows of a request. */
export interface RequestFacts {
  readonly request: RequestRow;
  readonly transactions: RequestTransactions;
  readonly transitions: readonly TransitionRow[];
  /** As the API returns it. */
  readonly record: RequestRecord;
}

/** @throws {@link RefusalError} if there is none */
export async function readRequest(
  parts: Pick<ConsoleParts, "chains" | "currencies" | "store">,
  requestId: string,
): Promise<RequestFacts> {
  const { db } = parts.store;
  const request = await findRequest(db, requestId);
  if (request === undefined) throw refuseUnknown(`request ${requestId}`);
  const rows = await listTransactions(db, [request.id]);
  return {
    request,
    transactions: selectTransactions(request, rows),
    transitions: await listTransitions(db, request.id),
    record: toRequestRecord(parts, request, rows, { isAuthenticated: false }),
  };
}
