import { expect } from "chai";
import { getAddress } from "viem";

import { approve, type CallFinding, checkCalls } from "../../../../packages/sdk/src/calls/index.ts";
import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import { getQuote, type GetQuoteParameters } from "../../../../packages/sdk/src/client/getQuote.ts";
import { localRouterAddress } from "../../../../packages/protocol/src/generations/routers.ts";
import { getPrice } from "../../../../packages/sdk/src/client/getPrice.ts";
import type { QuoteRequest } from "../../../../packages/protocol/src/quote/quoteRequest.ts";
import type { SvmRoute } from "../../../../packages/protocol/src/quote/svmRoute.ts";
import { measureSvmTransaction } from "../../../../packages/protocol/src/quote/svmTransactionSize.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { base, fromSvm, chainEntry, quote, quoteV3, ROUTER, USDC, USER } from "../../protocol/fixtures.ts";
import { type Answer, useService } from "./service.ts";

const REQUEST: GetQuoteParameters = {
  ...base,
  tradeType: "EXACT_OUTPUT",
  amount: "1",
  txs: [{ to: USER, data: "0x", value: "1" }],
};

describe("getQuote", () => {
  const service = useService();

  it("posts the request unchanged, and returns the quote with its time", async () => {
    service.answers = () => ({ json: quote });
    const { signal } = new AbortController();
    const client = createServiceClient({ baseUrl: service.url });
    const clock = { now: () => 1_790_000_000_123 };
    expect(await getQuote(client, { ...REQUEST, signal, clock, shortensSvmRoutes: true })).to.deep.equal({
      ...quote,
      quotedAtMs: 1_790_000_000_123,
      quotedRequest: REQUEST,
    });
    expect(service.calls.map(({ method, url, body }) => [method, url, body])).to.deep.equal([
      ["POST", "/quote/v2", REQUEST],
    ]);
  });

  describe("for version 3", () => {
    const keyed = (quoteVersion?: 2 | 3) =>
      createServiceClient({
        baseUrl: service.url,
        apiKey: "key",
        retry: false,
        ...(quoteVersion === undefined ? {} : { quoteVersion }),
      });
    const urls = () => service.calls.map(({ url }) => url);
    const { fees: _, ...plain } = quote;

    it("requests a quote with an API key or an access token, and converts it to version 2", async () => {
      service.answers = () => ({ json: quoteV3 });
      const withToken = createServiceClient({ baseUrl: service.url, accessToken: () => Promise.resolve("token") });
      for (const client of [keyed(), withToken]) {
        const { quotedAtMs, quotedRequest, ...taken } = await getQuote(client, REQUEST);
        expect([taken, quotedAtMs > 0, quotedRequest]).to.deep.equal([plain, true, REQUEST]);
      }
      expect(urls()).to.deep.equal(["/quote/v3", "/quote/v3"]);
      expect(service.calls.map(({ body }) => body)).to.deep.equal([REQUEST, REQUEST]);
    });

    it("requests version 3 only once from a service that does not support it", async () => {
      service.answers = ({ url }) => (url === "/quote/v3" ? { status: 404, json: { message: "no" } } : { json: quote });
      const client = keyed();
      for (let index = 0; index < 2; index += 1) expect(await getQuote(client, REQUEST)).to.deep.include(quote);
      expect(urls()).to.deep.equal(["/quote/v3", "/quote/v2", "/quote/v2"]);
    });

    it("can be configured in the client", async () => {
      service.answers = () => ({ json: quote });
      expect(await getQuote(keyed(2), REQUEST)).to.deep.include(quote);
      service.answers = () => ({ status: 404, json: { message: "no" } });
      const error = await rejected(getQuote(keyed(3), REQUEST));
      expect([error.code, urls()]).to.deep.equal(["SERVICE_ERROR", ["/quote/v2", "/quote/v3"]]);
    });

    it("reports the code and the data of a rejection, without requesting another version", async () => {
      const errorData = { currency: USER, required: "2", available: "1" };
      service.answers = () => ({ status: 400, json: { message: "no", errorCode: "INSUFFICIENT_FUNDS", errorData } });
      expect(factsOf(await rejected(getQuote(keyed(), REQUEST)))).to.deep.include({
        status: 400,
        errorCode: "INSUFFICIENT_FUNDS",
        errorData,
        endpoint: "POST /quote/v3",
      });
      expect(service.calls).to.have.length(1);
    });
  });

  const refused: Record<string, [Partial<GetQuoteParameters>, string, string]> = {
    "a user that is not an address": [{ user: "invalid" }, "user", '"invalid"'],
    "an amount that does not equal the sum of the values": [{ amount: "2" }, "amount", '"2"'],
    "a call to an invalid address": [{ txs: [{ to: "0x12", data: "0x", value: "1" }] }, "txs[0].to", '"0x12"'],
    "a slippage above 100%": [{ slippageTolerance: "10001" }, "slippageTolerance", '"10001"'],
  };
  for (const [name, [changes, field, value]] of Object.entries(refused)) {
    it(`rejects ${name} before a request is sent`, async () => {
      const client = createServiceClient({ baseUrl: service.url });
      const error = await rejected(getQuote(client, { ...REQUEST, ...changes }));
      expect(factsOf(error)).to.deep.equal({ code: "INVALID_INPUT", field, value });
      expect(service.calls).to.deep.equal([]);
    });
  }

  it("names the field for a name of the service's own SDK, before a request is sent", async () => {
    for (const [name, field] of [
      ["chainId", "originChainId"],
      ["currency", "originCurrency"],
      ["toChainId", "destinationChainId"],
      ["toCurrency", "destinationCurrency"],
    ] as const) {
      const client = createServiceClient({ baseUrl: service.url });
      const { [field]: value, txs: _, ...others } = REQUEST;
      for (const request of [getQuote, getPrice]) {
        const error = await rejected(request(client, { ...others, [name]: value } as never));
        expect(factsOf(error)).to.include({ code: "INVALID_INPUT", field: name });
        expect(error).to.have.property("hint").that.includes(field);
      }
    }
    expect(service.calls).to.deep.equal([]);
  });

  it("requests the chains if a family is not documented, and requests the quote even if that fails", async () => {
    const elsewhere = { ...REQUEST, originChainId: 4_242_424_242, user: "EQ-any_form", recipient: USER };
    const client = () => createServiceClient({ baseUrl: service.url, retry: false });
    service.answers = ({ url }) => (url === "/chains" ? { status: 500, json: {} } : { json: quote });
    expect((await getQuote(client(), elsewhere)).quotedRequest.user).to.equal("EQ-any_form");
    service.answers = () => ({ json: { chains: [{ id: 4_242_424_242, vmType: "evm" }] } });
    expect(factsOf(await rejected(getQuote(client(), elsewhere)))).to.include({ code: "INVALID_INPUT", field: "user" });
    expect(service.calls.map(({ url }) => url)).to.deep.equal(["/chains", "/quote/v2", "/chains"]);
  });

  it("leaves checks of deposit addresses' trade types to the service", async () => {
    service.answers = () => ({ json: quote });
    const client = createServiceClient({ baseUrl: service.url });
    const { txs: _, ...plain } = REQUEST;
    for (const tradeType of ["EXACT_OUTPUT", "EXPECTED_OUTPUT"] as const) {
      await getQuote(client, { ...plain, tradeType, useDepositAddress: true, refundTo: USER });
    }
    expect(service.calls).to.have.length(2);
  });

  it("rejects a value that is not a request before sending it", async () => {
    const client = createServiceClient({ baseUrl: service.url });
    const { user: _user, ...rest } = REQUEST;
    const error = await rejected(getQuote(client, rest as GetQuoteParameters));
    expect(factsOf(error)).to.deep.equal({ code: "INVALID_INPUT", field: "user", value: undefined });
    expect(service.calls).to.deep.equal([]);
  });

  it("reports the service's reason for a rejection", async () => {
    service.answers = () => ({ status: 400, json: { message: "no", errorCode: "AMOUNT_TOO_LOW" } });
    const error = await rejected(getQuote(createServiceClient({ baseUrl: service.url }), REQUEST));
    expect(factsOf(error)).to.deep.equal({
      code: "SERVICE_ERROR",
      status: 400,
      errorCode: "AMOUNT_TOO_LOW",
      errorData: undefined,
      endpoint: "POST /quote/v2",
      tries: 1,
    });
  });

  it("explains how to request quotes after the end of version 2, and passes on the hint from version 3", async () => {
    service.answers = () => ({ status: 410, json: { message: "ended", successor: "/quote/v3" } });
    const ended = await rejected(getQuote(createServiceClient({ baseUrl: service.url, retry: false }), REQUEST));
    expect(factsOf(ended)).to.include({ code: "SERVICE_ERROR", status: 410 });
    expect(ended.hint).to.include("accessToken");
    const errorData = { hint: "Send less." };
    service.answers = () => ({ status: 400, json: { message: "no", errorCode: "AMOUNT_TOO_HIGH", errorData } });
    const client = createServiceClient({ baseUrl: service.url, apiKey: "key", retry: false });
    expect((await rejected(getQuote(client, REQUEST))).hint).to.equal("Send less.");
  });

  it("returns the parts of a quote that can be read, and lists the others", async () => {
    const raw = { ...quote, steps: [{ ...quote.steps[0], items: null, action: 5 }] };
    service.answers = () => ({ json: raw });
    const { action: _, ...step } = raw.steps[0]!;
    const taken = await getQuote(createServiceClient({ baseUrl: service.url }), REQUEST);
    expect(taken.steps).to.deep.equal([step]);
    expect(taken.unreadable).to.deep.equal({
      raw,
      fields: [{ path: "steps[0].action", reason: "it must be string" }],
    });
  });

  it("stops when the signal aborts", async () => {
    const client = createServiceClient({ baseUrl: service.url });
    const error = await rejected(getQuote(client, { ...REQUEST, signal: AbortSignal.abort() }));
    expect([error.code, service.calls]).to.deep.equal(["ABORTED", []]);
  });

  describe("from the SVM chain", () => {
    const TOO_LARGE: Answer = { status: 400, json: { message: "too large", errorCode: "SOLANA_TX_TOO_LARGE" } };

    /**
     * Starts a service that builds a deposit of 300 bytes plus a size per hop, and rejects a deposit that exceeds
     * the size limit.
     */
    function rejectAbove(bytesPerHop: number): void {
      service.answers = ({ body }) => {
        const { maxRouteLength = 6, includedOriginSwapSources } = body as QuoteRequest;
        const hops = includedOriginSwapSources === undefined ? maxRouteLength : 1;
        const deposit = new Uint8Array(300 + hops * bytesPerHop);
        return measureSvmTransaction(deposit).fitsQuote ? { json: quote } : TOO_LARGE;
      };
    }

    async function variantOf(changes: Partial<GetQuoteParameters> = {}): Promise<unknown[]> {
      const routes: SvmRoute[] = [];
      const client = createServiceClient({ baseUrl: service.url });
      await getQuote(client, { ...fromSvm, onSvmRoute: (route) => routes.push(route), ...changes });
      expect(routes.map(({ request }) => request)).to.deep.equal([service.calls.at(-1)?.body]);
      return [routes[0]?.variant, service.calls.length];
    }

    // 872 bytes are left for hops: 145 for each of 6, 218 for each of 4, and 290 for each of 3.
    const variants: [number, string, number][] = [
      [145, "asRequested", 1],
      [146, "maxRouteLength4", 2],
      [218, "maxRouteLength4", 2],
      [219, "maxRouteLength3", 3],
      [291, "aggregatorOnly", 4],
    ];
    for (const [bytesPerHop, variant, calls] of variants) {
      it(`uses ${variant} if each hop takes ${bytesPerHop} bytes`, async () => {
        rejectAbove(bytesPerHop);
        expect(await variantOf()).to.deep.equal([variant, calls]);
      });
    }

    it("throws the service's error if no smaller variant remains", async () => {
      rejectAbove(900);
      const error = await rejected(variantOf());
      expect(error).to.deep.include({ code: "SERVICE_ERROR", status: 400, errorCode: "SOLANA_TX_TOO_LARGE" });
      expect(service.calls.map(({ body }) => body)).to.deep.equal([
        fromSvm,
        { ...fromSvm, maxRouteLength: 4 },
        { ...fromSvm, maxRouteLength: 3 },
        { ...fromSvm, maxRouteLength: 3, includedOriginSwapSources: ["jupiter"] },
      ]);
    });

    it("requests only once if configured", async () => {
      rejectAbove(146);
      const error = await rejected(variantOf({ shortensSvmRoutes: false }));
      expect([error.code, service.calls.length]).to.deep.equal(["SERVICE_ERROR", 1]);
    });

    const others: [number, string][] = [
      [400, "NO_QUOTES"],
      [500, "SOLANA_TX_TOO_LARGE"],
    ];
    for (const [status, errorCode] of others) {
      it(`requests only once if the service returns ${status} ${errorCode}`, async () => {
        service.answers = () => ({ status, json: { message: "no", errorCode } });
        const error = await rejected(variantOf());
        expect([error.code, service.calls.length]).to.deep.equal(["SERVICE_ERROR", 1]);
      });
    }

    it("reports a missing route without retries for other origin chains", async () => {
      const client = createServiceClient({ baseUrl: service.url });
      const routes: SvmRoute[] = [];
      const parameters = { ...REQUEST, onSvmRoute: (route: SvmRoute) => routes.push(route) };
      service.answers = () => ({ json: quote });
      await getQuote(client, parameters);
      service.answers = () => TOO_LARGE;
      await rejected(getQuote(client, parameters));
      expect([routes, service.calls.length]).to.deep.equal([[], 2]);
    });
  });
});

const EXECUTOR = "0x5555555555555555555555555555555555555555";
const CHECKED: GetQuoteParameters = {
  ...base,
  recipient: USER,
  refundTo: USER,
  originChainId: 10,
  destinationChainId: 8453,
  destinationCurrency: USDC,
  amount: "1",
  txs: [approve({ token: USDC, spender: EXECUTOR })],
};

describe("getQuote with a checker", () => {
  const service = useService();
  const client = () => createServiceClient({ baseUrl: service.url, checkCalls });
  const paths = () => service.calls.map(({ method, url }) => `${method} ${url}`);
  const codes = (findings: readonly CallFinding[]) => findings.map(({ code }) => code);

  beforeEach(() => {
    service.answers = ({ url }) => ({ json: url === "/chains" ? { chains: [chainEntry] } : quote });
  });

  it("uses the router that the service reports as its default", async () => {
    const erc20Router = localRouterAddress("3.2");
    const chains = [{ ...chainEntry, contracts: { ...chainEntry.contracts, erc20Router } }];
    service.answers = ({ url }) => ({ json: url === "/chains" ? { chains } : quote });
    const sent: string[] = [];
    const checkCallsOf: typeof checkCalls = (parameters) => {
      sent.push(parameters.contracts.router);
      return [];
    };
    await getQuote(createServiceClient({ baseUrl: service.url, checkCalls: checkCallsOf }), CHECKED);
    expect(sent).to.deep.equal([getAddress(erc20Router)]);
  });

  it("requests the router, but no quote, if the calls lose funds", async () => {
    const error = await rejected(getQuote(client(), { ...CHECKED, checks: { contracts: { pushExecutor: EXECUTOR } } }));
    expect(error.code).to.equal("CALLS_REFUSED");
    expect(codes((error as unknown as { findings: CallFinding[] }).findings)).to.deep.equal(["ANY_CALLER_APPROVED"]);
    expect(paths()).to.deep.equal(["GET /chains"]);
  });

  it("requests a quote with accepted findings, reports the findings, and posts no check options", async () => {
    const reported: string[] = [];
    const checks = {
      contracts: { router: ROUTER, pushExecutor: EXECUTOR },
      accepts: ["ANY_CALLER_APPROVED"],
      onFindings: (findings: readonly CallFinding[]) => reported.push(...codes(findings)),
    } as const;
    await getQuote(client(), { ...CHECKED, checks });
    expect(reported).to.include("ANY_CALLER_APPROVED");
    expect(paths()).to.deep.equal(["POST /quote/v2"]);
    expect(service.calls[0]?.body).to.deep.equal(CHECKED);
  });

  it("checks nothing if checks are disabled, or if there are no calls or no router", async () => {
    const { txs: _, ...withoutCalls } = CHECKED;
    await getQuote(client(), { ...CHECKED, checks: false });
    await getQuote(client(), withoutCalls);
    expect(paths()).to.deep.equal(["POST /quote/v2", "POST /quote/v2"]);
    await getQuote(client(), { ...CHECKED, destinationChainId: 42161 });
    expect(paths().slice(2)).to.deep.equal(["GET /chains", "POST /quote/v2"]);
  });
});
