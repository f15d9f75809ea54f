import {
  type Address,
  BlockNotFoundError,
  type Client,
  erc20Abi,
  formatTransactionRequest,
  type Hex,
  keccak256,
  maxUint256,
  numberToHex,
  serializeTransaction,
  type Transaction,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type TransactionSerializable,
} from "viem";

import { isEvmNative } from "@crosscall/protocol/chains";
import { abortable } from "@crosscall/protocol/core";
import type { DevChain, EvmCall } from "./devChain.ts";
import { localNodeRequest } from "./node.ts";
import { localBalancesAbi, localBalancesCode } from "../../abi/localContracts.generated.ts";

/** Returns the balance in the smallest unit. */
export function readBalance({ client }: Pick<DevChain, "client">, currency: string, account: Address): Promise<bigint> {
  if (isEvmNative(currency)) return client.getBalance({ address: account });
  const token = { address: currency as Address, abi: erc20Abi };
  return client.readContract({ ...token, functionName: "balanceOf", args: [account] });
}

/** Returns the time of the chain's next block in Unix seconds. Contracts compare deadlines with this time. */
export async function chainTime({ client }: Pick<DevChain, "client">): Promise<number> {
  const { timestamp } = await client.getBlock({ blockTag: "pending" });
  return Number(timestamp);
}

/** Returns a block's hash, or undefined if the chain does not have this block, for example after a reorg. */
export async function findBlockHash(
  { client }: Pick<DevChain, "client">,
  blockNumber: bigint,
): Promise<Hex | undefined> {
  try {
    return (await client.getBlock({ blockNumber })).hash;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined;
    throw error;
  }
}

/** Returns a transaction's receipt, or undefined if the transaction is not in a block. */
export async function findReceipt(
  { client }: Pick<DevChain, "client">,
  hash: string,
): Promise<TransactionReceipt | undefined> {
  try {
    return await client.getTransactionReceipt({ hash: hash as Hex });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}

/** Returns whether a block has the confirmations that the chain requires of a deposit, so that no reorg is expected. */
export async function isConfirmed(
  { client, depositConfirmations }: Pick<DevChain, "client" | "depositConfirmations">,
  blockNumber: bigint | number,
): Promise<boolean> {
  if (depositConfirmations === 0) return true;
  return (await client.getBlockNumber()) - BigInt(blockNumber) >= BigInt(depositConfirmations);
}

/** Returns a transaction, or undefined if it is neither pending nor included. */
export async function readTransaction(
  { client }: Pick<DevChain, "client">,
  hash: Hex,
): Promise<Transaction | undefined> {
  try {
    return await client.getTransaction({ hash });
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined;
    throw error;
  }
}

/** Number of balances per call, because nodes limit the gas of a call. */
const BALANCES_PER_CALL = 500;

/** An address without an account, for the code that reads balances. */
export const BALANCE_READER: Address = "0x00000000000000000000000000000000000ba1a4";

/**
 * Reads the balance of each account in each currency. A failing token does not affect other balances.
 *
 * @param currencies the zero address is native currency
 * @returns for each account, the balances in the order of the currencies, in the smallest unit; undefined for a failing
 *   token
 */
export async function readBalances(
  { client }: Pick<DevChain, "client">,
  accounts: readonly Address[],
  currencies: readonly Address[],
): Promise<(bigint | undefined)[][]> {
  const perCall = Math.max(1, Math.floor(BALANCES_PER_CALL / currencies.length));
  const found: (bigint | undefined)[][] = [];
  for (let first = 0; first < accounts.length; first += perCall) {
    const balances = await client.readContract({
      address: BALANCE_READER,
      abi: localBalancesAbi,
      functionName: "read",
      args: [accounts.slice(first, first + perCall), currencies],
      stateOverride: [{ address: BALANCE_READER, code: localBalancesCode }],
    });
    const readable = balances.map((balance) => (balance === maxUint256 ? undefined : balance));
    for (let at = 0; at < readable.length; at += currencies.length)
      found.push(readable.slice(at, at + currencies.length));
  }
  return found;
}

/** Milliseconds after which a chain that has not returned its head counts as down. */
const TIMEOUT_MS = 2_000;

/** Returns the number of the latest block, or undefined if the chain does not respond. */
export async function findHead({ client, id }: Pick<DevChain, "client" | "id">): Promise<number | undefined> {
  try {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    return Number(await abortable(client.getBlockNumber({ cacheTime: 0 }), timeout, `the head of chain ${id}`));
  } catch {
    return undefined;
  }
}

/**
 * Returns the signed bytes of all transactions from a block to the latest, in order. Omits unsigned transactions, such
 * as a node's impersonations.
 */
export async function readSignedTransactions({ client }: Pick<DevChain, "client">, firstBlock: number): Promise<Hex[]> {
  const latest = await client.getBlockNumber();
  const signed: Hex[] = [];
  for (let blockNumber = BigInt(firstBlock); blockNumber <= latest; blockNumber += 1n) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
    signed.push(...transactions.flatMap((transaction) => toSigned(transaction) ?? []));
  }
  return signed;
}

/** Returns the signed bytes, or undefined if they do not reproduce the transaction's hash. */
function toSigned({ hash, input: data, r, s, v, yParity, ...transaction }: Transaction): Hex | undefined {
  if (transaction.type === "eip4844" || transaction.typeHex === null) return undefined;
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, ...fields } = transaction;
  const fees =
    transaction.type === "legacy" || transaction.type === "eip2930"
      ? { gasPrice }
      : { maxFeePerGas, maxPriorityFeePerGas };
  const signed = serializeTransaction({ ...fields, ...fees, data } as TransactionSerializable, {
    r,
    s,
    ...(yParity === undefined ? { v } : { yParity }),
  });
  return keccak256(signed) === hash ? signed : undefined;
}

/** A call in a trace, with its inner calls. */
export interface TracedCall {
  readonly type?: string;
  readonly to?: Address;
  readonly input?: Hex;
  readonly output?: Hex;
  readonly error?: string;
  readonly revertReason?: string;
  readonly gasUsed?: Hex;
  readonly logs?: readonly { readonly address: Address; readonly data: Hex }[];
  readonly calls?: readonly TracedCall[];
}

/**
 * Simulates a call on a local node, and returns it with all inner calls.
 *
 * @param blockNumber the latest block if absent
 */
export async function traceCall(
  client: Client,
  call: EvmCall & { readonly from: Address },
  blockNumber?: bigint,
): Promise<TracedCall> {
  return (await localNodeRequest(client, "debug_traceCall", [
    formatTransactionRequest(call),
    blockNumber === undefined ? "latest" : numberToHex(blockNumber),
    { tracer: "callTracer", tracerConfig: { withLog: true } },
  ])) as TracedCall;
}

export function ranOutOfGas(error: string): boolean {
  return /out ?of ?gas|gas required exceeds/iu.test(error);
}
