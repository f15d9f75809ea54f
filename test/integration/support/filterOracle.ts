import type {
  FieldCondition,
  RangeCondition,
  RequestFilter,
} from "../../../packages/crosscall/src/localnet/store/requests/filter.ts";
import type { RequestPage } from "../../../packages/crosscall/src/localnet/store/requests/listRequests.ts";
import type { SyntheticRequest } from "./randomRequests.ts";

type Text = string | null | undefined;

/** The expected ids of a listing, in order, found by a scan of all requests. */
export function listByHand(
  all: readonly SyntheticRequest[],
  { filter, sortBy, direction }: Pick<RequestPage, "filter" | "sortBy" | "direction">,
): string[] {
  const sign = direction === "asc" ? 1 : -1;
  const keyOf = ({ request }: SyntheticRequest): number => {
    if (sortBy === "amountUsd") return Number(request.amount_usd);
    return (sortBy === "createdAt" ? request.created_at : request.updated_at).getTime();
  };
  return all
    .filter((item) => passes(item, filter, all))
    .toSorted((a, b) => sign * (keyOf(a) - keyOf(b) || (a.request.id < b.request.id ? -1 : 1)))
    .map(({ request }) => request.id);
}

function passes(item: SyntheticRequest, filter: RequestFilter, all: readonly SyntheticRequest[]): boolean {
  const { conditions, groups, ranges, features, includesChildren } = filter;
  const parent = all.find(({ request }) => request.id === item.request.parent_request_id);
  return (
    conditions.every(
      (condition) =>
        meets(item, condition) ||
        (includesChildren &&
          ["id", "depositAddress"].includes(condition.field) &&
          parent !== undefined &&
          meets(parent, condition)),
    ) &&
    (groups.length === 0 || groups.some((group) => group.every((condition) => meets(item, condition)))) &&
    ranges.every((range) => liesIn(item, range)) &&
    (features.length === 0 || features.some((feature) => item.request.features.includes(feature)))
  );
}

function meets(item: SyntheticRequest, condition: FieldCondition): boolean {
  return matches(item, condition) !== condition.isNegated;
}

function matches(item: SyntheticRequest, { field, values }: FieldCondition): boolean {
  const { request, transactions } = item;
  const hashes = (purpose?: string): string[] =>
    transactions
      .filter((row) => purpose === undefined || (row.purpose === purpose && row.status !== "failure"))
      .map((row) => row.hash);
  const among = (seen: readonly Text[], isSame: (seen: string, wanted: string) => boolean): boolean => {
    const there = seen.filter((text) => text != null);
    if (values === null) return there.length === 0;
    return there.some((text) => values.some((value) => isSame(text, String(value))));
  };
  const chain = (...ids: number[]): boolean => values?.some((value) => ids.includes(Number(value))) ?? false;
  switch (field) {
    case "originChainId":
    case "currencyInChainId":
      return chain(request.origin_chain_id);
    case "destinationChainId":
    case "currencyOutChainId":
      return chain(request.destination_chain_id);
    case "chainId":
      return chain(request.origin_chain_id, request.destination_chain_id);
    case "term":
      return among([request.id, request.user, request.recipient, request.deposit_address, ...hashes()], isSameAddress);
    case "id":
      return among([request.id], isSameAddress);
    case "orderId":
      return among([request.order_id], isSameAddress);
    case "hash":
      return among(hashes(), isSameAddress);
    case "depositTxHash":
      return among(hashes("deposit"), isSameAddress);
    case "fillTxHash":
      return among(hashes("fill"), isSameAddress);
    case "refundTxHash":
      return among(hashes("refund"), isSameAddress);
    case "user":
      return among([request.user, request.recipient], isSameAddress);
    case "recipient":
      return among([request.recipient], isSameAddress);
    case "depositAddress":
      return among([request.deposit_address], isSameAddress);
    case "currencyInAddress":
      return among([request.origin_currency], isSameAddress);
    case "currencyOutAddress":
      return among([request.destination_currency], isSameAddress);
    case "status":
      return among([request.status], isSame);
    case "failReason":
      return among([request.fail_reason], isSame);
    case "refundFailReason":
      return among([request.refund_fail_reason], isSame);
    case "apiKeyHash":
      return among([request.api_key_hash], isSame);
    case "referrer":
      return among([request.referrer], isSame);
    case "requestType":
      return among([request.request_type], isSameWord);
    case "currencyInSymbol":
      return among([request.origin_symbol], isSameWord);
    case "currencyOutSymbol":
      return among([request.destination_symbol], isSameWord);
  }
}

const isSame = (a: string, b: string): boolean => a === b;
const isSameWord = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const isSameAddress = (a: string, b: string): boolean => (a.startsWith("0x") ? isSameWord(a, b) : a === b);

function liesIn({ request }: SyntheticRequest, { field, min, max }: RangeCondition): boolean {
  const wholeSecond = (at: Date): number => Math.floor(at.getTime() / 1_000);
  const value = {
    createdAt: wholeSecond(request.created_at),
    updatedAt: wholeSecond(request.updated_at),
    depositBlock: request.deposit_block ?? undefined,
    amountUsd: Number(request.amount_usd),
    appFeesAmountUsd: Number(request.app_fees_usd),
    fillTime: request.fill_time_seconds ?? undefined,
  }[field];
  if (min === undefined && max === undefined) return true;
  return (
    value !== undefined && (min === undefined || value >= Number(min)) && (max === undefined || value <= Number(max))
  );
}
