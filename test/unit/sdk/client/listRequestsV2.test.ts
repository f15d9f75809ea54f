import { expect } from "chai";

import {
  createServiceClient,
  type DeprecationNotice,
  type ServiceClientOptions,
} from "../../../../packages/sdk/src/client/client.ts";
import { iterateRequestsV2 } from "../../../../packages/sdk/src/client/listRequests.ts";
import { listRequestsV2, type ListRequestsV2Parameters } from "../../../../packages/sdk/src/client/listRequestsV2.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { type Answer, useService } from "./service.ts";
import { virtualTimer } from "./virtualTimer.ts";

const record = {
  id: "0x01",
  status: "delayed",
  user: "0xuser",
  recipient: "0xrecipient",
  data: { failReason: "N/A", fees: { gas: "1", fixed: "2", price: "3", gateway: "4" } },
  createdAt: "2026-08-01T00:00:00.000Z",
  updatedAt: "2026-08-01T00:00:02.000Z",
};
const SIGNALS = {
  deprecation: "@1784678400",
  sunset: "Tue, 24 Nov 2026 00:00:00 GMT",
  link:
    '<https://docs.example.org/a,b;c>; rel="deprecation"; type="text/html", </sunset>; rel=sunset, ' +
    '<https://api.example.org/requests/v3>; title="a, \\"b\\""; rel="successor-version other"',
};
const LINKS = (baseUrl: string) => ({
  deprecation: "https://docs.example.org/a,b;c",
  sunset: `${baseUrl}/sunset`,
  "successor-version": "https://api.example.org/requests/v3",
  other: "https://api.example.org/requests/v3",
});
const BODY = {
  message: "v2 ends",
  deprecatedAt: "2026-07-22",
  throttledFrom: "2026-09-01",
  sunsetAt: "2026-11-24",
  successor: "/requests/v3",
  migrationGuide: "https://docs.example.org/guide",
};
const LAST_MOMENT = Date.UTC(2026, 10, 24) - 1;

const EVERY: Required<Omit<ListRequestsV2Parameters, "force" | "signal">> = {
  limit: 20,
  continuation: "c",
  user: "0xuser",
  hash: "0xhash",
  originChainId: 1,
  destinationChainId: 10,
  chainId: 8453,
  privateChainsToInclude: ["a", "b"],
  id: "0x01",
  orderId: "0x02",
  includeOrderData: true,
  startTimestamp: new Date(1_790_000_000_500),
  endTimestamp: 1_790_000_001,
  startBlock: 5,
  endBlock: 6,
  referrer: "app",
  depositAddress: "0xdeposit",
  includeChildRequests: false,
  includeAuthenticatedData: true,
  status: "success",
  apiKey: "key-1",
  sortBy: "updatedAt",
  sortDirection: "asc",
};

describe("listRequestsV2", () => {
  const service = useService();
  const client = (options: Partial<ServiceClientOptions> = {}) =>
    createServiceClient({ baseUrl: service.url, timer: virtualTimer(LAST_MOMENT), retry: false, ...options });
  const page: Answer = { json: { requests: [record], continuation: "next", deprecation: BODY }, headers: SIGNALS };

  beforeEach(() => {
    service.answers = () => page;
  });

  it("returns a page with its cursor, without an API key", async () => {
    expect(await listRequestsV2(client())).to.deep.equal({ requests: [record], continuation: "next" });
    expect(service.calls.map(({ url }) => url)).to.deep.equal(["/requests/v2"]);
  });

  it("sends every parameter as specified", async () => {
    await listRequestsV2(client(), EVERY);
    expect(service.calls[0]?.url).to.equal(
      "/requests/v2?limit=20&continuation=c&user=0xuser&hash=0xhash&originChainId=1&destinationChainId=10&chainId=8453" +
        "&privateChainsToInclude=a%2Cb&id=0x01&orderId=0x02&includeOrderData=true&startTimestamp=1790000000" +
        "&endTimestamp=1790000001&startBlock=5&endBlock=6&referrer=app&depositAddress=0xdeposit" +
        "&includeChildRequests=false&includeAuthenticatedData=true&status=success&apiKey=key-1&sortBy=updatedAt" +
        "&sortDirection=asc",
    );
  });

  it("does not accept parameters that only v3 has", async () => {
    // @ts-expect-error v2 has no term
    const error = await rejected(listRequestsV2(client(), { term: "a" }));
    expect(factsOf(error)).to.include({ code: "INVALID_INPUT", field: "term" });
    // @ts-expect-error v2 sorts only by time
    await listRequestsV2(client(), { sortBy: "amountUsd" });
  });

  it("iterates over its pages", async () => {
    service.answers = (_call, index) => ({
      json: { requests: [{ ...record, id: String(index) }], ...(index < 2 ? { continuation: String(index) } : {}) },
    });
    const ids: string[] = [];
    for await (const { id } of iterateRequestsV2(client(), { status: "success" })) ids.push(id ?? "no id");
    expect(ids).to.deep.equal(["0", "1", "2"]);
    expect(service.calls.map(({ url }) => url)).to.deep.equal([
      "/requests/v2?status=success&limit=50",
      "/requests/v2?status=success&limit=50&continuation=0",
      "/requests/v2?status=success&limit=50&continuation=1",
    ]);
  });

  describe("after the end date of v2", () => {
    const retired = { code: "ENDPOINT_RETIRED", endpoint: "GET /requests/v2", retiredAt: "2026-11-24T00:00:00.000Z" };
    const late = () => client({ timer: virtualTimer(LAST_MOMENT + 1) });

    it("is rejected without sending a request", async () => {
      expect(factsOf(await rejected(listRequestsV2(late())))).to.deep.equal({
        ...retired,
        successor: "GET /requests/v3",
      });
      expect(factsOf(await rejected(iterateRequestsV2(late()).next()))).to.include(retired);
      expect(service.calls).to.deep.equal([]);
    });

    it("is sent if forced", async () => {
      expect((await listRequestsV2(late(), { force: true })).requests).to.deep.equal([record]);
      expect((await iterateRequestsV2(late(), {}, { force: true }).next()).value).to.deep.equal(record);
      expect(service.calls.map(({ url }) => url)).to.deep.equal(["/requests/v2", "/requests/v2?limit=50"]);
    });
  });

  describe("the announcement of the end of v2", () => {
    const noticesOf = async (answers: Answer[]): Promise<DeprecationNotice[]> => {
      const notices: DeprecationNotice[] = [];
      const listening = client({ onDeprecation: (notice) => notices.push(notice) });
      for (const answer of answers) {
        service.answers = () => answer;
        await listRequestsV2(listening).catch((error: unknown) => error);
      }
      return notices;
    };
    const notice = () => ({
      endpoint: "GET /requests/v2",
      message: "v2 ends",
      deprecatedAt: new Date("2026-07-22T00:00:00Z"),
      throttledFrom: new Date("2026-09-01T00:00:00Z"),
      sunsetAt: new Date("2026-11-24T00:00:00Z"),
      successor: "/requests/v3",
      migrationGuide: "https://docs.example.org/guide",
      links: LINKS(service.url),
    });

    it("is reported once, with its dates and links", async () => {
      expect(await noticesOf([{ json: { requests: [] } }, page, page])).to.deep.equal([notice()]);
    });

    it("is reported once per client", async () => {
      expect([await noticesOf([page]), await noticesOf([page])]).to.deep.equal([[notice()], [notice()]]);
    });

    it("is read from the body if the headers are missing", async () => {
      expect(await noticesOf([{ json: { requests: [], deprecation: BODY } }])).to.deep.equal([
        { ...notice(), links: {} },
      ]);
    });

    it("is reported with a rate-limited response", async () => {
      const { message, successor, migrationGuide } = BODY;
      const answer = { status: 429, json: { message, successor, migrationGuide }, headers: SIGNALS };
      expect(await noticesOf([answer])).to.deep.equal([{ ...notice(), throttledFrom: undefined }]);
    });

    it("contains no value for headers that cannot be parsed", async () => {
      const headers = { deprecation: "true", sunset: "soon", link: "<http://[>; rel=a, nothing, <x>, <y>; title=rel" };
      expect(await noticesOf([{ json: { requests: [] }, headers }])).to.deep.equal([
        {
          endpoint: "GET /requests/v2",
          message: undefined,
          deprecatedAt: undefined,
          throttledFrom: undefined,
          sunsetAt: undefined,
          successor: undefined,
          migrationGuide: undefined,
          links: {},
        },
      ]);
    });
  });

  it("names the successor in a rate limit error", async () => {
    const { message, successor, migrationGuide } = BODY;
    service.answers = () => ({ status: 429, json: { message, successor, migrationGuide } });
    expect(factsOf(await rejected(listRequestsV2(client())))).to.deep.equal({
      code: "SERVICE_ERROR",
      status: 429,
      errorCode: undefined,
      errorData: { successor, migrationGuide },
      endpoint: "GET /requests/v2",
      tries: 1,
    });
  });
});
