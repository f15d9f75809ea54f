import { parseData } from "@crosscall/protocol/schema";
import { findRequestFaults } from "../store/scenarios.ts";
import type { Database } from "../store/schema.ts";
import { type RequestFaults, RequestFaultsSchema } from "./requestFaults.ts";
import type { ScenarioName } from "./scenario.ts";

/** Returns the names of the scenarios that affect a request. */
export async function readInjected(db: Database, requestId: string): Promise<ScenarioName[]> {
  const stored = (await findRequestFaults(db, requestId)) ?? {};
  return scenariosOf(parseData(RequestFaultsSchema, stored, `the faults of request ${requestId}`));
}

/** Returns the names of the scenarios that cause these faults. An amount that an operator chose is not a scenario. */
function scenariosOf(faults: RequestFaults): ScenarioName[] {
  const { failReason, refundFailReason, deliveryBps, staleBps, delayMs, isHeld } = faults;
  return [
    ...(failReason === undefined ? [] : [failReason]),
    ...(refundFailReason === undefined ? [] : [`refund:${refundFailReason}` as const]),
    ...(deliveryBps === undefined ? [] : ["delivery" as const]),
    ...(staleBps === undefined ? [] : ["stale-price" as const]),
    ...(delayMs === undefined ? [] : ["slow-fill" as const]),
    ...(isHeld === undefined ? [] : ["stuck" as const]),
  ];
}
