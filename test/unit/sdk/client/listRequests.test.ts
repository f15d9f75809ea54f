import { expect } from "chai";

import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import {
  getRequest,
  listRequests,
  type ListRequestsParameters,
} from "../../../../packages/sdk/src/client/listRequests.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { NATIVE, requestRecord, USDC, USER } from "../../protocol/fixtures.ts";
import { useService } from "./service.ts";

const HASH = `0x${"ab".repeat(32)}`;
const API_KEY = "the-secret-key";

/** Every parameter, with its query text in the specification (spec 1, section 4.2). */
const EVERY: Required<Pick<ListRequestsParameters, keyof ListRequestsParameters>> = {
  term: "a b&c",
  id: HASH,
  orderId: HASH,
  depositTxHash: HASH,
  fillTxHash: HASH,
  refundTxHash: HASH,
  originChainId: 8453,
  destinationChainId: 792_703_809,
  chainId: 0,
  privateChainsToInclude: ["11111111-2222-3333-4444-555555555555", "66666666-2222-3333-4444-555555555555"],
  user: USER,
  depositAddress: "bc1qexample",
  recipient: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  status: "depositing",
  failReason: "SLIPPAGE",
  refundFailReason: "REFUND_RECIPIENT_IS_VASP",
  apiKey: ["key-1", "key-2"],
  requestType: "Same-chain Swap",
  currencyInChainId: 8453,
  currencyOutChainId: 10,
  currencyInAddress: USDC,
  currencyOutAddress: NATIVE,
  currencyInSymbol: "USDC",
  currencyOutSymbol: "ETH",
  startTimestamp: new Date("2026-11-20T00:00:00.999Z"),
  endTimestamp: 1_795_219_200,
  startBlock: 0,
  endBlock: 123_456_789,
  amountUsdMin: "0.10",
  amountUsdMax: "1000000000000000000000.5",
  appFeesAmountUsdMin: "0",
  appFeesAmountUsdMax: "12",
  fillTimeMin: 0.5,
  fillTimeMax: 60,
  features: ["gasless_execution", "fast_fill"],
  includeChildRequests: true,
  filters: [{ status: ["success", "failure"] }, { "not:user": USER, failReason: null, referrer: "app" }],
  sortBy: "amountUsd",
  sortDirection: "desc",
  includeAuthenticatedData: true,
  includeTotal: false,
  limit: 50,
  continuation: "cur/sor+=",
  signal: new AbortController().signal,
};

const whole = (text: string): unknown => (/^\d+$/u.test(text) ? Number(text) : undefined);
const decimal = (text: string): unknown => (/^\d+(\.\d+)?$/u.test(text) ? text : undefined);
const flag = (text: string): unknown => (text === "true" ? true : text === "false" ? false : undefined);
const list = (text: string): unknown => text.split(",");
const PARSERS: Record<string, (text: string) => unknown> = {
  originChainId: whole,
  destinationChainId: whole,
  chainId: whole,
  currencyInChainId: whole,
  currencyOutChainId: whole,
  startTimestamp: whole,
  endTimestamp: whole,
  startBlock: whole,
  endBlock: whole,
  limit: whole,
  amountUsdMin: decimal,
  amountUsdMax: decimal,
  appFeesAmountUsdMin: decimal,
  appFeesAmountUsdMax: decimal,
  fillTimeMin: Number,
  fillTimeMax: Number,
  includeChildRequests: flag,
  includeAuthenticatedData: flag,
  includeTotal: flag,
  privateChainsToInclude: list,
  apiKey: list,
  features: list,
  filters: (text) => JSON.parse(text) as unknown,
};

describe("listRequests", () => {
  const service = useService();
  const client = (apiKey?: string) =>
    createServiceClient({ baseUrl: service.url, ...(apiKey === undefined ? {} : { apiKey }) });
  const list = (parameters?: ListRequestsParameters) => listRequests(client(API_KEY), parameters);

  beforeEach(() => {
    service.answers = () => ({ json: { requests: [] } });
  });

  it("returns a page with its cursor and its total", async () => {
    service.answers = () => ({ json: { requests: [requestRecord], continuation: "next", total: 7 } });
    expect(await list()).to.deep.equal({ requests: [requestRecord], continuation: "next", total: 7 });
    expect(service.calls.map(({ url, headers }) => [url, headers["x-api-key"]])).to.deep.equal([
      ["/requests/v3", API_KEY],
    ]);
  });

  it("returns a last page without a cursor and a total", async () => {
    expect(await list()).to.deep.equal({ requests: [], continuation: undefined, total: undefined });
  });

  it("sends every parameter as specified", async () => {
    await list(EVERY);
    const { searchParams } = new URL(service.calls[0]?.url ?? "", service.url);
    const read = Object.fromEntries([...searchParams].map(([name, text]) => [name, (PARSERS[name] ?? String)(text)]));
    const { signal: _signal, startTimestamp: _start, ...others } = EVERY;
    expect(read).to.deep.equal({ ...others, startTimestamp: 1_795_132_800 });
  });

  it("sends parameters in the given order, escaped", async () => {
    await list({ status: "success", filters: [{ user: "a&b" }], features: ["fast_fill", "app_fees"], limit: 1 });
    expect(service.calls[0]?.url).to.equal(
      "/requests/v3?status=success&filters=%5B%7B%22user%22%3A%22a%26b%22%7D%5D&features=fast_fill%2Capp_fees&limit=1",
    );
  });

  it("omits undefined values", async () => {
    await list(JSON.parse('{"user":"0xab"}') as ListRequestsParameters);
    await list({ signal: undefined });
    expect(service.calls.map(({ url }) => url)).to.deep.equal(["/requests/v3?user=0xab", "/requests/v3"]);
  });

  it("requires an API key, and sends nothing without a key", async () => {
    expect(factsOf(await rejected(listRequests(client())))).to.deep.equal({
      code: "INVALID_INPUT",
      field: "client.apiKey",
      value: undefined,
    });
    expect(service.calls).to.deep.equal([]);
  });

  it("accepts a referrer only with apiKey", async () => {
    await list({ referrer: "app", apiKey: "key-1" });
    await list({ filters: [{ "not:referrer": "app" }], apiKey: "key-1" });
    // @ts-expect-error the requested API keys are missing
    const without: ListRequestsParameters = { filters: [{ referrer: "app" }] };
    expect(factsOf(await rejected(list(without)))).to.deep.equal({
      code: "INVALID_INPUT",
      field: "apiKey",
      value: undefined,
    });
    // @ts-expect-error the requested API keys are missing
    const alone: ListRequestsParameters = { referrer: "app" };
    expect(factsOf(await rejected(list(alone)))).to.include({ code: "INVALID_INPUT", field: "apiKey" });
    expect(service.calls).to.have.length(2);
  });

  const refused: [object, string, string | undefined][] = [
    [{ limit: 0 }, "limit", "0"],
    [{ limit: 51 }, "limit", "51"],
    [{ limit: 1.5 }, "limit", "1.5"],
    [{ chainId: -1 }, "chainId", "-1"],
    [{ originChainId: "1" }, "originChainId", '"1"'],
    [{ startBlock: 2 ** 53 }, "startBlock", "9007199254740992"],
    [{ startTimestamp: new Date(Number.NaN) }, "startTimestamp", "NaN"],
    [{ endTimestamp: 1.5 }, "endTimestamp", "1.5"],
    [{ endTimestamp: "2026-11-21" }, "endTimestamp", '"2026-11-21"'],
    [{ amountUsdMin: "1,5" }, "amountUsdMin", '"1,5"'],
    [{ amountUsdMax: 5 }, "amountUsdMax", "5"],
    [{ fillTimeMin: -1 }, "fillTimeMin", "-1"],
    [{ fillTimeMax: Infinity }, "fillTimeMax", "Infinity"],
    [{ features: [] }, "features", "[]"],
    [{ privateChainsToInclude: ["a,b"] }, "privateChainsToInclude", '["a,b"]'],
    [{ includeTotal: "yes" }, "includeTotal", '"yes"'],
    [{ user: "" }, "user", '""'],
    [{ apiKey: ["secret,"] }, "apiKey", '"[api key]"'],
    [{ referrer: "", apiKey: "key-1" }, "referrer", '""'],
    [{ hash: HASH }, "hash", undefined],
    [{ constructor: "a" }, "constructor", undefined],
    [{ filters: [{ features: "fast_fill" }] }, "filters[0].features", '"[filters]"'],
  ];
  for (const [query, field, value] of refused) {
    it(`rejects ${JSON.stringify(query)} before sending`, async () => {
      const facts = factsOf(await rejected(list(query)));
      expect(facts).to.deep.equal({ code: "INVALID_INPUT", field, value });
      expect(service.calls).to.deep.equal([]);
    });
  }

  it("rejects unsupported parameters", () => {
    const queries: ListRequestsParameters[] = [
      // @ts-expect-error a referrer needs apiKey
      { referrer: "app" },
      // @ts-expect-error v3 has no hash
      { hash: HASH },
      // @ts-expect-error an amount is a decimal string
      { amountUsdMin: 5 },
      // @ts-expect-error no such feature
      { features: ["free_lunch"] },
      // @ts-expect-error a range requires filters
      { filters: [{ user: USER, startTimestamp: 1 }] },
    ];
    expect(queries).to.have.length(5);
  });

  it("returns an unreadable record separately, with the reason", async () => {
    const odd = { ...requestRecord, id: 5, data: { ...requestRecord.data, route: "none" } };
    service.answers = () => ({ json: { requests: [requestRecord, odd, "nothing"] } });
    const { id: _, ...rest } = odd;
    const { route: __, ...data } = odd.data;
    expect((await list({ id: HASH })).requests).to.deep.equal([
      requestRecord,
      {
        ...rest,
        data,
        unreadable: {
          raw: odd,
          fields: [
            { path: "id", reason: "it must be string" },
            { path: "data.route", reason: "it must be object" },
          ],
        },
      },
      { unreadable: { raw: "nothing", fields: [{ path: "", reason: "it must be object" }] } },
    ]);
  });

  it("reports missing fields of a page", async () => {
    service.answers = () => ({ json: { continuation: "a" } });
    expect(factsOf(await rejected(list({ id: HASH })))).to.deep.equal({
      code: "MALFORMED_DATA",
      what: "the response of GET /requests/v3",
      path: "requests",
      endpoint: "GET /requests/v3",
      tries: 1,
      requestId: HASH,
    });
  });

  it("does not expose the keys in a query that the service echoes", async () => {
    service.answers = ({ url }) => ({ status: 403, json: { message: `${url}: not your keys: key-1, key-2, key-3` } });
    const filters = [{ apiKey: "key-3" }] as const;
    const error = await rejected(list({ apiKey: ["key-1", "key-2"], filters }));
    expect(error.message).not.to.match(/key-[123]/u);
  });
});

const requestId = requestRecord.id;

describe("getRequest", () => {
  const service = useService();
  const client = () => createServiceClient({ baseUrl: service.url, apiKey: "key" });

  it("returns the record with the id, wherever it is in the list", async () => {
    service.answers = () => ({ json: { requests: [{ ...requestRecord, id: "0x01" }, requestRecord] } });
    const query = { requestId: requestId.toUpperCase().replace("0X", "0x"), includeAuthenticatedData: true };
    expect(await getRequest(client(), query)).to.deep.equal(requestRecord);
    expect(service.calls.map(({ url }) => url)).to.deep.equal([
      `/requests/v3?includeAuthenticatedData=true&id=${query.requestId}`,
    ]);
  });

  for (const requests of [[], [{ ...requestRecord, id: "0x01" }]]) {
    it(`reports a missing record among ${requests.length} records`, async () => {
      service.answers = () => ({ json: { requests } });
      expect(factsOf(await rejected(getRequest(client(), { requestId })))).to.deep.equal({
        code: "REQUEST_NOT_FOUND",
        requestId,
      });
    });
  }

  it("stops when the signal aborts", async () => {
    const error = await rejected(getRequest(client(), { requestId, signal: AbortSignal.abort() }));
    expect([error.code, service.calls]).to.deep.equal(["ABORTED", []]);
  });
});
