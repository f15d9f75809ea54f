import { expect } from "chai";
import { BaseError, HttpRequestError, LimitExceededRpcError, UnknownRpcError } from "viem";

import { isRangeRejection, isTemporary, nodeReason, retryAfterMs } from "../../../../packages/sdk/src/execute/node.ts";

const coded = (code: unknown, message = "no", fields: object = {}): Error =>
  Object.assign(new Error(message), { code, ...fields });
const http = (status: number, headers: Record<string, string> = {}): HttpRequestError =>
  new HttpRequestError({ url: "http://node", status, headers: new Headers(headers), details: "Too busy" });

const TEMPORARY: Record<string, unknown> = {
  "HTTP 429": http(429),
  "HTTP 503": http(503),
  "HTTP 429 in another error": new BaseError("failed", { cause: http(429) }),
  "a JSON-RPC error of 429": coded(429),
  "-32005": coded(-32_005),
  "viem's -32005": new LimitExceededRpcError(new Error("limit")),
  "-32007 of QuickNode": coded(-32_007, "15/second request limit reached"),
  "-32029": coded(-32_029),
  "-32097": coded(-32_097),
  "words of a rate limit": coded(-32_000, "Rate limit exceeded"),
  "too many requests": new Error("Too Many Requests"),
  "requests per second": new Error("exceeded 25 requests per second"),
  "compute units": new Error("Your app has exceeded its compute units per second capacity."),
  throttled: new Error("request throttled"),
  "a lagging node": coded(-32_000, "header not found"),
};
const LASTING: Record<string, unknown> = {
  "HTTP 500": http(500),
  "HTTP 401": http(401),
  "-32601": coded(-32_601),
  "an unknown error": new Error("failed"),
  "a contract's words": coded(3, "execution reverted: rate limit exceeded"),
  nothing: undefined,
};
const RANGES = [
  "range exceeds limit of 1000",
  "exceed maximum block range: 500",
  "block range is too wide",
  "block range limit exceeded",
  "eth_getLogs is limited to a 10,000 range",
  "eth_getLogs is limited to 0 - 10 blocks range",
  "You can make eth_getLogs requests with up to a 10 block range.",
  "ranges over 10000 blocks are not supported on freetier",
  "query returned more than 10000 results",
  "query timeout exceeded. Consider reducing your block range.",
  "logs matched by query exceeds limit of 10000",
  "Log response size exceeded.",
  "Please limit the query to at most 1000 blocks",
  "requested too many blocks from 1 to 5000, maximum is set to 2048",
  "maximum [from, to] blocks distance: 10000",
  "backend response too large",
  "query exceeds max results 20000, retry with the range 1-500",
  "max block span is 1024",
];

describe("a node error", () => {
  for (const [name, error] of Object.entries(TEMPORARY)) {
    it(`is temporary: ${name}`, () => expect(isTemporary(error, "eth_blockNumber")).to.equal(true));
  }
  for (const [name, error] of Object.entries(LASTING)) {
    it(`is not temporary: ${name}`, () => expect(isTemporary(error, "eth_blockNumber")).to.equal(false));
  }
  it("with code -32005 is temporary for logs only if its message reports a rate limit", () => {
    const [size, rate] = [coded(-32_005, "limit exceeded"), coded(-32_005, "rate limit exceeded")];
    expect([isTemporary(size, "eth_getLogs"), isTemporary(rate, "eth_getLogs")]).to.deep.equal([false, true]);
  });

  for (const text of RANGES) {
    it(`reports that a query is too large: ${text}`, () => {
      for (const code of [-32_602, -32_000, -32_005, undefined]) {
        const error = new UnknownRpcError(coded(code, text));
        expect([isRangeRejection(error), isTemporary(error, "eth_getLogs")]).to.deep.equal([true, false]);
      }
    });
  }
  for (const error of [new Error("failed"), coded(-32_601, "method not found"), http(500), undefined]) {
    it(`does not report that a query is too large: ${String(error)}`, () =>
      expect(isRangeRejection(error)).to.equal(false));
  }
  it("with HTTP status 413 reports that a query is too large", () =>
    expect(isRangeRejection(http(413))).to.equal(true));

  it("contains the time of the next allowed request", () => {
    const infura = coded(-32_005, "no", { data: { rate: { backoff_seconds: 1.5 } } });
    expect(retryAfterMs(http(429, { "retry-after": "3" }), 0)).to.equal(3_000);
    expect(retryAfterMs(new BaseError("failed", { cause: http(429, { "retry-after": "3" }) }), 0)).to.equal(3_000);
    const date = new Date(60_000).toUTCString();
    expect(retryAfterMs(http(503, { "retry-after": date }), 50_000)).to.equal(10_000);
    expect(retryAfterMs(infura, 0)).to.equal(1_500);
    const cyclic = new Error("no");
    cyclic.cause = cyclic;
    for (const error of [http(429), cyclic, "text", undefined]) expect(retryAfterMs(error, 0)).to.equal(undefined);
  });

  it("keeps the node's message", () => {
    expect(nodeReason(new UnknownRpcError(new Error("the node's words")))).to.equal("the node's words");
    expect(nodeReason(new BaseError("viem's words"))).to.equal("viem's words");
    expect([nodeReason(new Error("others")), nodeReason("text")]).to.deep.equal(["others", "text"]);
  });
});
