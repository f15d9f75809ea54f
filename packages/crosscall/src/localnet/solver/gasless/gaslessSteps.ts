import type { RequestRow } from "../../store/requests/requests.ts";
import type { RequestSteps } from "../settlement.ts";
import type { SolverParts } from "../solverParts.ts";
import { depositPermit, executePermit } from "./depositPermit.ts";
import { endByCall, endByDeposit, type ExecutionEnd, runExecution } from "./runExecution.ts";
import { refundFailedPermit } from "./takeMove.ts";

/**
 * Returns the steps of cross-chain requests: the solver deposits with the user's permit, or sends the user's call,
 * which deposits.
 */
export function gaslessSteps(parts: SolverParts, request: RequestRow): RequestSteps {
  return {
    deposit: async () => (await depositPermit(parts, request)) ?? sendCall(parts, request, endByDeposit),
    afterFailure: () => refundFailedPermit(parts, request),
  };
}

/** Returns the steps of same-chain requests: the permit or the user's call executes the whole request. */
export function gaslessSameChainSteps(parts: SolverParts, request: RequestRow): RequestSteps {
  return {
    ...gaslessSteps(parts, request),
    deposit: async () => (await executePermit(parts, request)) ?? sendCall(parts, request, endByCall),
  };
}

/** Sends the user's call. A request that is depositing waits for the scan of the chain. */
async function sendCall(parts: SolverParts, request: RequestRow, end: ExecutionEnd): Promise<number | undefined> {
  return request.status === "depositing" ? undefined : runExecution(parts, request, end);
}
