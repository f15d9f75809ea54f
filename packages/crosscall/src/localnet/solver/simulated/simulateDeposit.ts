import { chainFamilyOf } from "@crosscall/protocol/chains";
import { refuseProblem, refuseUnknown } from "../../market/refusal.ts";
import type { SimulatedDeposit } from "../../market/reports.ts";
import { findSimulatedChain } from "../../market/simulatedChains.ts";
import { findRequest, transition } from "../../store/requests.ts";
import type { SolverParts } from "../solverParts.ts";
import { recordSimulatedTransaction } from "./simulatedTransactions.ts";

/**
 * Reports a deposit on a simulated chain. The request then continues like any other.
 *
 * @returns the hash of the deposit
 * @throws {@link RefusalError} if the request is unknown, its origin is not simulated, or it has a deposit
 */
export async function simulateDeposit(
  parts: Pick<SolverParts, "clock" | "randomWord" | "store">,
  requestId: string,
  deposit: SimulatedDeposit,
): Promise<string> {
  const { db, jobs } = parts.store;
  const request = await findRequest(db, requestId);
  if (request === undefined) throw refuseUnknown(`request ${requestId}`);
  const chain = findSimulatedChain(request.origin_chain_id);
  if (chain === undefined) {
    throw refuseProblem({
      errorCode: "INVALID_REQUEST",
      field: "requestId",
      value: requestId,
      reason: `origin chain ${request.origin_chain_id} is not simulated`,
      hint: "Make the deposit on that chain.",
    });
  }
  const family = chainFamilyOf(request.origin_chain_id);
  const { amount = request.input_amount, currency = request.origin_currency, depositor = request.user } = deposit;
  return db.transaction().execute(async (database) => {
    const hash = await recordSimulatedTransaction(parts, database, requestId, {
      purpose: "deposit",
      chain,
      txHash: deposit.txHash,
      sender: family.parseAccount(depositor, "depositor"),
      amount: BigInt(amount),
      currency: family.parseCurrency(currency, "currency"),
    });
    const isFirst = await transition(database, {
      requestId,
      from: ["waiting", "depositing"],
      to: "pending",
      at: new Date(parts.clock.now()),
    });
    if (!isFirst) {
      throw refuseProblem({
        errorCode: "INVALID_REQUEST",
        field: "requestId",
        value: requestId,
        reason: "already has a deposit",
        hint: "Request a new quote.",
      });
    }
    await jobs.add({ requestId }, database);
    return hash;
  });
}
