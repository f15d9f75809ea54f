import { throwIfAborted } from "../../core/abort.ts";
import { InvalidStateError } from "../../core/errors.ts";
import { findRequest } from "../../store/requests.ts";
import type { RequestRow, TransactionPurpose, TransactionRow } from "../../store/schema.ts";
import { findTransaction } from "../../store/transactions.ts";
import type { ServiceChain, ServiceContext } from "../context.ts";
import { completeFill, prepareFill } from "./fill.ts";
import { refund } from "./refund.ts";

/**
 * Takes a request from its confirmed deposit to its end: fill signed, fill included, or refund. It may be called any
 * number of times, at once or after a crash: each step starts from what is written down, and is written down once.
 */
export async function advanceRequest(context: ServiceContext, requestId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    throwIfAborted(signal, `advancing request ${requestId}`);
    const request = await findRequest(context.store.db, requestId);
    switch (request?.status) {
      case "pending": {
        const deposit = await requireTransaction(context, request, "deposit");
        if (request.fail_reason === null) {
          await prepareFill(context, requireChain(context, request.destination_chain_id), request, deposit);
        } else {
          await refund(context, requireChain(context, deposit.chain_id), request, deposit, signal);
        }
        break;
      }
      case "submitted": {
        const fill = await requireTransaction(context, request, "fill");
        await completeFill(context, requireChain(context, fill.chain_id), request, fill, signal);
        break;
      }
      case "waiting":
      case "depositing":
      case "success":
      case "failure":
      case "refund":
      case undefined:
        return;
    }
  }
}

function requireChain(context: ServiceContext, chainId: number): ServiceChain {
  const chain = context.chains.get(chainId);
  if (chain !== undefined) return chain;
  throw new InvalidStateError({
    message: `chain ${chainId} is not one of this network`,
    cure: "Start the network with the chains that its database was made with.",
  });
}

async function requireTransaction(
  context: ServiceContext,
  request: RequestRow,
  purpose: TransactionPurpose,
): Promise<TransactionRow> {
  const row = await findTransaction(context.store.db, request.id, purpose);
  if (row !== undefined) return row;
  throw new InvalidStateError({
    message: `request ${request.id} is ${request.status}, but its ${purpose} is not recorded`,
    cure: "The database was changed by hand: restore it.",
  });
}
