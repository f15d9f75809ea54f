import type { FailReason, RequestStatus } from "@crosscall/protocol/request";
import type { Database } from "./store.ts";

export interface RequestCount {
  readonly status: RequestStatus;
  readonly failReason: FailReason | null;
  readonly count: number;
}

/** Reads all requests. */
export async function countRequestsByOutcome(db: Database): Promise<RequestCount[]> {
  const rows = await db
    .selectFrom("requests")
    .select(["status", "fail_reason", ({ fn }) => fn.countAll<string | number>().as("count")])
    .groupBy(["status", "fail_reason"])
    .execute();
  return rows.map(({ status, fail_reason, count }) => ({ status, failReason: fail_reason, count: Number(count) }));
}
