import type { LostDeposit } from "../../store/deposits.ts";
import type { RequestRow } from "../../store/requests/requests.ts";

/** What `inTxs` of v2 records tell of a deposit whose block a reorg replaced. */
export function toReorgedEntry(deposit: LostDeposit, { status, fail_reason }: RequestRow) {
  return {
    hash: deposit.tx_hash,
    fee: deposit.fee,
    block: deposit.block_number,
    type: "onchain",
    chainId: deposit.chain_id,
    timestamp: deposit.block_timestamp,
    status: "failure",
    metadata: {
      reorg: {
        detectedAt: deposit.reorged_at.getTime(),
        source: "crosscall-local",
        reason: "the block of the deposit is no longer part of the chain",
        ...(fail_reason === null ? {} : { failReason: fail_reason }),
        // A fill that was sent before stays; without one, there is nothing to fill.
        action: status === "success" || status === "submitted" ? "fill" : "refund",
        blockNumber: deposit.block_number,
        blockHash: deposit.block_hash,
        receiptStatus: "success",
      },
    },
  };
}
