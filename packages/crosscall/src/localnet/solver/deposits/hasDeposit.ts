import type { DevChain } from "../../devchain/devChain.ts";
import type { RequestRow } from "../../store/tables/requestTables.ts";
import type { TransactionRow } from "../../store/tables/transactionTables.ts";
import { readDeposits } from "./readDeposits.ts";

/** Blocks that are searched for a deposit that another account made. */
const LOOK_BACK_BLOCKS = 1_000n;

/**
 * Whether the chain has a deposit for a request, which the scan may not have taken yet.
 *
 * @param execution whose deposit is in its own block if it succeeded
 */
export async function hasDeposit(
  chain: DevChain,
  request: Pick<RequestRow, "order_id">,
  execution?: TransactionRow,
): Promise<boolean> {
  const latest = await chain.client.getBlockNumber();
  const own = execution?.status === "success" ? execution.block_number : null;
  const toBlock = own === null ? latest : BigInt(own);
  const fromBlock = own === null ? (latest > LOOK_BACK_BLOCKS ? latest - LOOK_BACK_BLOCKS : 0n) : toBlock;
  const { deposits } = await readDeposits(chain, { fromBlock, toBlock }, new Date(0));
  return deposits.some(({ order_id }) => order_id === request.order_id);
}
