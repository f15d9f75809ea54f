import { MalformedDataError } from "@crosscall/protocol/core";
import type { Currency, DepositAddressType, Feature } from "@crosscall/protocol/common";
import { formatUsd, parseUsd } from "@crosscall/protocol/fees";
import type { FailReason, RefundFailReason, RequestStatus } from "@crosscall/protocol/request";
import type { RequestRecord } from "@crosscall/protocol/request/records";
import { isPresent, requireField } from "@crosscall/protocol/schema";
import type { NewRequest } from "../requests/requests.ts";
import type { TransactionPurpose } from "../transactions.ts";

export interface MirroredTransaction {
  readonly purpose: TransactionPurpose;
  readonly status: "success" | "failure";
  readonly hash: string;
}

export interface MirroredRequest {
  readonly request: NewRequest;
  readonly transactions: readonly MirroredTransaction[];
  readonly record: RequestRecord;
}

const RECORD = "the request record";

/**
 * Converts a record to rows. The record itself is stored as received. Filters on chains and currencies do not find a
 * record without a route.
 *
 * @param apiKeyHash null if the listing used no key
 * @throws {@link MalformedDataError} if id, status or times are missing, or a US dollar amount is malformed
 */
export function toMirroredRequest(record: RequestRecord, apiKeyHash: string | null): MirroredRequest {
  const { depositAddress, protocol } = record;
  const data = record.data ?? {};
  const origin = data.route?.quoted?.origin;
  const destination = data.route?.quoted?.destination ?? origin;
  const input = origin?.inputCurrency?.currency ?? undefined;
  const output = destination?.outputCurrency?.currency ?? undefined;
  const id = requireField(record.id, RECORD, "id");
  const appFees = data.appFees?.quoted ?? [];
  return {
    request: {
      id,
      order_id: protocol?.orderId ?? null,
      // Keeps an unknown value as received.
      status: requireField(record.status, RECORD, "status") as RequestStatus,
      user: record.user ?? "",
      recipient: record.recipient ?? "",
      refund_to: record.refundTo ?? null,
      request_type: record.requestType ?? "",
      ...currencyColumns(input, output),
      amount_usd: formatUsd(parse(origin?.inputCurrency?.amountUsd, id), 6),
      app_fees_usd: formatUsd(
        appFees.reduce((sum, { amountUsd }) => sum + parse(amountUsd, id), 0n),
        6,
      ),
      features: (record.features ?? []) as Feature[],
      referrer: data.referrer ?? null,
      api_key_hash: apiKeyHash,
      deposit_address: depositAddress?.address ?? null,
      deposit_address_type: (depositAddress?.type ?? null) as DepositAddressType | null,
      parent_request_id: null,
      fail_details: null,
      failed_block: data.failedTxBlockNumber ?? null,
      deposit_block: data.inTxs?.find(({ chainId }) => chainId === input?.chainId)?.block ?? null,
      fill_time_seconds: fillTimeOf(record),
      fail_reason: (data.failReason ?? null) as FailReason | null,
      refund_fail_reason: (data.refundFailReason ?? null) as RefundFailReason | null,
      failed_call_data: data.failedCallData == null ? null : JSON.stringify(data.failedCallData),
      created_at: readTime(record.createdAt, "createdAt"),
      updated_at: readTime(record.updatedAt, "updatedAt"),
    },
    transactions: transactionsOf(record),
    record,
  };
}

function readTime(text: string | null | undefined, path: "createdAt" | "updatedAt"): Date {
  const time = new Date(requireField(text, RECORD, path));
  if (!Number.isNaN(time.getTime())) return time;
  throw new MalformedDataError({ what: RECORD, path, reason: "it is not an ISO 8601 time" });
}

function currencyColumns(input: Currency | undefined, output: Currency | undefined) {
  return {
    // No chain has id 0 and no filter is empty, so filters do not find a record without a route.
    origin_chain_id: input?.chainId ?? 0,
    destination_chain_id: output?.chainId ?? 0,
    origin_currency: input?.address ?? "",
    destination_currency: output?.address ?? "",
    origin_symbol: input?.symbol ?? "",
    destination_symbol: output?.symbol ?? "",
  };
}

function transactionsOf({ data, protocol, depositAddress }: RequestRecord): MirroredTransaction[] {
  const refundIds = protocol?.settlement?.destination?.refunds ?? [];
  const refunds = new Set(
    refundIds
      .map(({ transactionId }) => transactionId)
      .filter(isPresent)
      .map(lower),
  );
  const rows = [
    ...(data?.inTxs ?? []).map(({ txHash, status }) => toRow("deposit", txHash, status)),
    ...(data?.outTxs ?? []).map(({ txHash, status }) =>
      toRow(isPresent(txHash) && refunds.has(lower(txHash)) ? "refund" : "fill", txHash, status),
    ),
    toRow("fill", data?.failedTxHash, "failure"),
    toRow("deposit", depositAddress?.depositTxHash, "success"),
  ].filter(isPresent);
  // If a transaction is listed more than once, a failure takes precedence.
  const byKey = new Map(rows.map((row) => [`${row.purpose} ${row.hash}`, row]));
  for (const row of rows.filter(({ status }) => status === "failure")) byKey.set(`${row.purpose} ${row.hash}`, row);
  return [...byKey.values()];
}

function toRow(
  purpose: TransactionPurpose,
  hash: string | null | undefined,
  status: string | null | undefined,
): MirroredTransaction | undefined {
  if (!isPresent(hash)) return undefined;
  return { purpose, status: status === "failure" ? "failure" : "success", hash: lower(hash) };
}

/** Stores hex hashes in lower case, and other hashes unchanged. */
function lower(hash: string): string {
  return /^0x[\da-f]*$/iu.test(hash) ? hash.toLowerCase() : hash;
}

/**
 * Returns the fill time in seconds. It is at least 0, because a fill cannot precede its deposit, although the clocks of
 * chains differ.
 */
function fillTimeOf({ data, status }: RequestRecord): number | null {
  const depositedAt = data?.inTxs?.[0]?.timestamp;
  const filledAt = data?.outTxs?.find((entry) => entry.status === "success")?.timestamp;
  if (status !== "success" || !isPresent(depositedAt) || !isPresent(filledAt)) return null;
  return Math.max(filledAt - depositedAt, 0);
}

function parse(amountUsd: string | null | undefined, requestId: string): bigint {
  return isPresent(amountUsd) ? parseUsd(amountUsd, `request ${requestId}`, "amountUsd") : 0n;
}
