import type { Pool } from "pg";

import { FAIL_REASONS } from "../../packages/protocol/src/schema/values.ts";

/** Parameters of a listing. */
export type Query = Readonly<Record<string, string | number>>;

/** Filters of one kind, with different values. */
export interface Family {
  readonly name: string;
  /** Limit for the 99th percentile, in milliseconds. */
  readonly limitMs: number;
  readonly queries: readonly Query[];
}

/** A request that provides values for filters. */
interface Sample {
  readonly id: string;
  readonly order_id: string;
  readonly hash: string;
  readonly user: string;
  readonly recipient: string;
  readonly request_type: string;
  readonly origin_chain_id: string;
  readonly destination_chain_id: string;
  readonly origin_currency: string;
  readonly destination_currency: string;
  readonly origin_symbol: string;
  readonly destination_symbol: string;
  readonly deposit_address: string;
  readonly deposit_block: string;
  readonly amount_usd: string;
  readonly app_fees_usd: string;
  readonly fill_time_seconds: string;
  readonly created: string;
}

function unknownWallets(index: number): string[] {
  return Array.from({ length: 50 }, (_, place) => `0x${(index * 50 + place).toString(16).padStart(40, "9")}`);
}

/** Builds the families of filters from values of existing requests. The result is deterministic. */
export async function readFamilies(pool: Pool, apiKey: string, count: number): Promise<Family[]> {
  const { rows } = await pool.query<Sample>(
    `select requests.*, hash, floor(extract(epoch from requests.created_at)) as created
     from requests join transactions on request_id = requests.id and purpose = 'deposit'
     where requests.deposit_address is not null and requests.status = 'success'
     order by md5(requests.id) limit $1`,
    [count],
  );
  const family = (name: string, toQuery: (sample: Sample, index: number) => Query, limitMs = 25): Family => ({
    name,
    limitMs,
    queries: rows.map(toQuery),
  });
  /** Has fewer samples, because planning takes longer than reading. */
  const long = (name: string, toQuery: (sample: Sample, index: number) => Query): Family => family(name, toQuery, 100);
  const pick = <Value>(values: readonly [Value, ...Value[]], index: number): Value =>
    values[index % values.length] ?? values[0];
  return [
    family("no filter", () => ({})),
    family("id", ({ id }) => ({ id })),
    family("orderId", ({ order_id }) => ({ orderId: order_id })),
    family("transaction hash", ({ hash }) => ({ depositTxHash: hash })),
    family("term", ({ hash, user, id }, index) => ({ term: pick([hash, user, id], index) })),
    family("user", ({ user }) => ({ user })),
    family("user, none", ({ id }) => ({ user: id.slice(0, 42) })),
    family("recipient", ({ recipient }) => ({ recipient })),
    family("depositAddress", ({ deposit_address }) => ({ depositAddress: deposit_address })),
    family("children of an id", ({ id }) => ({ id, includeChildRequests: "true" })),
    family("status", (_, index) => ({
      status: pick(["success", "refund", "failure", "pending", "depositing"], index),
    })),
    family("failReason", (_, index) => ({ failReason: pick(["SLIPPAGE", "TOO_LITTLE_RECEIVED", "UNKNOWN"], index) })),
    family("refundFailReason", () => ({ refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND" })),
    family("apiKey", () => ({ apiKey })),
    family("apiKey and referrer", (_, index) => ({
      apiKey,
      filters: JSON.stringify([{ referrer: `app-${index}` }]),
    })),
    family("requestType", ({ request_type }) => ({ requestType: request_type })),
    family("originChainId", ({ origin_chain_id }) => ({ originChainId: origin_chain_id })),
    family("chainId", ({ destination_chain_id }) => ({ chainId: destination_chain_id })),
    family("currency address", ({ origin_currency }) => ({ currencyInAddress: origin_currency })),
    family("currency symbol", ({ destination_symbol }) => ({ currencyOutSymbol: destination_symbol })),
    family("times", ({ created }) => ({ startTimestamp: Number(created) - 3_600, endTimestamp: created })),
    family("blocks", ({ deposit_block }) => ({ startBlock: Number(deposit_block) - 5_000, endBlock: deposit_block })),
    family("amountUsd", ({ amount_usd }) => ({ amountUsdMin: amount_usd, amountUsdMax: Number(amount_usd) * 1.01 })),
    family("appFeesAmountUsd", ({ app_fees_usd }) => ({
      appFeesAmountUsdMin: Number(app_fees_usd) + 1,
      appFeesAmountUsdMax: (Number(app_fees_usd) + 1) * 1.01,
    })),
    family("fillTime", (_, index) => ({ fillTimeMin: 100 + index, fillTimeMax: 101 + index })),
    family("features", (_, index) => ({
      features: pick(["app_fees", "gas_top_up", "fixed_rate", "gasless_swap"], index),
    })),
    family("groups", ({ user, origin_chain_id }) => ({
      filters: JSON.stringify([
        { user },
        { status: "pending", originChainId: Number(origin_chain_id) },
        { failReason: ["SLIPPAGE", "NO_QUOTES"], "not:status": "refund" },
      ]),
    })),
    long("50 unknown recipients, as groups", (_, index) => ({
      filters: JSON.stringify(unknownWallets(index).map((recipient) => ({ recipient }))),
    })),
    long("50 unknown recipients by amountUsd", (_, index) => ({
      filters: JSON.stringify([{ recipient: unknownWallets(index) }]),
      sortBy: "amountUsd",
    })),
    long("20 failReasons, no deposit", () => ({
      filters: JSON.stringify([{ failReason: FAIL_REASONS.slice(-20), depositTxHash: null }]),
    })),
    family("no deposit, refund", () => ({ filters: JSON.stringify([{ depositTxHash: null, status: "refund" }]) })),
    family("no fill, success", () => ({ filters: JSON.stringify([{ fillTxHash: null, status: "success" }]) })),
    long("30 groups of two fields", (_, index) => ({
      filters: JSON.stringify(
        unknownWallets(index)
          .slice(0, 30)
          .map((user, place) => ({ recipient: user, currencyOutSymbol: `NONE-${place}` })),
      ),
    })),
    family("user and status", ({ user }) => ({ user, status: "refund" })),
    family("sort by updatedAt", ({ origin_chain_id }) => ({ originChainId: origin_chain_id, sortBy: "updatedAt" })),
    family("sort by amountUsd", ({ origin_chain_id }) => ({ originChainId: origin_chain_id, sortBy: "amountUsd" })),
  ];
}
