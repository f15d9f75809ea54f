import { throwIfAborted } from "@crosscall/protocol/core";
import { isUserExecuted } from "../market/requestKind.ts";
import { findRequest } from "../store/requests/requests.ts";
import { depositAddressSteps } from "./depositAddresses/depositAddressSteps.ts";
import { gaslessSameChainSteps, gaslessSteps } from "./gasless/gaslessSteps.ts";
import { claimSettlement } from "./claimSettlement.ts";
import { requestSettlement, type Settlement } from "./settlement.ts";
import type { SolverParts } from "./solverParts.ts";

/**
 * Advances a request or a claim of app fees until it must wait. Safe to call any number of times, concurrently or after
 * a crash: each step starts from the stored state and is stored once.
 *
 * @returns milliseconds after which to call again, if it must wait
 */
export async function advanceRequest(
  parts: SolverParts,
  requestId: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  for (;;) {
    throwIfAborted(signal, `advancing request ${requestId}`);
    const settlement = await findSettlement(parts, requestId);
    const progress = await settlement.advance();
    if (progress !== "again") return progress;
  }
}

/** Selects the settlement for the kind of request. Ids of claims and requests share one table. */
async function findSettlement(parts: SolverParts, id: string): Promise<Settlement> {
  const request = await findRequest(parts.store.db, id);
  if (request === undefined) return claimSettlement(parts, id);
  if (request.deposit_address !== null) return requestSettlement(parts, request, depositAddressSteps(parts, request));
  const isGasless = request.features.includes("gasless_swap") || request.features.includes("gasless_execution");
  // The user pays for cross-chain requests with a deposit. The user's own transaction ends same-chain requests.
  if (!isGasless) return requestSettlement(parts, request);
  const steps = isUserExecuted(request) ? gaslessSameChainSteps : gaslessSteps;
  return requestSettlement(parts, request, steps(parts, request));
}
