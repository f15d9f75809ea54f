import {
  type Address,
  getAddress,
  type Hex,
  parseAbiItem,
  slice,
  toFunctionSelector,
  type TransactionReceipt,
  zeroAddress,
} from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import { isSameAddress } from "@crosscall/protocol/chains";
import type { DevChain } from "../../devchain/devChain.ts";
import type { NewDeposit } from "../../store/deposits.ts";
import type { RequestRow } from "../../store/requests/requests.ts";
import type { TransactionRow } from "../../store/transactions.ts";
import { type KnownBlock, readInclusion } from "../settleTransaction.ts";

/** The latest block of a chain. */
export interface Head {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

const DEPOSIT_EVENTS = depositoryAbi.filter(
  (item) => item.type === "event" && (item.name === "RelayNativeDeposit" || item.name === "RelayErc20Deposit"),
);

const TRANSFER_EVENT = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

/** Length of a `transfer(address,uint256)` call with a 32-byte id appended. */
const TRANSFER_WITH_ID_BYTES = 4 + 32 + 32 + 32;

const TRANSFER_SELECTOR = toFunctionSelector("function transfer(address,uint256)");

interface DepositLog {
  readonly txHash: Hex;
  readonly logIndex: number;
  readonly orderId: Hex;
  readonly depositor: Address;
  readonly currency: Address;
  readonly amount: bigint;
}

/** Blocks to read: an inclusive range, or one block by its hash, which a reorg does not change. */
export type BlockRange = { readonly fromBlock: bigint; readonly toBlock: bigint } | { readonly blockHash: Hex };

/** Receipts by transaction hash. */
export type Receipts = ReadonlyMap<string, TransactionReceipt>;

export interface ReadDeposits {
  readonly deposits: readonly NewDeposit[];
  readonly receipts: Receipts;
}

/**
 * Reads events of the depository, and plain token transfers to it with an appended id.
 *
 * @param seenAt time of reading, on the service's clock
 * @param known a block of the range that does not need to be read again
 */
export async function readDeposits(
  chain: DevChain,
  range: BlockRange,
  seenAt: Date,
  known?: KnownBlock,
): Promise<ReadDeposits> {
  const { events, transferLogs } = await readLogs(chain, range);
  const [calls, transfers] = [events.map(toDeposit), await readTransfers(chain, transferLogs)];
  const byTransaction = Map.groupBy([...calls, ...transfers], ({ txHash }) => txHash);
  const receipts = new Map<string, TransactionReceipt>();
  const read = await Promise.all(
    [...byTransaction].map(async ([txHash, logs]) => {
      const receipt = await chain.client.getTransactionReceipt({ hash: txHash });
      receipts.set(txHash, receipt);
      const { block_number, block_timestamp, fee, gas_used } = await readInclusion(chain, receipt, known);
      return logs
        .toSorted((one, other) => one.logIndex - other.logIndex)
        .map(({ orderId, depositor, currency, amount }, position) => ({
          chain_id: chain.id,
          tx_hash: txHash,
          // Uses the index within the transaction, because log indexes change if the transaction moves to another
          // block.
          position,
          order_id: orderId,
          depositor,
          currency,
          amount,
          block_number,
          block_timestamp,
          fee,
          gas_used,
          seen_at: seenAt,
        }));
    }),
  );
  return { deposits: read.flat(), receipts };
}

/** Reads one block with a single call. For many blocks, that call would return too many other logs. */
async function readLogs({ client, contracts: { depository } }: DevChain, range: BlockRange) {
  if ("blockHash" in range) {
    const logs = await client.getLogs({ events: [...DEPOSIT_EVENTS, TRANSFER_EVENT], ...range, strict: true });
    const events = logs.filter((log) => log.eventName !== "Transfer");
    const transferLogs = logs.filter((log) => log.eventName === "Transfer");
    return {
      events: events.filter(({ address }) => isSameAddress(address, depository)),
      transferLogs: transferLogs.filter(({ args: { to } }) => isSameAddress(to, depository)),
    };
  }
  const [events, transferLogs] = await Promise.all([
    client.getLogs({ address: depository, events: DEPOSIT_EVENTS, ...range, strict: true }),
    client.getLogs({ event: TRANSFER_EVENT, args: { to: depository }, ...range, strict: true }),
  ]);
  return { events, transferLogs };
}

type Logs = Awaited<ReturnType<typeof readLogs>>;

function toDeposit(log: Logs["events"][number]): DepositLog {
  return {
    txHash: log.transactionHash,
    logIndex: log.logIndex,
    orderId: log.args.id,
    depositor: log.args.from,
    currency: log.eventName === "RelayErc20Deposit" ? log.args.token : zeroAddress,
    amount: log.args.amount,
  };
}

async function readTransfers(chain: DevChain, logs: Logs["transferLogs"]): Promise<DepositLog[]> {
  const read = await Promise.all(
    logs.map(async (log): Promise<DepositLog[]> => {
      const { to, input } = await chain.client.getTransaction({ hash: log.transactionHash });
      // Reads only direct calls to the token, because calls to the depository also transfer tokens to it.
      const isPlain = to !== null && isSameAddress(to, log.address) && input.startsWith(TRANSFER_SELECTOR);
      if (!isPlain || input.length !== 2 + 2 * TRANSFER_WITH_ID_BYTES) return [];
      return [
        {
          txHash: log.transactionHash,
          logIndex: log.logIndex,
          orderId: slice(input, -32),
          depositor: log.args.from,
          currency: getAddress(log.address),
          amount: log.args.value,
        },
      ];
    }),
  );
  return read.flat();
}

/** Number of blocks to search for a deposit by another account. */
const LOOK_BACK_BLOCKS = 1_000n;

/**
 * Returns whether the chain has a deposit for a request, including deposits that the scan has not taken yet.
 *
 * @param execution call for the user; if it succeeded, its deposit is in the same block
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
