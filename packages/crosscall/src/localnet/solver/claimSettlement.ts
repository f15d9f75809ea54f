import type { Address, Hex } from "viem";

import { findClaim, moveClaim } from "../store/appFees.ts";
import { canPay, estimatePayment } from "./estimateFill.ts";
import { transferTransaction } from "./fillTransaction.ts";
import type { Settlement } from "./settlement.ts";
import { signAndSend } from "./signedTransaction.ts";
import type { ChainReader, Observer, Signer, SolverParts } from "./solverParts.ts";

/** Pays an authorized claim of app fees once. `followTransactions` settles the transaction. */
export function claimSettlement(parts: SolverParts, id: string): Settlement {
  return {
    async advance() {
      await payClaim(parts, id);
      return undefined;
    },
  };
}

async function payClaim(parts: ChainReader & Signer & Observer, id: string): Promise<void> {
  const { db } = parts.store;
  const claim = await findClaim(db, id);
  const chain = claim === undefined ? undefined : parts.chains.get(claim.chain_id);
  if (claim?.state !== "authorized" || chain === undefined) return;
  const amount = BigInt(claim.amount);
  const currency = claim.currency as Address;
  const transfer = transferTransaction({
    orderId: claim.id as Hex,
    recipient: claim.recipient as Address,
    currency,
    amount,
  });
  const canTransfer = await canPay(parts, chain, currency, amount);
  const payment = canTransfer ? await estimatePayment(parts, chain, transfer) : undefined;
  if (payment?.estimate.works !== true) {
    parts.log.error({ claimId: id }, "a claim cannot be paid");
    await moveClaim(db, id, "authorized", "failed");
    return;
  }
  await signAndSend(parts, {
    requestId: id,
    purpose: "claim",
    chain,
    transaction: payment.transaction,
    gas: payment.estimate.gas,
    amount,
    currency,
    move: (database) => moveClaim(database, id, "authorized", "sent"),
  });
}
