import { CHAIN_LIMITS } from "../../devchain/chainLimits.ts";
import { readSignedTransactions } from "../../devchain/readChain.ts";
import { rejectField } from "../../market/rejection.ts";
import type { DepositChange } from "../../scenarios/scenario.ts";
import type { RequestRow } from "../../store/requests/requests.ts";
import { findTransaction } from "../../store/transactions.ts";
import type { ChainReader, StoreUser } from "../../market/market.ts";
import type { ChainController } from "../serviceParts.ts";
import { rejectInvalid } from "./rejectInvalid.ts";

/**
 * Replaces the block of a request's deposit and all later blocks with empty blocks.
 *
 * @param change `reorg` then sends their transactions again
 * @returns the block that contained the deposit
 * @throws {@link RejectionError} if the request has no deposit, or its chain cannot revert the block
 */
export async function reorgDeposit(
  { chainControls, chains, store }: ChainReader & StoreUser & ChainController,
  request: RequestRow,
  change: DepositChange,
): Promise<number> {
  const refuse = (reason: string, hint: string) => rejectField("deposit", change, reason, hint);
  const deposit = await findTransaction(store.db, request.id, "deposit");
  if (request.status !== "pending" || deposit?.status !== "success" || deposit.block_number === null) {
    throw refuse(`request ${request.id} has no confirmed deposit`, "Wait until the request is pending.");
  }
  const depositBlock = deposit.block_number;
  const chain = chains.get(deposit.chain_id);
  const controls = chainControls.get(deposit.chain_id);
  if (chain === undefined || controls === undefined) {
    throw refuse(
      `chain ${deposit.chain_id} has no blocks`,
      "Use a request whose deposit is on a chain of the network.",
    );
  }
  const { blockNumber } = await rejectInvalid(controls.state());
  const blocks = blockNumber - depositBlock + 1;
  if (blocks > CHAIN_LIMITS.reorgBlocks) {
    throw refuse(
      `the deposit is ${blocks} blocks deep, and a reorg replaces at most ${CHAIN_LIMITS.reorgBlocks}`,
      "Release this fill, and use a more recent one.",
    );
  }
  const transactions = change === "drop" ? [] : await readSignedTransactions(chain, depositBlock);
  await rejectInvalid(controls.reorg({ blocks }));
  for (const signed of transactions) {
    // A transaction that the node rejects is invalid after the reorg.
    await chain.client.sendRawTransaction({ serializedTransaction: signed }).catch(() => undefined);
  }
  return depositBlock;
}
