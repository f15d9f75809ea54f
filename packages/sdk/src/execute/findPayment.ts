import {
  BaseError,
  type Client,
  erc20Abi,
  getAbiItem,
  type Hex,
  HttpRequestError,
  isHex,
  size,
  TimeoutError,
  type Transaction,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import {
  getBlock,
  getBlockNumber,
  getLogs,
  getTransaction,
  getTransactionCount,
  getTransactionReceipt,
} from "viem/actions";

import {
  DEPOSIT_EVENTS,
  EVM_NATIVE_CURRENCY,
  isSameAddress,
  parseServiceAddress,
  readContract,
} from "@crosscall/protocol/chains";
import { CrosscallError, ServiceError } from "@crosscall/protocol/core";
import { isPayment, type PlannedTransaction } from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import type { IntentStatus } from "@crosscall/protocol/request";
import { isPresent } from "@crosscall/protocol/schema";
import type { ServiceClient } from "../client/client.ts";
import { getStatus } from "../client/getStatus.ts";
import { findLog } from "./findLog.ts";
import { kitErrorIn } from "./node.ts";
import type { Execution } from "./execution.ts";
import type { JournaledTransaction } from "./requestJournal.ts";
import { readApproval, readCall } from "./requireFunds.ts";
import { hasSign } from "./walletErrors.ts";

/** Trace of a step. `seen` means that the step took effect, but the node shows no transaction. */
export type Sighting = ({ readonly kind: "included" } & Inclusion) | { readonly kind: "seen" };

/** Range and sources of the search. */
export interface SightingRange {
  /** First block that can contain the payment. */
  readonly fromBlock: bigint;
  /** Whether to request the service's status too. */
  readonly asksService?: boolean;
}

/**
 * Finds the effect of a step whose hash the node does not know: the payment of the order, or the allowance of an
 * approval.
 */
export async function findSighting(
  client: Client,
  execution: Execution,
  planned: PlannedTransaction,
  range: SightingRange,
): Promise<Sighting | undefined> {
  if (isPayment(planned)) return findPaid(client, execution, planned, range);
  return (await isApproved(client, planned)) ? { kind: "seen" } : undefined;
}

/** Finds the order's payment on the chain, or else in the service's response. */
export async function findPaid(
  client: Client,
  execution: Execution,
  planned: PlannedTransaction,
  { fromBlock, asksService = true }: SightingRange,
): Promise<Sighting | undefined> {
  const txHash = await findPayment(client, execution.quote, planned, fromBlock);
  const inclusion = txHash === undefined ? undefined : await findReceipt(client, txHash);
  if (inclusion !== undefined) return { kind: "included", ...inclusion };
  return asksService ? findReported(client, execution, planned) : undefined;
}

/** Maximum number of hashes. A payment is one transaction, and the service lists few transactions. */
const HASHES_MAX = 16;

/** Returns the service's view of the payment, or undefined if the service does not respond. */
async function findReported(
  client: Client,
  { service, requestId, signal }: Execution,
  planned: PlannedTransaction,
): Promise<Sighting | undefined> {
  const reported = await reportedStatus(service, requestId, signal).catch((error: unknown) => {
    if (!(error instanceof CrosscallError) || error.code === "ABORTED") throw error;
    return undefined;
  });
  if (reported === undefined) return undefined;
  for (const hash of (reported.inTxHashes ?? []).slice(0, HASHES_MAX)) {
    if (!isHex(hash) || size(hash) !== 32) continue;
    const transaction = await getTransaction(client, { hash }).catch(() => undefined);
    if (transaction === undefined || !(performs(transaction, planned) || contains(transaction, planned))) continue;
    const inclusion = await findReceipt(client, hash);
    if (inclusion?.receipt.status === "success") return { kind: "included", ...inclusion };
  }
  return { kind: "seen" };
}

const TRANSFER_EVENT = getAbiItem({ abi: erc20Abi, name: "Transfer" });

/** Blocks that can contain the payment. */
export interface PaymentRange {
  readonly chainId: number;
  readonly fromBlock: bigint;
}

/**
 * Finds the transaction that paid the order of a quote by the depository's event, from any sender: payments by contract
 * accounts and relayers have other hashes than the wallet returns. The event must have the order's currency and amount,
 * because anyone can deposit dust for an order.
 * @returns undefined if the payment is not found or there is no order, such as for same-chain requests
 */
export async function findDeposit(client: Client, { protocol }: Quote, range: PaymentRange): Promise<Hex | undefined> {
  const { orderId, paymentDetails } = protocol?.v2 ?? {};
  if (!isPresent(orderId) || !isPresent(paymentDetails?.depository)) return undefined;
  const { amount, currency, depository } = paymentDetails;
  const address = parseServiceAddress(depository, "protocol.v2.paymentDetails.depository");
  const log = await findLog(client, {
    ...range,
    read: (blocks) => getLogs(client, { address, events: DEPOSIT_EVENTS, ...blocks, strict: true }),
    isMatch: ({ args }) => {
      const token = "token" in args ? args.token : EVM_NATIVE_CURRENCY;
      return (
        args.id.toLowerCase() === orderId.toLowerCase() &&
        (!isPresent(currency) || isSameAddress(token, currency)) &&
        (!isPresent(amount) || args.amount >= BigInt(amount))
      );
    },
  });
  return log?.transactionHash;
}

/**
 * Finds the transaction that made a step's call, from any sender: by the order's deposit, by the token's transfer, or
 * by the called contract's log. A transaction of a contract account contains the step's call data.
 */
async function findPayment(
  client: Client,
  quote: Quote,
  planned: PlannedTransaction,
  fromBlock: bigint,
): Promise<Hex | undefined> {
  const { chainId, from, to: address, data } = planned;
  const range = { chainId, fromBlock };
  const deposited = await findDeposit(client, quote, range);
  if (deposited !== undefined) return deposited;
  const hasCall = async (hash: Hex): Promise<boolean> => contains(await getTransaction(client, { hash }), planned);
  const transfer = readCall(erc20Abi, data);
  if (transfer?.functionName === "transfer") {
    const [recipient, amount] = transfer.args;
    const log = await findLog(client, {
      ...range,
      read: (blocks) => getLogs(client, { address, event: TRANSFER_EVENT, ...blocks, strict: true }),
      isMatch: async ({ args, transactionHash }) =>
        isSameAddress(args.from, from) &&
        isSameAddress(args.to, recipient) &&
        args.value === amount &&
        (data.length === TRANSFER_CHARACTERS || (await hasCall(transactionHash))),
    });
    return log?.transactionHash;
  }
  // A deposit for the order has no other log, and plain native payments have no logs.
  if (isPresent(quote.protocol?.v2?.orderId) || data === "0x") return undefined;
  const log = await findLog(client, {
    ...range,
    read: (blocks) => getLogs(client, { address, ...blocks }),
    isMatch: ({ transactionHash }) => hasCall(transactionHash),
  });
  return log?.transactionHash;
}

/** Length of `transfer(address,uint256)` in bytes. An orderId can follow. */
const TRANSFER_CHARACTERS = 2 + 2 * (4 + 2 * 32);

/** Whether an approval already took effect: the allowance is at least the approved amount, or zero for a reset. */
async function isApproved(client: Client, { from, to, data }: PlannedTransaction): Promise<boolean> {
  const approval = readApproval(data);
  if (approval === undefined) return false;
  const allowance = await readContract(client, {
    address: to,
    abi: erc20Abi,
    functionName: "allowance",
    args: [from, approval.spender],
  });
  return approval.amount === 0n ? allowance === 0n : allowance >= approval.amount;
}

export interface Inclusion {
  /**
   * Hash of the payment, which differs from the journaled hash if the payment was replaced with higher fees or made
   * under another hash.
   */
  readonly txHash: Hex;
  readonly receipt: TransactionReceipt;
}

/**
 * Returns undefined without a complete receipt: nodes return receipts of pending transactions without a block or a
 * status, and errors while they index transactions.
 */
export async function findReceipt(client: Client, hash: Hex): Promise<Inclusion | undefined> {
  try {
    const receipt = await getTransactionReceipt(client, { hash });
    const isComplete = isPresent(receipt.blockNumber) && isPresent(receipt.status);
    return isComplete ? { txHash: hash, receipt } : undefined;
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError || isUnknownTransaction(error)) return undefined;
    throw error;
  }
}

function isUnknownTransaction(error: unknown): boolean {
  return hasSign(error, { words: [/\bindexing is in progress\b|\b(?:transaction|receipt) (?:was )?not found\b/iu] });
}

/** Content of a transaction, independent of its hash. */
interface Payload {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly value: bigint;
}

/**
 * Finds the transaction that used a nonce, in the first block with a higher account nonce. Returns undefined if the
 * node has no old state.
 */
export async function findByNonce(
  client: Client,
  { from, nonce, fromBlock }: Pick<JournaledTransaction, "from" | "nonce" | "fromBlock">,
): Promise<Transaction | undefined> {
  let low = BigInt(fromBlock);
  let high = await getBlockNumber(client, { cacheTime: 0 });
  try {
    while (low < high) {
      const middle = (low + high) / 2n;
      const count = await getTransactionCount(client, { address: from as Hex, blockNumber: middle });
      if (count > nonce) high = middle;
      else low = middle + 1n;
    }
  } catch (error) {
    const isSilence = error instanceof HttpRequestError || error instanceof TimeoutError;
    if (isSilence || !(error instanceof BaseError) || kitErrorIn(error) !== undefined) throw error;
    return undefined;
  }
  const { transactions } = await getBlock(client, { blockNumber: high, includeTransactions: true });
  return transactions.find((transaction) => isSameAddress(transaction.from, from) && transaction.nonce === nonce);
}

/**
 * Finds the transaction in the mempool, if the node exposes it.
 *
 * @param isInBatch whether the transaction can contain the call among other calls
 */
export async function findPending(client: Client, payload: Payload, isInBatch: boolean): Promise<Hex | undefined> {
  const { transactions } = await getBlock(client, { blockTag: "pending", includeTransactions: true });
  return transactions.find(
    (transaction) => performs(transaction, payload) || (isInBatch && contains(transaction, payload)),
  )?.hash;
}

/**
 * Whether a transaction of the account makes a step's call. Wallets append data to a call, such as their id, and allow
 * the user to change the amount of an approval.
 */
export function performs(
  { from, to, input, value }: Pick<Transaction, "from" | "to" | "input" | "value">,
  payload: Payload,
): boolean {
  if (to === null || !isSameAddress(from, payload.from) || !isSameAddress(to, payload.to)) return false;
  const [made, asked] = [input.toLowerCase(), payload.data.toLowerCase()];
  if (value !== payload.value) return false;
  if (asked === "0x") return made === asked;
  return made.startsWith(asked.startsWith(APPROVE) ? asked.slice(0, APPROVED_SPENDER) : asked);
}

/** Selector of `approve(address,uint256)`. */
const APPROVE = "0x095ea7b3";

/** Number of characters of the selector and the spender. */
const APPROVED_SPENDER = APPROVE.length + 64;

export function contains({ input }: Pick<Transaction, "input">, { data }: Pick<Payload, "data">): boolean {
  return data !== "0x" && input.toLowerCase().includes(data.slice(2).toLowerCase());
}

/** Returns the status of a request if the service knows its payment, or else undefined. */
export async function reportedStatus(
  client: ServiceClient,
  requestId: string,
  signal: AbortSignal | undefined,
): Promise<IntentStatus | undefined> {
  try {
    const status = await getStatus(client, { requestId, signal });
    return status.status === "waiting" ? undefined : status;
  } catch (error) {
    // A service does not necessarily know a request before its deposit.
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}
