import { decodeFunctionData, erc20Abi, type Hex, toFunctionSelector } from "viem";

import { depositoryAbi, routerAbi } from "@crosscall/protocol/abi";
import type { IntentStatus, TransactionEntry } from "@crosscall/protocol/complete";
import { NO_REASON } from "@crosscall/protocol/schema";
import type { RequestRow, RequestState } from "../../store/requests/requests.ts";
import type { ListedTransaction, TransactionContents } from "../../store/transactions.ts";
import { formatUsd, usdValue } from "../../market/currencies.ts";
import type { LostDeposit } from "../../store/deposits.ts";
import type { Pricer } from "../../market/market.ts";

export interface RequestTransactions {
  readonly deposit: ListedTransaction | undefined;
  readonly fill: ListedTransaction | undefined;
  readonly refund: ListedTransaction | undefined;
  /** Deposits in the order of the inputs. `deposit` is the first. */
  readonly deposits: readonly ListedTransaction[];
  /** Refunds in the order of the inputs. `refund` is the first. */
  readonly refunds: readonly ListedTransaction[];
  /** Refund of the surplus that a strict deposit address received above its order. */
  readonly excess: ListedTransaction | undefined;
  /** Withdrawal of a kept deposit to the recovery address. */
  readonly recovery: ListedTransaction | undefined;
  readonly payment: ListedTransaction | undefined;
}

export function selectTransactions(request: RequestRow, rows: readonly ListedTransaction[]): RequestTransactions {
  const list = (purpose: ListedTransaction["purpose"]): readonly ListedTransaction[] =>
    rows
      .filter((row) => row.request_id === request.id && row.purpose === purpose)
      .toSorted((one, other) => one.input_index - other.input_index);
  const find = (purpose: ListedTransaction["purpose"]): ListedTransaction | undefined => list(purpose)[0];
  return {
    deposit: find("deposit"),
    fill: find("fill"),
    refund: find("refund"),
    deposits: list("deposit"),
    refunds: list("refund"),
    excess: find("excess"),
    recovery: find("recovery"),
    payment: find("payment"),
  };
}

/**
 * Returns the reasons. As on the live service, only failures and refunds have a reason, which defaults to `UNKNOWN`.
 */
export function toReasons(
  { fail_reason, refund_fail_reason }: Pick<RequestRow, "fail_reason" | "refund_fail_reason">,
  status: RequestRow["status"],
): Required<Pick<IntentStatus, "failReason" | "refundFailReason">> {
  const hasReason = status === "failure" || status === "refund";
  return {
    failReason: hasReason ? (fail_reason ?? "UNKNOWN") : NO_REASON,
    refundFailReason: refund_fail_reason ?? NO_REASON,
  };
}

/** Returns the status of an intent (spec 1, section 4.3). */
export function toIntentStatus(
  request: Omit<RequestState, "transactions">,
  transactions: RequestState["transactions"],
): IntentStatus {
  const hashesOf = (...purposes: readonly ListedTransaction["purpose"][]): string[] =>
    purposes.flatMap((purpose) => transactions.filter((row) => row.purpose === purpose).map(({ hash }) => hash));
  return {
    status: request.status,
    ...(request.fail_reason === null ? {} : { details: detailsOf(request) }),
    ...toReasons(request, request.status),
    inTxHashes: hashesOf("deposit"),
    txHashes: hashesOf("fill", "refund", "excess", "recovery"),
    updatedAt: request.updated_at.getTime(),
    quoteCreatedAt: request.created_at.getTime(),
    originChainId: request.origin_chain_id,
    destinationChainId: request.destination_chain_id,
  };
}

function detailsOf({ fail_reason, fail_details }: Pick<RequestRow, "fail_reason" | "fail_details">): string | null {
  return fail_details === null ? fail_reason : `${fail_reason}: ${fail_details}`;
}

/** Known functions by selector. Hashing their signatures each time would take longer than the rest of a record. */
const FUNCTIONS = new Map(
  [...depositoryAbi, ...routerAbi, ...erc20Abi]
    .filter((item) => item.type === "function")
    .map((item) => [toFunctionSelector(item), item]),
);

/** A decoded call of a record; amounts are decimal. */
interface DecodedCall {
  readonly functionName: string;
  readonly args: unknown;
}

/**
 * Builds an entry of `inTxs` or `outTxs` (spec 1, section 2.3), for transactions in a block. The specification shows
 * neither `data` nor `stateChanges`. Here, `data` is `{from, to, value, input, call}` with the decoded call, if its
 * function is known. `stateChanges` lists `{address, currency, amount}` in the smallest unit, without gas.
 */
export function toEntries({ currencies }: Pricer, row: ListedTransaction | undefined): TransactionEntry[] {
  if (row === undefined || row.status === "pending" || row.block_number === null || row.block_timestamp === null) {
    return [];
  }
  return [
    {
      txHash: row.hash,
      fee: row.fee ?? "0",
      feeUsd: formatUsd(usdValue(BigInt(row.fee ?? "0"), currencies.nativeOf(row.chain_id))),
      block: row.block_number,
      type: "onchain",
      chainId: row.chain_id,
      timestamp: row.block_timestamp,
      status: row.status,
      ...(row.contents === undefined
        ? {}
        : { data: toData(row.sender, row.contents), stateChanges: row.contents.stateChanges }),
    },
  ];
}

function toData(from: string, { to, input, value }: TransactionContents) {
  return { from, to, value: value.toString(), input, call: decodeCall(input) };
}

/** Decodes a call. Returns null for a plain transfer or an unknown function. */
function decodeCall(input: string): DecodedCall | null {
  const item = FUNCTIONS.get(input.slice(0, 10).toLowerCase() as Hex);
  if (item === undefined) return null;
  try {
    const { functionName, args } = decodeFunctionData({ abi: [item], data: input as Hex });
    return { functionName, args: toPlain(args) };
  } catch {
    return null;
  }
}

function toPlain(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toPlain(part)]));
}

/** Builds the `inTxs` entry of v2 records for a deposit whose block a reorg replaced. */
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
        // An earlier fill stays valid. Without a fill, the deposit cannot be filled.
        action: status === "success" || status === "submitted" ? "fill" : "refund",
        blockNumber: deposit.block_number,
        blockHash: deposit.block_hash,
        receiptStatus: "success",
      },
    },
  };
}
