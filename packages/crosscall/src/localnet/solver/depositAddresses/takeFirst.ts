import { type Address, parseAbiItem } from "viem";

import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import type { DevChain } from "../../devchain/devChain.ts";
import { readBalance } from "../../devchain/readChain.ts";
import type { AddressBalance } from "../../market/reports.ts";
import { type DepositAddressRow, findGasLeft } from "../../store/depositAddresses.ts";
import type { Database } from "../../store/schema.ts";
import type { Inclusion } from "../../store/transactions.ts";
import type { Payer, SolverParts } from "../solverParts.ts";
import { takePayment } from "./takePayment.ts";

export const TRANSFER = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

/** Number of blocks to search for the payer. The payer of older payments is unknown. */
const BLOCKS_LOOKED_THROUGH = 100n;

interface PaymentTrace {
  readonly sender: string;
  readonly txHash: `0x${string}`;
}

/** Takes one of the payments at an address, preferably one in the quoted currency: the request expects it. */
export async function takeFirst(
  parts: SolverParts,
  chain: DevChain,
  row: DepositAddressRow,
  balances: readonly AddressBalance[],
): Promise<void> {
  const address = row.address as Address;
  const { originCurrency } = row.request;
  const first = balances.find(({ currency }) => isSameAddress(currency, originCurrency)) ?? balances[0];
  if (first === undefined) return;
  const { currency, amount } = first;
  // Read after the balance, because the payment can be in a newer block than the start of the scan.
  const block = await chain.client.getBlockNumber();
  const trace = isEvmNative(currency)
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
}

/** Reads the unswept balance in the smallest unit. */
export async function readUnswept(db: Database, chain: DevChain, currency: string, address: Address): Promise<bigint> {
  const balance = await readBalance(chain, currency, address);
  if (balance === 0n || !isEvmNative(currency)) return balance;
  const left = (await findGasLeft(db, chain.id, [address])).get(address.toLowerCase()) ?? 0n;
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

/** Traces a native payment. A plain transfer has a payer; the payer of an internal transfer is unknown. */
async function traceNative(
  parts: Payer,
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
