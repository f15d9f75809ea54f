import { type Address, parseAbiItem } from "viem";

import { isEvmNative, isSameAddress } from "@crosscall/sdk/internal/chains/address";
import type { DevChain } from "../../devchain/devChain.ts";
import { readBalance } from "../../devchain/readChain.ts";
import {
  type DepositAddressRow,
  findGasLeft,
  listAddressesInSweep,
  listDepositAddresses,
} from "../../store/depositAddresses.ts";
import type { AddressCheck } from "../../market/reports.ts";
import type { ExpectedPayments } from "../../store/requests.ts";
import type { Database } from "../../store/store.ts";
import type { Inclusion } from "../../store/transactions.ts";
import { attemptEach } from "../attemptEach.ts";
import type { Head } from "../deposits/head.ts";
import type { SolverParts } from "../solverParts.ts";
import { takePayment } from "./takePayment.ts";

const TRANSFER = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

/** Blocks that are searched for the payer; older payments have no known payer. */
const BLOCKS_LOOKED_THROUGH = 100n;

interface PaymentTrace {
  readonly sender: string;
  readonly txHash: `0x${string}`;
}

export interface DepositAddressWatch {
  /** @returns false if an address must be checked again, since it has a payment in progress or could not be checked */
  look(head: Head, expected: () => Promise<ExpectedPayments>, signal: AbortSignal): Promise<boolean>;
}

/** Its memory only saves calls: a new watch finds the same. */
export function watchDepositAddresses(parts: SolverParts, chain: DevChain): DepositAddressWatch {
  let seenBlock: bigint | undefined;
  let left = new Set<string>();
  return {
    async look(head, expected, signal) {
      const { db } = parts.store;
      if (head.number === seenBlock && left.size === 0) return true;
      const addresses = (await expected()).hasDepositAddresses ? await listDepositAddresses(db) : [];
      const inSweep = addresses.length === 0 ? new Set<string>() : await listAddressesInSweep(db, chain.id);
      const again = new Set<string>();
      await attemptEach(parts, addresses, {
        what: "check a deposit address",
        facts: ({ address, request_id }) => ({ requestId: request_id, chainId: chain.id, address }),
        async attempt(row) {
          again.add(row.address);
          if (!inSweep.has(row.address) && !(await takeNext(parts, chain, row))) again.delete(row.address);
        },
        signal,
      });
      seenBlock = head.number;
      left = again;
      return left.size === 0;
    },
  };
}

/** Checks one address at once: a balance may change without a block, or in one that was missed. */
export async function checkDepositAddress(
  parts: SolverParts,
  chain: DevChain,
  row: DepositAddressRow,
  currencies: readonly string[],
): Promise<AddressCheck> {
  const { db } = parts.store;
  const read = await Promise.allSettled(
    currencies.map(async (currency) => ({
      currency,
      amount: await readUnswept(db, chain, currency, row.address as Address),
    })),
  );
  const found = read.flatMap((one) => (one.status === "fulfilled" && one.value.amount > 0n ? [one.value] : []));
  const errors = read.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  // The sweep of the first payment brings the blocks that announce the others.
  const isInSweep = (await listAddressesInSweep(db, chain.id)).has(row.address);
  if (found.length > 0 && !isInSweep) await takeNext(parts, chain, row);
  return { found, errors };
}

/** @returns whether there was a payment */
async function takeNext(parts: SolverParts, chain: DevChain, row: DepositAddressRow): Promise<boolean> {
  const address = row.address as Address;
  const quoted = row.request.originCurrency;
  const currencies = parts.currencies.ofChain(chain.id).map(({ currency }) => currency.address);
  // The quoted currency first, since the first payment belongs to the request.
  const ordered = currencies.toSorted((a, b) => Number(isSameAddress(b, quoted)) - Number(isSameAddress(a, quoted)));
  for (const currency of ordered) {
    const amount = await readUnswept(parts.store.db, chain, currency, address);
    if (amount === 0n) continue;
    const isNative = isEvmNative(currency);
    // Read after the balance: the payment may be in a block newer than the start of the scan.
    const block = await chain.client.getBlockNumber();
    const trace = isNative
      ? await traceNative(parts, chain, address, block)
      : await traceToken(chain, currency, address, block);
    await takePayment(parts, chain, row, {
      currency,
      amount,
      sender: trace?.sender,
      txHash: trace?.txHash,
      inclusion: await readInclusion(chain, trace, block),
      isThere: async (db) => (await readUnswept(db, chain, currency, address)) >= amount,
    });
    return true;
  }
  return false;
}

/** Smallest unit. */
async function readUnswept(db: Database, chain: DevChain, currency: string, address: Address): Promise<bigint> {
  const balance = await readBalance(chain, currency, address);
  if (balance === 0n || !isEvmNative(currency)) return balance;
  const left = await findGasLeft(db, address, chain.id);
  return balance > left ? balance - left : 0n;
}

async function traceToken(
  chain: DevChain,
  token: string,
  to: Address,
  block: bigint,
): Promise<PaymentTrace | undefined> {
  const logs = await chain.client.getLogs({
    address: token as Address,
    event: TRANSFER,
    args: { to },
    fromBlock: firstBlock(block),
    toBlock: block,
    strict: true,
  });
  const last = logs.at(-1);
  return last && { sender: last.args.from, txHash: last.transactionHash };
}

/** A plain transfer has a payer, an internal one does not. */
async function traceNative(
  parts: Pick<SolverParts, "solver">,
  chain: DevChain,
  to: Address,
  block: bigint,
): Promise<PaymentTrace | undefined> {
  for (let blockNumber = block; blockNumber >= firstBlock(block); blockNumber -= 1n) {
    const { transactions } = await chain.client.getBlock({ blockNumber, includeTransactions: true });
    const found = transactions.find(
      (transaction) =>
        transaction.to !== null &&
        isSameAddress(transaction.to, to) &&
        // The solver's gas money is not a payment.
        !isSameAddress(transaction.from, parts.solver.address),
    );
    if (found !== undefined) return { sender: found.from, txHash: found.hash };
  }
  return undefined;
}

function firstBlock(block: bigint): bigint {
  return block > BLOCKS_LOOKED_THROUGH ? block - BLOCKS_LOOKED_THROUGH : 0n;
}

async function readInclusion(chain: DevChain, trace: PaymentTrace | undefined, latest: bigint): Promise<Inclusion> {
  const receipt = trace && (await chain.client.getTransactionReceipt({ hash: trace.txHash }));
  const { number, timestamp } = await chain.client.getBlock({ blockNumber: receipt?.blockNumber ?? latest });
  return {
    status: "success",
    block_number: Number(number),
    block_timestamp: Number(timestamp),
    fee: receipt === undefined ? 0n : receipt.gasUsed * receipt.effectiveGasPrice,
    gas_used: Number(receipt?.gasUsed ?? 0n),
  };
}
