import { expect } from "chai";
import { type RawBuilder, sql } from "kysely";

import { FAIL_REASONS } from "../../packages/protocol/src/schema/values.ts";
import {
  EVERY_REQUEST,
  type FieldCondition,
  type RangeCondition,
  type RequestFilter,
  type TextField,
} from "../../packages/crosscall/src/localnet/store/requests/filter.ts";
import { filterToSql } from "../../packages/crosscall/src/localnet/store/requests/filterSql.ts";
import { pageToSql } from "../../packages/crosscall/src/localnet/store/requests/listRequests.ts";
import { ensureMonth } from "../../packages/crosscall/src/localnet/store/requests/months.ts";
import type { Store } from "../../packages/crosscall/src/localnet/store/store.ts";
import { onEachDatabase } from "./support/onEachDatabase.ts";

const COUNT = 20_000;

const only = (...conditions: FieldCondition[]): RequestFilter => ({ ...EVERY_REQUEST, conditions });
const text = (field: TextField, ...values: string[]) => only({ field, values, isNegated: false });
const within = (range: RangeCondition): RequestFilter => ({ ...EVERY_REQUEST, ranges: [range] });

/** Filter from each family that matches few of many requests, with the indexes that it uses. */
const FAMILIES: Record<string, [filter: RequestFilter, indexes: readonly string[]]> = {
  id: [text("id", "r77"), ["request_ids_month"]],
  orderId: [text("orderId", "o77"), ["request_ids_order_id_key"]],
  "a transaction's hash": [text("depositTxHash", "h77"), ["transactions_hash", "record_transactions_hash"]],
  user: [text("user", "u77"), ["requests_user", "requests_recipient"]],
  recipient: [text("recipient", "u77"), ["requests_recipient"]],
  depositAddress: [text("depositAddress", "d50"), ["requests_deposit_address"]],
  status: [text("status", "refund"), ["requests_status"]],
  failReason: [text("failReason", "SLIPPAGE"), ["requests_fail_reason"]],
  refundFailReason: [text("refundFailReason", "SLIPPAGE"), ["requests_refund_fail_reason"]],
  apiKey: [text("apiKeyHash", "k7"), ["requests_api_key"]],
  referrer: [text("referrer", "app7"), ["requests_referrer"]],
  requestType: [text("requestType", "wrap"), ["requests_type"]],
  originChainId: [only({ field: "originChainId", values: [7], isNegated: false }), ["requests_origin_chain"]],
  destinationChainId: [
    only({ field: "destinationChainId", values: [7], isNegated: false }),
    ["requests_destination_chain"],
  ],
  currencyInAddress: [text("currencyInAddress", "0xC7"), ["requests_origin_currency"]],
  currencyOutAddress: [text("currencyOutAddress", "0xC7"), ["requests_destination_currency"]],
  currencyInSymbol: [text("currencyInSymbol", "s7"), ["requests_origin_symbol"]],
  currencyOutSymbol: [text("currencyOutSymbol", "s7"), ["requests_destination_symbol"]],
  term: [
    text("term", "u77"),
    ["requests_pkey", "requests_user", "requests_recipient", "requests_deposit_address", "transactions_hash"],
  ],
  children: [{ ...text("id", "r50"), includesChildren: true }, ["requests_pkey", "requests_parent"]],
  createdAt: [within({ field: "createdAt", min: "1800000100", max: "1800000110" }), ["requests_created"]],
  updatedAt: [within({ field: "updatedAt", min: "1800000100", max: "1800000110" }), ["requests_updated"]],
  depositBlock: [within({ field: "depositBlock", min: "100", max: "110" }), ["requests_deposit_block"]],
  amountUsd: [within({ field: "amountUsd", min: "100.5", max: "110" }), ["requests_amount_usd"]],
  appFeesAmountUsd: [within({ field: "appFeesAmountUsd", min: "100.5", max: "110" }), ["requests_app_fees_usd"]],
  fillTime: [within({ field: "fillTime", min: "100", max: "110" }), ["requests_fill_time"]],
  "many recipients": [text("recipient", ...Array.from({ length: 50 }, (_, n) => `u${n}`)), ["requests_recipient"]],
  "many recipients, as groups": [
    {
      ...EVERY_REQUEST,
      groups: Array.from({ length: 50 }, (_, n) => [{ field: "recipient", values: [`u${n}`], isNegated: false }]),
    },
    ["requests_recipient"],
  ],
  "no deposit": [
    only(
      { field: "depositTxHash", values: null, isNegated: false },
      { field: "status", values: ["refund"], isNegated: false },
    ),
    ["requests_no_deposit"],
  ],
  "no deposit and many reasons": [
    only(
      { field: "depositTxHash", values: null, isNegated: false },
      { field: "failReason", values: FAIL_REASONS.slice(0, 20), isNegated: false },
    ),
    ["requests_no_deposit"],
  ],
  features: [{ ...EVERY_REQUEST, features: ["gas_top_up"] }, ["requests_features"]],
};

onEachDatabase("the indexes of the store", (open) => {
  const names = new Map<string, string>();
  let store: Store;

  before(async () => {
    store = await open();
    await ensureMonth(store.db, new Date(1_800_000_000_000));
    await sql`
      insert into request_ids select 'r' || n, 'o' || n, to_timestamp(1800000000 + n)
      from generate_series(1, ${sql.lit(COUNT)}) as n`.execute(store.db);
    await sql`
      insert into requests (id, order_id, status, "user", recipient, request_type, origin_chain_id,
        destination_chain_id, origin_currency, destination_currency, created_at, updated_at, api_key_hash, origin_symbol, destination_symbol, amount_usd, app_fees_usd, features, deposit_address,
        parent_request_id, deposit_block, fill_time_seconds, fail_reason, refund_fail_reason, referrer)
      select 'r' || n, 'o' || n, case when n % 200 = 0 then 'refund' else 'success' end, 'u' || n % 5000,
        'u' || n % 4999, case when n % 200 = 0 then 'Wrap' else 'Bridge' end, n % 300, n % 299,
        '0xc' || n % 300, '0xc' || n % 299,
        to_timestamp(1800000000 + n), to_timestamp(1800000000 + n), 'k' || n % 300, 'S' || n % 300, 'S' || n % 299, n, n,
        case when n % 2000 = 0 then array['gas_top_up'] else array['fast_fill'] end,
        case when n % 10 = 0 then 'd' || n end, case when n % 100 = 51 then 'r' || n - 1 end, n, n,
        case when n % 200 = 0 then 'SLIPPAGE' end, case when n % 200 = 0 then 'SLIPPAGE' end,
        case when n % 10 = 0 then 'app' || n % 300 end
      from generate_series(1, ${sql.lit(COUNT)}) as n`.execute(store.db);
    await sql`
      insert into transactions (request_id, purpose, chain_id, hash, sender, status, amount, currency, created_at)
      select 'r' || n, 'deposit', 1, 'h' || n, 's', 'success', 1, 'c', now()
      from generate_series(1, ${sql.lit(COUNT)}) as n`.execute(store.db);
    await sql`
      insert into records select 'r' || n, '{}' from generate_series(1, ${sql.lit(COUNT)}) as n`.execute(store.db);
    await sql`
      insert into record_transactions select 'r' || n, 'fill', 'success', 'm' || n
      from generate_series(1, ${sql.lit(COUNT)}) as n`.execute(store.db);
    await sql`analyze`.execute(store.db);
    const { rows } = await sql<{ part: string; whole: string }>`
      select inhrelid::regclass::text as part, inhparent::regclass::text as whole from pg_inherits`.execute(store.db);
    for (const { part, whole } of rows) names.set(part, whole);
  });
  after(() => store.close());

  /** Returns the query plan, in which each monthly index has the name of its parent index. */
  const explain = async (query: RawBuilder<unknown>): Promise<string> => {
    const { rows } = await sql<{ "QUERY PLAN": string }>`explain (costs off) ${query}`.execute(store.db);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    return plan.replace(/\brequests_\d{4}_\d{2}\w+/gu, (name) => names.get(name) ?? name);
  };

  for (const [family, [filter, indexes]] of Object.entries(FAMILIES)) {
    it(`find requests by ${family} without a table scan`, async () => {
      const page = { filter, sortBy: "createdAt", direction: "desc", limit: 21 } as const;
      const plan = await explain(pageToSql(page, false));
      // The listing reads only the orders on its page, and this test has no orders.
      expect(plan).to.not.match(/Seq Scan on (requests|request_ids|transactions)/u);
      // If no request matched, a scan in page order would read the entire index.
      if (/^(many|no) /u.test(family)) expect(plan).to.not.match(/\brequests_created\b/u);
      for (const name of indexes) expect(plan).to.match(new RegExp(`\\b${name}\\b`, "u"));
    });
  }

  for (const [sortBy, name] of [
    ["created_at", "requests_created"],
    ["updated_at", "requests_updated"],
    ["amount_usd", "requests_amount_usd"],
  ] as const) {
    it(`serve a deep page in the order of ${sortBy} without sorting`, async () => {
      const bound = sortBy === "amount_usd" ? sql`15000::numeric` : sql`to_timestamp(1800015000)`;
      const plan = await explain(sql`
        select * from requests where (${sql.ref(sortBy)}, id) > (${bound}, 'r1'::text)
        order by ${sql.ref(sortBy)}, id limit 21`);
      expect(plan).to.match(new RegExp(`\\b${name}\\b`, "u"));
      expect(plan).to.not.match(/Sort|Seq Scan/u);
    });
  }

  it("serve a page filtered by status from one index", async () => {
    const plan = await explain(sql`
      select * from requests where ${sql.join(filterToSql(text("status", "refund")))}
      order by created_at desc, id desc limit 21`);
    expect(plan).to.match(/requests_status/u);
    expect(plan).to.not.match(/Sort|Seq Scan/u);
  });
});
