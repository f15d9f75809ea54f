import type { DevChain } from "../devchain/devChain.ts";
import { lockRequest, type RequestRow } from "../store/requests/requests.ts";
import { transition, type Transition } from "../store/requests/transitions.ts";
import { listInputTransactions, type TransactionRow } from "../store/transactions.ts";
import { attemptRefund } from "./refund.ts";
import type { FaultReader, Refunder } from "./solverParts.ts";

/**
 * Refunds each deposit of a request with several inputs on its own chain. Ends the request after the last refund: as a
 * refund if every deposit was returned, otherwise as a failure.
 *
 * @param send sends a transaction once, and returns whether it is settled
 */
export async function refundInputs(
  parts: Refunder & FaultReader,
  request: RequestRow,
  chainOf: (chainId: number) => DevChain,
  send: (chain: DevChain, row: TransactionRow) => Promise<boolean>,
): Promise<"again" | undefined> {
  const { db } = parts.store;
  const fault = await parts.faults.forRequest(request);
  const problems = new Map<number, NonNullable<Transition["set"]>>();
  let isOpen = false;
  for (const deposit of await listInputTransactions(db, request.id, "deposit")) {
    // A reorg removed the deposit. If it is included again, it is refunded then.
    if (deposit.status === "pending") continue;
    const chain = chainOf(deposit.chain_id);
    const attempt = await attemptRefund(parts, chain, request, deposit, fault);
    if (attempt.kind === "refused") problems.set(deposit.input_index, attempt.set);
    else if (attempt.row === undefined || !(await send(chain, attempt.row))) isOpen = true;
  }
  if (isOpen) return undefined;
  return db.transaction().execute(async (transaction) => {
    // Other workers sign refunds, and record deposits, under the same lock.
    await lockRequest(transaction, request.id);
    const deposits = await listInputTransactions(transaction, request.id, "deposit");
    const refunds = await listInputTransactions(transaction, request.id, "refund");
    const statusOf = ({ input_index }: TransactionRow) =>
      refunds.find((refund) => refund.input_index === input_index)?.status;
    const present = deposits.filter(({ status }) => status === "success");
    const isEnded = present.every((deposit) => {
      const status = statusOf(deposit);
      return status === undefined ? problems.has(deposit.input_index) : status !== "pending";
    });
    if (!isEnded || refunds.some(({ status }) => status === "pending")) return undefined;
    const areRefunded = present.every((deposit) => statusOf(deposit) === "success");
    const [problem] = problems.values();
    const isEmpty = refunds.length === 0 && present.length === 0;
    await transition(transaction, {
      requestId: request.id,
      from: ["pending"],
      hasFailReason: true,
      to: areRefunded && !isEmpty ? "refund" : "failure",
      at: new Date(parts.clock.now()),
      set: isEmpty ? { fail_reason: "DEPOSIT_REORGED" } : (problem ?? {}),
    });
    return "again";
  });
}
