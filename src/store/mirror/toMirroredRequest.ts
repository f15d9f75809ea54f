import type { Currency } from "../../protocol/currency.ts";
import type { FailReason, RefundFailReason } from "../../protocol/failReasons.ts";
import type { RequestRecord } from "../../protocol/requestRecord.ts";
import type { RequestStatus } from "../../protocol/requestStatus.ts";
import type { DepositAddressType, Feature } from "../../protocol/requestType.ts";
import { formatUsd, parseUsd } from "../../protocol/usd.ts";
import type { NewRequest } from "../tables/requestTables.ts";
import type { TransactionPurpose } from "../tables/transactionTables.ts";

/** A transaction of a mirrored request, by which it is found. */
export interface MirroredTransaction {
  readonly purpose: TransactionPurpose;
  readonly status: "success" | "failure";
  readonly hash: string;
}

/** A record as rows. */
export interface MirroredRequest {
  readonly request: NewRequest;
  readonly transactions: readonly MirroredTransaction[];
  readonly record: RequestRecord;
}

/**
 * The rows of a record: what listings filter and sort by, and its transactions. The record itself is kept as it came.
 *
 * A record that has no route (spec 1, section 2.2) tells neither chains nor currencies: no filter on them finds it.
 *
 * @param apiKeyHash of the key that the record was listed by; null where it was listed without one
 * @throws {@link MalformedDataError} when an amount of US dollars is none
 */
export function toMirroredRequest(record: RequestRecord, apiKeyHash: string | null): MirroredRequest {
  const { data, depositAddress, protocol } = record;
  const origin = data.route?.quoted.origin;
  const destination = data.route?.quoted.destination ?? origin;
  const input = origin?.inputCurrency.currency;
  const output = destination?.outputCurrency.currency;
  return {
    request: {
      id: record.id,
      order_id: protocol?.orderId ?? null,
      // An enumeration may have grown since this version: what it does not know is kept as it came.
      status: record.status as RequestStatus,
      user: record.user,
      recipient: record.recipient,
      refund_to: record.refundTo,
      request_type: record.requestType ?? "",
      ...currencyColumns(input, output),
      amount_usd: usdColumn(origin?.inputCurrency.amountUsd, record.id),
      app_fees_usd: formatUsd(
        data.appFees.quoted.reduce((sum, { amountUsd }) => sum + parse(amountUsd, record.id), 0n),
        6,
      ),
      features: record.features as Feature[],
      referrer: data.referrer ?? null,
      api_key_hash: apiKeyHash,
      deposit_address: depositAddress?.address ?? null,
      deposit_address_type: (depositAddress?.type ?? null) as DepositAddressType | null,
      parent_request_id: null,
      fail_details: null,
      failed_block: data.failedTxBlockNumber ?? null,
      deposit_block: data.inTxs.find(({ chainId }) => chainId === input?.chainId)?.block ?? null,
      fill_time_seconds: fillTimeOf(record),
      fail_reason: data.failReason as FailReason | null,
      refund_fail_reason: data.refundFailReason as RefundFailReason | null,
      failed_call_data: data.failedCallData == null ? null : JSON.stringify(data.failedCallData),
      created_at: new Date(record.createdAt),
      updated_at: new Date(record.updatedAt),
    },
    transactions: transactionsOf(record),
    record,
  };
}

function currencyColumns(input: Currency | undefined, output: Currency | undefined) {
  return {
    // No chain has the id 0, and no filter is empty: a record without a route is found by neither.
    origin_chain_id: input?.chainId ?? 0,
    destination_chain_id: output?.chainId ?? 0,
    origin_currency: input?.address ?? "",
    destination_currency: output?.address ?? "",
    origin_symbol: input?.symbol ?? "",
    destination_symbol: output?.symbol ?? "",
  };
}

function transactionsOf({ id: _, data, protocol, depositAddress }: RequestRecord): MirroredTransaction[] {
  const refunds = new Set(protocol?.settlement?.destination?.refunds.map(({ transactionId }) => lower(transactionId)));
  const rows = [
    ...data.inTxs.map(({ txHash, status }) => toRow("deposit", txHash, status)),
    ...data.outTxs.map(({ txHash, status }) => toRow(refunds.has(lower(txHash)) ? "refund" : "fill", txHash, status)),
    ...(data.failedTxHash == null ? [] : [toRow("fill", data.failedTxHash, "failure")]),
    ...(depositAddress?.depositTxHash == null ? [] : [toRow("deposit", depositAddress.depositTxHash, "success")]),
  ];
  // One transaction may be told at several places, and where it failed that is what counts.
  const byKey = new Map(rows.map((row) => [`${row.purpose} ${row.hash}`, row]));
  for (const row of rows.filter(({ status }) => status === "failure")) byKey.set(`${row.purpose} ${row.hash}`, row);
  return [...byKey.values()];
}

function toRow(purpose: TransactionPurpose, hash: string, status: string): MirroredTransaction {
  return { purpose, status: status === "failure" ? "failure" : "success", hash: lower(hash) };
}

/** Hexadecimal hashes are kept in lower case, as listings look for them; those of other chains to the letter. */
function lower(hash: string): string {
  return /^0x[\da-f]*$/iu.test(hash) ? hash.toLowerCase() : hash;
}

/** Seconds from the deposit's block to the fill's; undefined chains' clocks differ, and no fill comes before its deposit. */
function fillTimeOf({ data, status }: RequestRecord): number | null {
  const [deposit] = data.inTxs;
  const fill = data.outTxs.find((entry) => entry.status === "success");
  if (status !== "success" || deposit === undefined || fill === undefined) return null;
  return Math.max(fill.timestamp - deposit.timestamp, 0);
}

function usdColumn(amountUsd: string | undefined, requestId: string): string {
  return formatUsd(parse(amountUsd, requestId), 6);
}

function parse(amountUsd: string | undefined, requestId: string): bigint {
  return amountUsd === undefined ? 0n : parseUsd(amountUsd, `request ${requestId}`, "amountUsd");
}
