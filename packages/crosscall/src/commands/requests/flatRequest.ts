import { iterateRequests, iterateRequestsV2, type ServiceClient } from "@crosscall/sdk";
import type { Amount } from "@crosscall/protocol/common";
import type { RequestRecord, TransactionEntry } from "@crosscall/protocol/request/records";
import { type RequestRecordV2, toV3 } from "@crosscall/protocol/v2";
import type { ListingQuery } from "./toQuery.ts";

type LooseRecord = ListedRequest["record"];
type Cell = string | number | null | undefined;

/** Columns in the order of `docs/requests.md`. Amounts are in the smallest unit. */
export const COLUMNS = {
  id: ({ id }) => id,
  status: ({ status }) => status,
  requestType: ({ requestType }) => requestType,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  user: ({ user }) => user,
  sender: ({ sender }) => sender,
  recipient: ({ recipient }) => recipient,
  refundTo: ({ refundTo }) => refundTo,
  depositAddress: ({ depositAddress }) => depositAddress?.address,
  originChainId: (record) => paidOf(record)?.currency?.chainId,
  originCurrency: (record) => paidOf(record)?.currency?.address,
  originSymbol: (record) => paidOf(record)?.currency?.symbol,
  originAmount: (record) => paidOf(record)?.amount,
  originAmountFormatted: (record) => paidOf(record)?.amountFormatted,
  originAmountUsd: (record) => paidOf(record)?.amountUsd,
  destinationChainId: (record) => receivedOf(record)?.currency?.chainId,
  destinationCurrency: (record) => receivedOf(record)?.currency?.address,
  destinationSymbol: (record) => receivedOf(record)?.currency?.symbol,
  destinationAmount: (record) => receivedOf(record)?.amount,
  destinationAmountFormatted: (record) => receivedOf(record)?.amountFormatted,
  destinationAmountUsd: (record) => receivedOf(record)?.amountUsd,
  swapFeeUsd: (record) => feesOf(record)?.swap?.usd,
  executionFeeUsd: (record) => feesOf(record)?.execution?.usd,
  platformFeeUsd: (record) => feesOf(record)?.platform?.usd,
  appFeeUsd: (record) => feesOf(record)?.app?.usd,
  failReason: ({ data }) => data?.failReason,
  refundFailReason: ({ data }) => data?.refundFailReason,
  inTxHashes: ({ data }) => hashesOf(data?.inTxs),
  outTxHashes: ({ data }) => hashesOf(data?.outTxs),
  features: ({ features }) => features?.join(" "),
} as const satisfies Record<string, (record: LooseRecord) => Cell>;

/** Returns the cells of a record, with an empty cell for a missing value. */
export function toRow(record: LooseRecord): Record<keyof typeof COLUMNS, string> {
  return Object.fromEntries(
    Object.entries<(record: LooseRecord) => Cell>(COLUMNS).map(([name, read]) => [name, toCell(read(record))]),
  ) as Record<keyof typeof COLUMNS, string>;
}

/** Returns the deposited amount, or the quoted amount before the deposit. */
function paidOf({ data }: LooseRecord): Amount | null | undefined {
  return data?.route?.actual?.origin?.inputCurrency;
}

/** Returns the received amount, or the quoted amount before the fill. A same-chain swap has no destination side. */
function receivedOf({ data }: LooseRecord): Amount | null | undefined {
  const actual = data?.route?.actual;
  return (actual?.destination ?? actual?.origin)?.outputCurrency;
}

/** Returns the paid fees, or the quoted fees before the fill. */
function feesOf({ data }: LooseRecord) {
  return data?.fees?.actual ?? data?.fees?.quoted;
}

function hashesOf(entries: readonly Pick<TransactionEntry, "txHash">[] | null | undefined): string | undefined {
  return entries?.flatMap(({ txHash }) => txHash ?? []).join(" ");
}

/** Escapes a cell, so that a spreadsheet does not treat an untrusted token symbol as a formula. */
function toCell(value: Cell): string {
  const text = String(value ?? "");
  return /^[=+\-@\t\r]/u.test(text) && !/^-\d+(\.\d+)?$/u.test(text) ? `'${text}` : text;
}

/** A record as received, and in v3 form. */
export interface ListedRequest {
  readonly raw: RequestRecord | RequestRecordV2;
  readonly record: ReturnType<typeof toV3>["record"];
}

/** Iterates over all pages of either listing version. */
export async function* eachRequest(
  client: ServiceClient,
  listing: ListingQuery,
  signal: AbortSignal,
): AsyncGenerator<ListedRequest, void, undefined> {
  if (listing.version === 3) {
    for await (const raw of iterateRequests(client, listing.query, { signal })) yield { raw, record: raw };
    return;
  }
  const { query, force } = listing;
  for await (const raw of iterateRequestsV2(client, query, { signal, force })) yield fromV2(raw);
}

export function fromV2(raw: RequestRecordV2): ListedRequest {
  return { raw, record: toV3(raw).record };
}
