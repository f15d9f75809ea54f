import { rejectUnknown } from "../../market/rejection.ts";
import { readInjected } from "../../scenarios/injected.ts";
import { findRequest, setRecordFields } from "../../store/requests/requests.ts";
import { listTransitions } from "../../store/requests/transitions.ts";
import type { Database } from "../../store/schema.ts";
import type { StoreUser } from "../../market/market.ts";
import type { ReportReceiver } from "../serviceParts.ts";
import { rejectInvalid } from "./rejectInvalid.ts";
import type { AdminHandlers } from "./routes.ts";
import type { RequestTransition } from "./schemas.ts";

export function requestHandlers({ reports, store: { db } }: StoreUser & ReportReceiver): AdminHandlers["requests"] {
  return {
    deposit: async ({ params: { requestId }, body }) => ({
      txHash: await rejectInvalid(reports.simulatedDeposit(requestId, body)),
    }),
    /** Sets fields of a record that a local network never sets itself, so that clients can test reading them. */
    async setRecord({ params: { requestId }, body }) {
      const request = await findRequest(db, requestId);
      if (request === undefined) throw rejectUnknown(`request ${requestId}`);
      await setRecordFields(db, request.id, body);
      return body;
    },
    transitions: async ({ params: { requestId } }) => ({
      transitions: await readTransitions(db, requestId),
      scenarios: await readInjected(db, requestId),
    }),
  };
}

/** @throws {@link RejectionError} if the request is unknown */
export async function readTransitions(db: Database, requestId: string): Promise<RequestTransition[]> {
  if ((await findRequest(db, requestId)) === undefined) throw rejectUnknown(`request ${requestId}`);
  const rows = await listTransitions(db, requestId);
  return rows.map(({ from_status, to_status, at, reason }) => ({
    from: from_status,
    to: to_status,
    at: at.toISOString(),
    reason,
  }));
}
