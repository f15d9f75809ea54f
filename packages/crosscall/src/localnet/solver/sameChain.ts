import { parseAbi, parseEventLogs, type TransactionReceipt } from "viem";

import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import type { DevChain } from "../devchain/devChain.ts";
import { findBlockHash } from "../devchain/readChain.ts";
import type { IncludedTransaction } from "../market/reports.ts";
import { isUserExecuted } from "../market/requestKind.ts";
import { type ExpectedPayments, findRequest, type RequestRow } from "../store/requests/requests.ts";
import { type Transition, transition } from "../store/requests/transitions.ts";
import type { Database } from "../store/schema.ts";
import { type Inclusion, insertTransaction } from "../store/transactions.ts";
import { attemptEach } from "./attemptEach.ts";
import type { Head } from "./deposits/readDeposits.ts";
import { readInclusion } from "./settleTransaction.ts";
import type { Observer, Recorder, Timed } from "./solverParts.ts";

const EVENTS = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Deposit(address indexed dst, uint256 wad)",
  "event Withdrawal(address indexed src, uint256 wad)",
]);

const OPERATION_EVENT = parseAbi([
  "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)",
]);

/**
 * Ends the request with the id that is appended to a transaction's call data. Only the user's first transaction counts.
 */
export async function settleSameChain(
  parts: Recorder,
  chain: DevChain,
  transaction: IncludedTransaction,
): Promise<void> {
  const { db } = parts.store;
  const request = await findRequest(db, `0x${transaction.input.slice(-64)}`);
  if (request === undefined || !isUserExecuted(request) || request.origin_chain_id !== chain.id) return;
  if (!["waiting", "depositing"].includes(request.status) || !isSameAddress(request.user, transaction.from)) return;
  await endSameChain(parts, chain, request, transaction);
}

export interface SameChainOutcome {
  /** Whether the included transaction had no effect. */
  readonly isVoid: boolean;
  /** Failure to record if the transaction failed or had no effect. */
  readonly failure: NonNullable<Transition["set"]>;
}

/** Ends a same-chain request according to the outcome of its transaction. */
export async function endSameChain(
  parts: Recorder,
  chain: DevChain,
  request: RequestRow,
  transaction: IncludedTransaction,
  { isVoid, failure }: SameChainOutcome = { isVoid: false, failure: { fail_reason: "TRANSACTION_REVERTED" } },
): Promise<void> {
  const receipt = await chain.client.getTransactionReceipt({ hash: transaction.hash });
  const included = await readInclusion(chain, receipt);
  const inclusion =
    isVoid || hasFailedOperation(chain, receipt) ? { ...included, status: "failure" as const } : included;
  const isSuccess = inclusion.status === "success";
  await parts.store.db.transaction().execute(async (database) => {
    const isMoved = await transition(database, {
      requestId: request.id,
      from: ["waiting", "depositing"],
      to: isSuccess ? "success" : "failure",
      at: new Date(parts.clock.now()),
      set: {
        deposit_block: inclusion.block_number,
        ...(isSuccess ? { fill_time_seconds: 0 } : failure),
      },
    });
    if (isMoved) await record(parts, database, request, { transaction, inclusion, receipt, chain });
  });
}

interface SettledTransaction {
  readonly transaction: IncludedTransaction;
  readonly inclusion: Inclusion;
  readonly receipt: TransactionReceipt;
  readonly chain: DevChain;
}

/** Stores the transaction for both sides of the record. */
async function record(
  parts: Timed,
  db: Database,
  request: RequestRow,
  { transaction, inclusion, receipt, chain }: SettledTransaction,
): Promise<void> {
  const row = {
    ...inclusion,
    request_id: request.id,
    chain_id: chain.id,
    hash: transaction.hash,
    sender: request.user,
    nonce: null,
    signed: null,
    created_at: new Date(parts.clock.now()),
  };
  await insertTransaction(db, {
    ...row,
    purpose: "deposit",
    amount: request.input_amount,
    currency: request.origin_currency,
  });
  await insertTransaction(db, {
    ...row,
    purpose: "fill",
    amount: receivedAmount(chain, request, receipt) ?? BigInt(request.expected_output_amount),
    currency: request.destination_currency,
  });
}

/**
 * Returns whether a user operation failed. The EntryPoint does not revert if the calls of an ERC-4337 user operation
 * revert.
 */
function hasFailedOperation({ contracts }: DevChain, { logs }: TransactionReceipt): boolean {
  const operations = parseEventLogs({ abi: OPERATION_EVENT, logs });
  return operations.some(({ address, args }) => isSameAddress(address, contracts.entryPoint) && !args.success);
}

/** Reads the received amount from transfer events; undefined for a native transfer. */
function receivedAmount(chain: DevChain, request: RequestRow, receipt: TransactionReceipt): bigint | undefined {
  const { wrappedNative } = chain.contracts;
  const output = request.destination_currency;
  const token = isEvmNative(output) ? wrappedNative : output;
  const amounts = parseEventLogs({ abi: EVENTS, logs: receipt.logs }).flatMap(({ address, eventName, args }) => {
    if (!isSameAddress(address, token)) return [];
    if (isEvmNative(output)) return eventName === "Withdrawal" ? [args.wad] : [];
    if (eventName === "Transfer") return isSameAddress(args.to, request.recipient) ? [args.value] : [];
    return eventName === "Deposit" && isSameAddress(args.dst, request.recipient) ? [args.wad] : [];
  });
  return amounts.length === 0 ? undefined : amounts.reduce((sum, amount) => sum + amount, 0n);
}

/** Number of earlier blocks that a watch reads at start and after a reorg. */
const BLOCKS_BEFORE = 100n;

/** Minimum length of call data that can end with a requestId, in hex characters. */
const ID_CHARACTERS = 66;

export interface SameChainWatch {
  /** @returns false if a block must be read again, because one of its transactions could not be processed */
  look(head: Head, expected: () => Promise<ExpectedPayments>, signal: AbortSignal): Promise<boolean>;
}

/** Watches a chain for transactions of same-chain requests. Reads no blocks while no such request is open. */
export function watchSameChain(parts: Observer, chain: DevChain): SameChainWatch {
  let seen: Head | undefined;
  return {
    async look(head, expected, signal) {
      if (head.hash === seen?.hash) return true;
      const latest = head.number;
      let isDone = true;
      if ((await expected()).hasSameChain) {
        const first = await firstUnread(chain, seen, latest);
        for (let blockNumber = first; blockNumber <= latest; blockNumber += 1n) {
          const { transactions } = await chain.client.getBlock({ blockNumber, includeTransactions: true });
          const areSettled = await attemptEach(
            parts,
            transactions.filter(({ input }) => input.length >= ID_CHARACTERS),
            {
              what: "settle a same-chain request",
              facts: ({ hash, input }) => ({ requestId: `0x${input.slice(-64)}`, chainId: chain.id, txHash: hash }),
              attempt: (transaction) => settleSameChain(parts, chain, transaction),
              signal,
            },
          );
          if (!areSettled) isDone = false;
        }
      }
      if (isDone) seen = head;
      return isDone;
    },
  };
}

/** Returns the first block to read. After a reorg, some earlier blocks are read again. */
async function firstUnread(chain: DevChain, seen: Head | undefined, latest: bigint): Promise<bigint> {
  if (seen !== undefined && (await findBlockHash(chain, seen.number)) === seen.hash) return seen.number + 1n;
  const last = seen !== undefined && seen.number < latest ? seen.number : latest;
  return last > BLOCKS_BEFORE ? last - BLOCKS_BEFORE : 0n;
}
