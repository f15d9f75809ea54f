import { formatAt, invalidParams, isCount, optionsAt, type Params, RpcError } from "./params.ts";
import { blockhashOf } from "./slots.ts";
import type { Block, SolanaChain } from "./solanaChain.ts";
import { toAccountsJson, toBlockTransaction, type TransactionFormat } from "./transactionJson.ts";

/** Maximum number of slots in a list of blocks. */
const MAX_RANGE = 500_000;

/** @throws {@link RpcError} if the slot is not over, or has no block */
export async function readBlock(chain: SolanaChain, settle: () => Promise<SolanaChain>, params: Params) {
  const [slot] = params;
  const { transactionDetails = "full", ...format } = formatAt(params, 1);
  if (!isCount(slot)) throw invalidParams("Invalid params: expected a slot");
  requireConfirmed(format);
  const { settled, last } = await completedBlocks(chain, settle);
  if (slot > last) throw new RpcError(-32_004, `Block not available for slot ${slot}`);
  const block = settled.blocks.get(slot);
  if (block === undefined) {
    throw new RpcError(-32_007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);
  }
  const { parentSlot } = block;
  return {
    blockHeight: slot,
    blockTime: settled.timeOf(slot) ?? null,
    blockhash: blockhashOf(slot),
    parentSlot,
    previousBlockhash: blockhashOf(parentSlot),
    ...toDetails(block, transactionDetails, format),
    ...(format.rewards === false ? {} : { rewards: [] }),
  };
}

function toDetails({ transactions }: Block, details: unknown, format: TransactionFormat) {
  switch (details) {
    case "full":
      return { transactions: transactions.map((included) => toBlockTransaction(included, format)) };
    case "accounts":
      return { transactions: transactions.map((included) => toAccountsJson(included, format)) };
    case "signatures":
      return { signatures: transactions.map(({ signature }) => signature) };
    case "none":
      return {};
    default:
      throw invalidParams(
        `Invalid params: unknown variant \`${String(details)}\`, expected one of \`full\`, \`signatures\`, \`none\`, \`accounts\`.`,
      );
  }
}

/** Lists the slots with blocks from a slot to another. */
export async function listBlocks(
  chain: SolanaChain,
  settle: () => Promise<SolanaChain>,
  params: Params,
): Promise<number[]> {
  const [start, end] = params;
  const isBounded = isCount(end);
  if (!isCount(start) || !(isBounded || end === undefined || end === null || typeof end === "object")) {
    throw invalidParams("Invalid params: expected a slot");
  }
  requireConfirmed(optionsAt(params, isBounded ? 2 : params.length - 1));
  const { settled, last } = await completedBlocks(chain, settle);
  const to = Math.min(isBounded ? end : start + MAX_RANGE, last);
  if (to - start > MAX_RANGE) throw invalidParams(`Slot range too large; max ${MAX_RANGE}`);
  return [...settled.blocks.keys()].filter((slot) => slot >= start && slot <= to);
}

/** Lists a number of slots with blocks, starting at a slot. */
export async function listBlocksWithLimit(
  chain: SolanaChain,
  settle: () => Promise<SolanaChain>,
  params: Params,
): Promise<number[]> {
  const [start, limit] = params;
  if (!isCount(start)) throw invalidParams("Invalid params: expected a slot");
  if (!isCount(limit)) throw invalidParams("Invalid params: expected a number of blocks");
  if (limit > MAX_RANGE) throw invalidParams(`Limit too large; max ${MAX_RANGE}`);
  requireConfirmed(optionsAt(params, 2));
  const { settled, last } = await completedBlocks(chain, settle);
  return [...settled.blocks.keys()].filter((slot) => slot >= start && slot <= last).slice(0, limit);
}

/** Returns the chain with its last slot that is over. */
async function completedBlocks(chain: SolanaChain, settle: () => Promise<SolanaChain>) {
  const last = chain.slots.current().slot - 1;
  return { settled: await settle(), last };
}

const COMMITMENTS: readonly unknown[] = [undefined, null, "confirmed", "finalized"];

function requireConfirmed({ commitment }: Readonly<Record<string, unknown>>): void {
  if (COMMITMENTS.includes(commitment)) return;
  throw invalidParams(
    commitment === "processed"
      ? "Method does not support commitment below `confirmed`"
      : `Invalid params: unknown variant \`${String(commitment)}\`, expected one of \`processed\`, \`confirmed\`, \`finalized\`.`,
  );
}
