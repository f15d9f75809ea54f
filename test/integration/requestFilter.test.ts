import { expect } from "chai";
import fc from "fast-check";

import {
  FAIL_REASONS,
  FEATURES,
  REFUND_FAIL_REASONS,
  REQUEST_STATUSES,
  REQUEST_TYPES,
} from "../../packages/protocol/src/schema/values.ts";
import {
  CHAIN_FIELDS,
  EVERY_REQUEST,
  type FieldCondition,
  RANGE_FIELDS,
  type RangeCondition,
  type RangeField,
  type RequestFilter,
  TEXT_FIELDS,
  type TextField,
} from "../../packages/crosscall/src/localnet/store/requests/filter.ts";
import {
  countRequests,
  listRequests,
  positionOf,
  type RequestPage,
  type RequestPosition,
} from "../../packages/crosscall/src/localnet/store/requests/listRequests.ts";
import { insertRequest } from "../../packages/crosscall/src/localnet/store/requests/requests.ts";
import type { Store } from "../../packages/crosscall/src/localnet/store/store.ts";
import { inputs } from "../support/inputs.ts";
import { onEachDatabase } from "./support/onEachDatabase.ts";
import {
  FIRST_SECOND,
  POOLS,
  randomRequests,
  requestId,
  type SyntheticRequest,
  transactionHash,
} from "./support/randomRequests.ts";
import { newOrder } from "./support/storeRows.ts";

const COUNT = 300;
const SORTS = ["createdAt", "updatedAt", "amountUsd"] as const;
const DIRECTIONS = ["asc", "desc"] as const;

const index = fc.nat({ max: COUNT + 5 });
const anyCase = (text: string): fc.Arbitrary<string> => fc.constantFrom(text, text.toLowerCase());
const hex = (text: string): fc.Arbitrary<string> => fc.constantFrom(text, `0x${text.slice(2).toUpperCase()}`);
const address = fc
  .constantFrom(...POOLS.address)
  .chain((text) => (text.startsWith("0x") ? hex(text) : fc.constant(text)));
const symbol = fc.constantFrom(...POOLS.symbol, "DAI").chain(anyCase);
const id = index.chain((at) => hex(requestId(at)));
const hash = (...purposes: ("deposit" | "fill" | "refund")[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...purposes), index).chain(([purpose, at]) => hex(transactionHash(purpose, at)));

/** Generators of filter values for each field. Most of these values occur in a request. */
const TEXTS: Record<TextField, fc.Arbitrary<string>> = {
  term: fc.oneof(id, address, hash("deposit", "fill", "refund")),
  id,
  orderId: index.map((at) => `0x${(2_000_001 + at).toString(16).padStart(64, "0")}`),
  hash: hash("deposit", "fill", "refund"),
  depositTxHash: hash("deposit", "fill"),
  fillTxHash: hash("fill", "refund"),
  refundTxHash: hash("refund", "deposit"),
  user: address,
  recipient: address,
  depositAddress: address,
  status: fc.constantFrom(...REQUEST_STATUSES),
  failReason: fc.constantFrom(...FAIL_REASONS.slice(0, 4)),
  refundFailReason: fc.constantFrom(...REFUND_FAIL_REASONS.slice(0, 3)),
  apiKeyHash: fc.constantFrom(...POOLS.apiKeyHash, "hash-c"),
  referrer: fc.constantFrom(...POOLS.referrer, "another"),
  requestType: fc.constantFrom(...REQUEST_TYPES).chain(anyCase),
  currencyInAddress: address,
  currencyOutAddress: address,
  currencyInSymbol: symbol,
  currencyOutSymbol: symbol,
};

const values = <Value>(one: fc.Arbitrary<Value>): fc.Arbitrary<Value[] | null> =>
  fc.option(fc.array(one, { minLength: 1, maxLength: 3 }), { nil: null, freq: 5 });
const textCondition = (field: TextField): fc.Arbitrary<FieldCondition> =>
  fc.record({
    field: fc.constant(field),
    // The parser never produces a condition without terms.
    values: field === "term" ? fc.array(TEXTS.term, { minLength: 1, maxLength: 3 }) : values(TEXTS[field]),
    isNegated: fc.boolean(),
  });
const condition: fc.Arbitrary<FieldCondition> = fc.oneof(
  fc.constantFrom(...TEXT_FIELDS).chain(textCondition),
  fc.record({
    field: fc.constantFrom(...CHAIN_FIELDS),
    values: values(fc.constantFrom(...POOLS.chainId, 5)),
    isNegated: fc.boolean(),
  }),
);

const bound = (field: RangeField): fc.Arbitrary<string> => {
  if (field === "createdAt" || field === "updatedAt") {
    return fc.integer({ min: -2, max: 122 }).map((seconds) => (FIRST_SECOND + seconds).toString());
  }
  if (field === "amountUsd" || field === "appFeesAmountUsd") {
    return fc.integer({ min: 0, max: 100 }).map((tenths) => (tenths / 8).toString());
  }
  return fc.integer({ min: 0, max: 31 }).map(String);
};
const range = fc
  .constantFrom(...RANGE_FIELDS)
  .chain((field) =>
    fc.record({ field: fc.constant(field), min: bound(field), max: bound(field) }, { requiredKeys: ["field"] }),
  );

const filter: fc.Arbitrary<RequestFilter> = fc.record({
  conditions: fc.array(condition, { maxLength: 2 }),
  groups: fc.array(fc.array(condition, { maxLength: 3 }), { maxLength: 3 }),
  ranges: fc.array(range, { maxLength: 2 }),
  features: fc.subarray([...FEATURES], { maxLength: 2 }),
  includesChildren: fc.boolean(),
});

/** Generates filters with so many values and groups that they are split by field instead of by value. */
const longFilter: fc.Arbitrary<RequestFilter> = fc.record({
  conditions: fc.array(fc.constantFrom(...TEXT_FIELDS), { minLength: 1, maxLength: 2 }).chain((fields) =>
    fc.tuple(
      ...fields.map((field) =>
        fc.record({
          field: fc.constant(field),
          values: fc.array(TEXTS[field], { minLength: 5, maxLength: 20 }),
          isNegated: fc.constant(false),
        }),
      ),
    ),
  ),
  groups: fc.array(fc.array(condition, { minLength: 1, maxLength: 2 }), { maxLength: 20 }),
  ranges: fc.constant([]),
  features: fc.constant([]),
  includesChildren: fc.boolean(),
});

onEachDatabase("the filters of the store", (open) => {
  const requests = randomRequests(COUNT, 20_261_121);
  let store: Store;

  before(async () => {
    store = await open();
    for (const { request } of requests) await insertRequest(store.db, request, newOrder());
    await store.db
      .insertInto("transactions")
      .values(requests.flatMap(({ transactions }) => transactions))
      .execute();
  });
  after(() => store.close());

  /** Compares the store's list with a scan of all requests, and returns the number of matches. */
  const check = async (wanted: RequestFilter, sortBy: (typeof SORTS)[number], direction: "asc" | "desc") => {
    const expected = listByHand(requests, { filter: wanted, sortBy, direction });
    const rows = await listRequests(store.db, { filter: wanted, sortBy, direction, limit: COUNT + 1 });
    expect(rows.map((row) => row.id)).to.deep.equal(expected);
    return expected.length;
  };

  /** Each filter alone must match some requests and exclude others. Otherwise, the test would prove nothing. */
  const checkAlone = async (samples: readonly RequestFilter[]) => {
    let found = 0;
    for (const sample of samples) found += await check(sample, "createdAt", "desc");
    expect(found)
      .to.be.greaterThan(0)
      .and.lessThan(samples.length * COUNT);
  };

  for (const field of TEXT_FIELDS) {
    it(`find requests by one or many values of ${field}, by its presence or absence, or by negation`, () =>
      checkAlone(
        fc
          .sample(textCondition(field), { numRuns: inputs(3), seed: 1 })
          .map((one) => ({ ...EVERY_REQUEST, conditions: [one] })),
      ));
  }

  for (const field of CHAIN_FIELDS) {
    it(`find requests by ${field}`, () =>
      checkAlone(
        POOLS.chainId.flatMap((chainId) =>
          [true, false].map((isNegated) => ({
            ...EVERY_REQUEST,
            conditions: [{ field, values: [chainId], isNegated }],
          })),
        ),
      ));
  }

  for (const field of RANGE_FIELDS) {
    it(`find requests by inclusive bounds of ${field}`, () =>
      checkAlone(
        fc
          .sample(
            fc.record({ field: fc.constant(field), min: bound(field), max: bound(field) }, { requiredKeys: ["field"] }),
            {
              numRuns: inputs(3),
              seed: 2,
            },
          )
          .map((one) => ({ ...EVERY_REQUEST, ranges: [one] })),
      ));
  }

  for (const feature of FEATURES) {
    it(`find requests by the feature ${feature}`, () => checkAlone([{ ...EVERY_REQUEST, features: [feature] }]));
  }

  it("return, on request, the children of an id and of a deposit address", async () => {
    const conditions: FieldCondition[] = [{ field: "id", values: [requestId(3)], isNegated: false }];
    const alone = await check({ ...EVERY_REQUEST, conditions }, "createdAt", "asc");
    const withChildren = await check({ ...EVERY_REQUEST, conditions, includesChildren: true }, "createdAt", "asc");
    expect(alone).to.equal(1);
    expect(withChildren).to.be.greaterThan(1);
    const byAddress: FieldCondition[] = [{ field: "depositAddress", values: [POOLS.address[0]], isNegated: false }];
    await check({ ...EVERY_REQUEST, conditions: byAddress, includesChildren: true }, "createdAt", "asc");
  });

  it("list the same requests as a scan, for any filter in any order", () =>
    fc.assert(
      fc.asyncProperty(
        filter,
        fc.constantFrom(...SORTS),
        fc.constantFrom(...DIRECTIONS),
        async (any, sortBy, direction) => {
          const expected = await check(any, sortBy, direction);
          expect(await countRequests(store.db, any)).to.equal(expected);
        },
      ),
      { numRuns: inputs(30), seed: 7 },
    ));

  it("list the same requests for many values and groups", () =>
    fc.assert(
      fc.asyncProperty(
        longFilter,
        fc.constantFrom(...SORTS),
        fc.constantFrom(...DIRECTIONS),
        async (any, sortBy, direction) => {
          const expected = await check(any, sortBy, direction);
          expect(await countRequests(store.db, any)).to.equal(expected);
        },
      ),
      { numRuns: inputs(20), seed: 13 },
    ));

  for (const sortBy of SORTS) {
    for (const direction of DIRECTIONS) {
      it(`return each request once, in order, in pages sorted by ${sortBy} ${direction}`, () =>
        fc.assert(
          fc.asyncProperty(fc.integer({ min: 7, max: 50 }), filter, async (limit, random) => {
            const wanted = limit % 2 === 0 ? EVERY_REQUEST : random;
            const seen: string[] = [];
            let after: RequestPosition | undefined;
            for (;;) {
              const place = after === undefined ? {} : { after };
              const page = await listRequests(store.db, { filter: wanted, sortBy, direction, limit, ...place });
              seen.push(...page.map((row) => row.id));
              const last = page.at(-1);
              if (last === undefined || page.length < limit) break;
              after = positionOf(last, sortBy);
            }
            expect(seen).to.deep.equal(listByHand(requests, { filter: wanted, sortBy, direction }));
          }),
          { numRuns: inputs(2), seed: 11 },
        ));
    }
  }
});

type Text = string | null | undefined;

/** Returns the expected ids of a listing, in order, from a scan of all requests. */
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
