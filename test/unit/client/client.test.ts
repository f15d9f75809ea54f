import { inspect } from "node:util";

import { expect } from "chai";

import { createServiceClient, type ServiceClientOptions } from "../../../src/client/client.ts";
import { refusal } from "../core/refusal.ts";

const BASE_URL = "http://127.0.0.1:3000";
const API_KEY = "the-secret-key";

describe("createServiceClient", () => {
  it("has the documented defaults", () => {
    const { fetch, ...client } = createServiceClient({ baseUrl: BASE_URL });
    expect(client).to.deep.equal({ baseUrl: BASE_URL, timeoutMs: 15_000 });
    expect(fetch).to.be.a("function");
  });

  it("takes what it is given", () => {
    const fetch: typeof globalThis.fetch = () => Promise.reject(new Error("never called"));
    const client = createServiceClient({ baseUrl: BASE_URL, apiKey: API_KEY, timeoutMs: 5, fetch });
    expect([client.apiKey, client.timeoutMs, client.fetch]).to.deep.equal([API_KEY, 5, fetch]);
  });

  it("takes HTTP and HTTPS with a path, and drops slashes at the end", () => {
    for (const [given, baseUrl] of [
      ["https://example.org/api/", "https://example.org/api"],
      ["http://127.0.0.1:3000//", BASE_URL],
      [BASE_URL, BASE_URL],
    ] as const) {
      expect(createServiceClient({ baseUrl: given }).baseUrl).to.equal(baseUrl);
    }
  });

  it("does not list the API key when it is printed, serialised or spread over a log", () => {
    const client = createServiceClient({ baseUrl: BASE_URL, apiKey: API_KEY });
    expect(Object.keys(client)).not.to.include("apiKey");
    expect(JSON.stringify(client) + inspect(client) + inspect({ ...client })).not.to.include(API_KEY);
  });

  const refused: Record<string, [ServiceClientOptions, string, string]> = {
    "a base URL that is none": [{ baseUrl: "127.0.0.1:3000" }, "baseUrl", '"127.0.0.1:3000"'],
    "an empty base URL": [{ baseUrl: "" }, "baseUrl", '""'],
    "a base URL of another scheme": [{ baseUrl: "ws://127.0.0.1" }, "baseUrl", '"ws://127.0.0.1"'],
    "a base URL with a query, which would swallow every path": [
      { baseUrl: "http://127.0.0.1/?a=1" },
      "baseUrl",
      '"http://127.0.0.1/?a=1"',
    ],
    "a base URL with a fragment": [{ baseUrl: "http://127.0.0.1/#a" }, "baseUrl", '"http://127.0.0.1/#a"'],
    "a time-out of nothing": [{ baseUrl: BASE_URL, timeoutMs: 0 }, "timeoutMs", "0"],
    "a time-out below zero": [{ baseUrl: BASE_URL, timeoutMs: -1 }, "timeoutMs", "-1"],
    "a time-out that is no number": [{ baseUrl: BASE_URL, timeoutMs: Number.NaN }, "timeoutMs", "NaN"],
    "an endless time-out": [{ baseUrl: BASE_URL, timeoutMs: Number.POSITIVE_INFINITY }, "timeoutMs", "Infinity"],
  };
  for (const [name, [options, field, value]] of Object.entries(refused)) {
    it(`refuses ${name}`, () => {
      expect(refusal(() => createServiceClient(options))).to.deep.equal({ code: "INVALID_INPUT", field, value });
    });
  }
});
