import { inspect } from "node:util";

import { expect } from "chai";

import { systemTimer } from "../../../../packages/protocol/src/core/timer.ts";
import { createServiceClient, type ServiceClientOptions } from "../../../../packages/sdk/src/client/client.ts";
import { refusal } from "../../../support/rejection.ts";

const BASE_URL = "http://127.0.0.1:3000";
const API_KEY = "the-secret-key";

describe("createServiceClient", () => {
  it("has the documented defaults", () => {
    const { fetch, ...client } = createServiceClient({ baseUrl: BASE_URL });
    expect(client).to.deep.equal({
      baseUrl: BASE_URL,
      timeoutMs: 15_000,
      totalTimeoutMs: 60_000,
      retry: { maxTries: 3, baseDelayMs: 500, maxDelayMs: 10_000 },
      limits: { quote: 50, listing: 200, oracle: undefined, other: 200 },
      maxConcurrentCalls: 10,
      maxResponseBytes: 16_777_216,
      timer: systemTimer,
      random: Math.random,
      quoteVersion: undefined,
      checkCalls: undefined,
      onDeprecation: undefined,
    });
    expect(fetch).to.be.a("function");
  });

  it("uses the given options", () => {
    const fetch: typeof globalThis.fetch = () => Promise.reject(new Error("never called"));
    const client = createServiceClient({ baseUrl: BASE_URL, apiKey: API_KEY, timeoutMs: 5, fetch });
    expect([client.apiKey, client.timeoutMs, client.fetch]).to.deep.equal([API_KEY, 5, fetch]);
  });

  it("accepts HTTP and HTTPS URLs with a path, and removes trailing slashes", () => {
    for (const [given, baseUrl] of [
      ["https://example.org/api/", "https://example.org/api"],
      ["http://127.0.0.1:3000//", BASE_URL],
      [BASE_URL, BASE_URL],
    ] as const) {
      expect(createServiceClient({ baseUrl: given }).baseUrl).to.equal(baseUrl);
    }
  });

  it("does not expose the API key when printed, serialized or spread", () => {
    const client = createServiceClient({ baseUrl: BASE_URL, apiKey: API_KEY });
    expect(Object.keys(client)).not.to.include("apiKey");
    const prints = [inspect(client), inspect(client, { showHidden: true, depth: null }), inspect({ ...client })];
    expect(JSON.stringify(client) + prints.join("")).not.to.include(API_KEY);
    expect(client.apiKey).to.equal(API_KEY);
  });

  it("disables limits and retries, together or individually", () => {
    const settingsOf = (options: Partial<ServiceClientOptions>) => {
      const { limits, retry } = createServiceClient({ baseUrl: BASE_URL, ...options });
      return { limits, maxTries: retry.maxTries };
    };
    expect(settingsOf({ limits: false, retry: false })).to.deep.equal({
      limits: { quote: undefined, listing: undefined, oracle: undefined, other: undefined },
      maxTries: 1,
    });
    expect(settingsOf({ limits: { quote: false, listing: 7 }, retry: { baseDelayMs: 1 } })).to.deep.equal({
      limits: { quote: undefined, listing: 7, oracle: undefined, other: 200 },
      maxTries: 3,
    });
  });

  const refused: Record<string, [ServiceClientOptions, string, string]> = {
    "an invalid base URL": [{ baseUrl: "127.0.0.1:3000" }, "baseUrl", '"127.0.0.1:3000"'],
    "an empty base URL": [{ baseUrl: "" }, "baseUrl", '""'],
    "a base URL with another scheme": [{ baseUrl: "ws://127.0.0.1" }, "baseUrl", '"ws://127.0.0.1"'],
    "a base URL with a query, which would hide every path": [
      { baseUrl: "http://127.0.0.1/?a=1" },
      "baseUrl",
      '"http://127.0.0.1/?a=1"',
    ],
    "a base URL with a fragment": [{ baseUrl: "http://127.0.0.1/#a" }, "baseUrl", '"http://127.0.0.1/#a"'],
    "a timeout of zero": [{ baseUrl: BASE_URL, timeoutMs: 0 }, "timeoutMs", "0"],
    "a negative timeout": [{ baseUrl: BASE_URL, timeoutMs: -1 }, "timeoutMs", "-1"],
    "a timeout that is not a number": [{ baseUrl: BASE_URL, timeoutMs: Number.NaN }, "timeoutMs", "NaN"],
    "an endless timeout": [{ baseUrl: BASE_URL, timeoutMs: Number.POSITIVE_INFINITY }, "timeoutMs", "Infinity"],
    "a total timeout of zero": [{ baseUrl: BASE_URL, totalTimeoutMs: 0 }, "totalTimeoutMs", "0"],
    "zero tries": [{ baseUrl: BASE_URL, retry: { maxTries: 0 } }, "retry.maxTries", "0"],
    "a negative wait": [{ baseUrl: BASE_URL, retry: { baseDelayMs: -1 } }, "retry.baseDelayMs", "-1"],
    "an invalid bound for waits": [{ baseUrl: BASE_URL, retry: { maxDelayMs: 0.5 } }, "retry.maxDelayMs", "0.5"],
    "zero calls a minute": [{ baseUrl: BASE_URL, limits: { quote: 0 } }, "limits.quote", "0"],
    "a fractional number of concurrent calls": [
      { baseUrl: BASE_URL, maxConcurrentCalls: 0.5 },
      "maxConcurrentCalls",
      "0.5",
    ],
    "a response limit of zero": [{ baseUrl: BASE_URL, maxResponseBytes: 0 }, "maxResponseBytes", "0"],
    "an empty API key": [{ baseUrl: BASE_URL, apiKey: "" }, "apiKey", '"[api key]"'],
    "an API key with a line break": [{ baseUrl: BASE_URL, apiKey: `${API_KEY}\n` }, "apiKey", '"[api key]"'],
  };
  for (const [name, [options, field, value]] of Object.entries(refused)) {
    it(`rejects ${name}`, () => {
      expect(refusal(() => createServiceClient(options))).to.deep.equal({ code: "INVALID_INPUT", field, value });
    });
  }
});
