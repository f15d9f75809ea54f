// Tests functions that send one request and return its response.
import { expect } from "chai";

import { createServiceClient, type ServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import * as sdk from "../../../../packages/sdk/src/index.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { NATIVE, SVM_USDC, USDC, USER } from "../../protocol/fixtures.ts";
import { useService } from "./service.ts";

const HASH = `0x${"ab".repeat(32)}`;
const CURRENCY = {
  chainId: 8453,
  address: USDC,
  symbol: "USDC",
  name: "USD Coin",
  decimals: 6,
  metadata: { logoURI: "", verified: true, isNative: false },
};
const ENTRY = { ...CURRENCY, vmType: "evm" };
const AMOUNT = { currency: CURRENCY, amount: "1", amountFormatted: "0.000001", amountUsd: "0.000001" };
const LIQUIDITY = { ...ENTRY, currencyId: "usdc", balance: "5", amountUsd: "0.000005" };
const CONFIG = {
  enabled: true,
  user: { balance: "1", maxBridgeAmount: "1" },
  fee: "2",
  supportsExternalLiquidity: false,
};
const METRIC = { apiKey: "key", timestamp: "2026-08-15T12:00:00.000Z", endpoint: "/chains", statusCode: 200, count: 2 };
const FOUND = { depositAddress: USER, type: "open", requestId: HASH, chainId: 10, createdAt: "", currency: "eth" };
const REINDEXED = { message: "Deposits", triggeredCurrencies: [], checkedCurrencies: 2, failedCurrencies: 0 };
const BALANCES = { balances: [AMOUNT], totalBalanceUsd: 2, outstandingFastFillBalanceUsd: 1, availableBalanceUsd: 1 };
const CLAIM = { claimId: HASH, wallet: USER, recipient: USER, currency: AMOUNT, txHash: null, status: "pending" };
const PAID = {
  originChainId: 8453,
  originUser: USER,
  originCurrency: USDC,
  destinationChainId: 10,
  destinationUser: USER,
};
const SIGNED = { requestData: { ...PAID, originAmount: "1000000" }, signature: `0x${"ab".repeat(65)}` };
const SIGNED_V2 = { requestData: { originChainId: 1, destinationCurrency: USDC }, signature: "0x" };

/** Accepts parameters that TypeScript would reject. */
type Verb = (client: ServiceClient, parameters: never) => Promise<unknown>;

interface Case {
  readonly verb: Verb;
  readonly parameters: object;
  readonly call: readonly [method: "GET" | "POST", url: string, body?: object];
  readonly json: unknown;
  /** Expected result. Defaults to the response. */
  readonly returns?: unknown;
  /** Field without which the function rejects the response. */
  readonly needs?: string;
  /** Parameters that the function rejects, with the field and its value. */
  readonly refuses: readonly (readonly [change: object, field: string, value: string | undefined])[];
}

const CASES: Readonly<Record<string, Case>> = {
  searchCurrencies: {
    verb: sdk.searchCurrencies,
    parameters: { chainIds: [1, 8453], term: "usd", tokens: [`8453:${USDC}`], verified: true, limit: 5 },
    call: [
      "POST",
      "/currencies/v2",
      { chainIds: [1, 8453], term: "usd", tokens: [`8453:${USDC}`], verified: true, limit: 5 },
    ],
    json: [ENTRY, { ...ENTRY, addedLater: 1 }],
    refuses: [
      [{ limit: -1 }, "limit", "-1"],
      [{ chainIds: [1, -1] }, "chainIds", "-1"],
      [{ chainIds: 1 }, "chainIds", "1"],
      [{ tokens: [] }, "tokens", "[]"],
      [{ term: "" }, "term", '""'],
      [{ verified: "yes" }, "verified", '"yes"'],
      [{ symbol: "USDC" }, "symbol", undefined],
    ],
  },
  getTrendingCurrencies: {
    verb: sdk.getTrendingCurrencies,
    parameters: { chainId: 8453, sortBy: "relay24hBuyUsdVolume", limit: 3 },
    call: ["GET", "/currencies/trending?chainId=8453&sortBy=relay24hBuyUsdVolume&limit=3"],
    json: [ENTRY],
    refuses: [[{ chainId: -1 }, "chainId", "-1"]],
  },
  getTokenPrice: {
    verb: sdk.getTokenPrice,
    parameters: { chainId: 8453, address: USDC },
    call: ["GET", `/currencies/token/price?chainId=8453&address=${USDC}`],
    json: { price: 0.9998 },
    returns: 0.9998,
    needs: "price",
    refuses: [
      [{ address: "0x12" }, "address", '"0x12"'],
      [{ address: SVM_USDC }, "address", JSON.stringify(SVM_USDC)],
      [{ address: undefined }, "address", undefined],
      [{ chainId: undefined }, "chainId", undefined],
    ],
  },
  getChainHealth: {
    verb: sdk.getChainHealth,
    parameters: { chainId: 10 },
    call: ["GET", "/chains/health?chainId=10"],
    json: { healthy: false },
    needs: "healthy",
    refuses: [[{ chainId: "10" }, "chainId", '"10"']],
  },
  getChainLiquidity: {
    verb: sdk.getChainLiquidity,
    parameters: { chainId: 8453 },
    call: ["GET", "/chains/liquidity?chainId=8453"],
    json: { liquidity: [LIQUIDITY] },
    returns: [LIQUIDITY],
    needs: "liquidity",
    refuses: [[{ chainId: undefined }, "chainId", undefined]],
  },
  getSwapSources: {
    verb: sdk.getSwapSources,
    parameters: {},
    call: ["GET", "/swap-sources"],
    json: { sources: ["jupiter"] },
    returns: ["jupiter"],
    needs: "sources",
    refuses: [[{ chainId: 1.5 }, "chainId", "1.5"]],
  },
  getConfig: {
    verb: sdk.getConfig,
    parameters: { originChainId: 8453, destinationChainId: 10, user: USER, currency: "usdc" },
    call: ["GET", `/config/v2?originChainId=8453&destinationChainId=10&user=${USER}&currency=usdc`],
    json: CONFIG,
    refuses: [
      [{ user: "me" }, "user", '"me"'],
      [{ destinationChainId: undefined }, "destinationChainId", undefined],
    ],
  },
  getUsage: {
    verb: sdk.getUsage,
    parameters: { granularity: "daily", startTimestamp: new Date(5_999), endTimestamp: 7, apiKey: ["a", "b"] },
    call: ["GET", "/metrics/usage?granularity=daily&startTimestamp=5&endTimestamp=7&apiKey=a%2Cb"],
    json: { metrics: [METRIC] },
    returns: [METRIC],
    needs: "metrics",
    refuses: [
      [{ startTimestamp: "2026" }, "startTimestamp", '"2026"'],
      [{ apiKey: ["secret,"] }, "apiKey", '"[api key]"'],
    ],
  },
  getDepositAddress: {
    verb: sdk.getDepositAddress,
    parameters: { address: USER },
    call: ["GET", `/deposit-addresses/v1?address=${USER}`],
    json: FOUND,
    needs: "depositAddress",
    refuses: [
      [{ address: undefined }, "address", undefined],
      [{ requestId: HASH }, "address", JSON.stringify(USER)],
    ],
  },
  reindexDepositAddress: {
    verb: sdk.reindexDepositAddress,
    // Address in mixed case without a valid checksum, as the service may return it.
    parameters: { chainId: 10, depositAddress: `0x${"aB".repeat(20)}`, targetChainId: 8453, currency: USDC },
    call: [
      "POST",
      "/transactions/deposit-address/reindex",
      { chainId: 10, depositAddress: `0x${"aB".repeat(20)}`, targetChainId: 8453, currency: USDC },
    ],
    json: REINDEXED,
    refuses: [
      [{ depositAddress: "0x12" }, "depositAddress", '"0x12"'],
      [{ currency: SVM_USDC }, "currency", JSON.stringify(SVM_USDC)],
      [{ chainId: -1 }, "chainId", "-1"],
      [{ sweep: true }, "sweep", undefined],
    ],
  },
  announceTransaction: {
    verb: sdk.announceTransaction,
    parameters: { requestId: HASH, chainId: 10, txHash: "0x01", transaction: { to: USER, value: "5" } },
    call: [
      "POST",
      "/transactions/single",
      { requestId: HASH, chainId: "10", tx: JSON.stringify({ to: USER, value: "5", txHash: "0x01" }) },
    ],
    json: { message: "Success" },
    returns: undefined,
    refuses: [
      [{ chainId: -1 }, "chainId", "-1"],
      [{ txHash: undefined }, "txHash", undefined],
    ],
  },
  setRequestMetadata: {
    verb: sdk.setRequestMetadata,
    parameters: { requestId: HASH, moonPayId: "purchase" },
    call: ["POST", "/requests/metadata", { requestId: HASH, additionalMetadata: { moonPayId: "purchase" } }],
    json: { message: "Success" },
    returns: undefined,
    refuses: [
      [{ moonPayId: "" }, "moonPayId", '""'],
      [{ requestId: undefined }, "requestId", undefined],
    ],
  },
  fastFill: {
    verb: sdk.fastFill,
    parameters: { requestId: HASH, solverInputCurrencyAmount: 2n ** 60n, maxFillAmountUsd: 12.5 },
    call: [
      "POST",
      "/fast-fill",
      { requestId: HASH, solverInputCurrencyAmount: String(2n ** 60n), maxFillAmountUsd: 12.5 },
    ],
    json: { message: "queued" },
    returns: undefined,
    refuses: [
      [{ solverInputCurrencyAmount: -1n }, "solverInputCurrencyAmount", "-1"],
      [{ maxFillAmountUsd: -0.5 }, "maxFillAmountUsd", "-0.5"],
      [{ maxFillAmountUsd: Number.NaN }, "maxFillAmountUsd", "NaN"],
      [{ requestId: "" }, "requestId", '""'],
    ],
  },
  getAppFeeBalances: {
    verb: sdk.getAppFeeBalances,
    parameters: { address: USER },
    call: ["GET", `/app-fees/${USER}/balances`],
    json: BALANCES,
    refuses: [
      [{ address: "../a" }, "address", '"../a"'],
      [{ address: undefined }, "address", undefined],
    ],
  },
  listAppFeeClaims: {
    verb: sdk.listAppFeeClaims,
    parameters: { address: USER, limit: 2, continuation: "a/b" },
    call: ["GET", `/app-fees/${USER}/claims?limit=2&continuation=a%2Fb`],
    json: { claims: [CLAIM], continuation: null },
    returns: { claims: [CLAIM], continuation: undefined },
    needs: "claims",
    refuses: [
      [{ address: SVM_USDC }, "address", JSON.stringify(SVM_USDC)],
      [{ limit: 0 }, "limit", "0"],
      [{ limit: 51 }, "limit", "51"],
    ],
  },
  getSignature: {
    verb: sdk.getSignature,
    parameters: { requestId: "../a?b#c d%" },
    call: ["GET", "/requests/..%2Fa%3Fb%23c%20d%25/signature"],
    json: SIGNED,
    refuses: [],
  },
  getSignatureV2: {
    verb: sdk.getSignatureV2,
    parameters: { requestId: "../a?b" },
    call: ["GET", "/requests/..%2Fa%3Fb/signature/v2"],
    json: SIGNED_V2,
    refuses: [],
  },
  getStatus: {
    verb: sdk.getStatus,
    parameters: { requestId: HASH },
    call: ["GET", `/intents/status/v3?requestId=${HASH}`],
    // Status that this SDK version does not know.
    json: { status: "delayed", txHashes: ["0x01"], updatedAt: 5 },
    needs: "status",
    refuses: [],
  },
  announceDeposit: {
    verb: sdk.announceDeposit,
    parameters: { chainId: 8453, txHash: "0x01", requestId: HASH },
    call: ["POST", "/transactions/index", { chainId: 8453, txHash: "0x01", requestId: HASH }],
    json: { message: "Success" },
    returns: undefined,
    refuses: [],
  },
};

describe("the endpoint functions", () => {
  const service = useService();
  const client = () => createServiceClient({ baseUrl: service.url, apiKey: "key", retry: false });

  for (const [name, { verb, parameters, call, json, needs, refuses, ...others }] of Object.entries(CASES)) {
    const run = (change: object = {}) => verb(client(), { ...parameters, ...change } as never);
    // Each error names its request.
    const request = "requestId" in parameters ? { requestId: parameters.requestId } : {};
    const respond = (body: unknown): void => {
      service.answers = () => ({ json: body });
    };

    describe(name, () => {
      beforeEach(() => respond(json));

      it("sends the parameters, and returns the response", async () => {
        expect(await run({ signal: new AbortController().signal })).to.deep.equal(
          "returns" in others ? others.returns : json,
        );
        const [method, url, body] = call;
        expect(service.calls.map((sent) => [sent.method, sent.url, sent.body])).to.deep.equal([[method, url, body]]);
      });

      for (const [change, field, value] of refuses) {
        it(`rejects ${field} ${value} before sending`, async () => {
          expect(factsOf(await rejected(run(change)))).to.deep.equal({ code: "INVALID_INPUT", field, value });
          expect(service.calls).to.deep.equal([]);
        });
      }

      if (needs !== undefined) {
        it(`rejects a response without ${needs}`, async () => {
          respond({ ...(json as object), [needs]: null });
          expect(factsOf(await rejected(run()))).to.include({ code: "MALFORMED_DATA", path: needs, ...request });
        });
      }

      it("reports the service's reason for a rejection", async () => {
        service.answers = () => ({ status: 404, json: { message: "no", code: "SOME_CODE" } });
        const error = await rejected(run());
        expect(factsOf(error)).to.include({ code: "SERVICE_ERROR", status: 404, errorCode: "SOME_CODE", ...request });
      });

      it("stops when the signal aborts", async () => {
        const error = await rejected(run({ signal: AbortSignal.abort() }));
        expect([error.code, service.calls]).to.deep.equal(["ABORTED", []]);
      });
    });
  }

  it("return unreadable list entries separately, with the reason", async () => {
    const odd = { ...ENTRY, decimals: {}, chainId: "8453" };
    service.answers = () => ({ json: [odd, ENTRY, null] });
    const { decimals: _, ...readable } = ENTRY;
    expect(await sdk.searchCurrencies(client())).to.deep.equal([
      { ...readable, unreadable: { raw: odd, fields: [{ path: "decimals", reason: "it must be integer" }] } },
      ENTRY,
      { unreadable: { raw: null, fields: [{ path: "", reason: "it must be object" }] } },
    ]);
    service.answers = () => ({ json: { currencies: [] } });
    for (const verb of [sdk.searchCurrencies, sdk.getTrendingCurrencies]) {
      expect(factsOf(await rejected(verb(client())))).to.include({ code: "MALFORMED_DATA", path: "" });
    }
  });

  it("find a deposit address by its request, and name the request in errors", async () => {
    service.answers = ({ url }) => (url?.includes("?requestId=") === true ? { json: {} } : { status: 500, json: {} });
    const error = await rejected(sdk.getDepositAddress(client(), { requestId: HASH }));
    expect(factsOf(error)).to.deep.equal({
      code: "MALFORMED_DATA",
      what: "the response of GET /deposit-addresses/v1",
      path: "depositAddress",
      endpoint: "GET /deposit-addresses/v1",
      tries: 1,
      requestId: HASH,
    });
  });

  for (const name of ["getUsage", "getDepositAddress", "fastFill"]) {
    it(`require an API key for ${name}, and send nothing without a key`, async () => {
      const { verb, parameters } = CASES[name]!;
      const error = await rejected(verb(createServiceClient({ baseUrl: service.url }), parameters as never));
      expect(factsOf(error)).to.deep.equal({ code: "INVALID_INPUT", field: "client.apiKey", value: undefined });
      expect(service.calls).to.deep.equal([]);
    });
  }

  it("do not expose API keys from a usage query that the service echoes", async () => {
    service.answers = ({ url }) => ({ status: 403, json: { message: `${url}: not your keys: key-1 and key-2` } });
    for (const apiKey of ["key-1", ["key-1", "key-2"]]) {
      const error = await rejected(sdk.getUsage(client(), { apiKey }));
      expect(error.message).not.to.include(Array.isArray(apiKey) ? "key-2" : "key-1");
    }
  });

  it("repeat a request with an unknown outcome only if repeating it is safe", async () => {
    const repeated: Record<string, boolean> = {};
    for (const [name, { verb, parameters }] of Object.entries(CASES)) {
      service.answers = () => ({ status: 503, json: {} });
      const before = service.calls.length;
      const patient = createServiceClient({
        baseUrl: service.url,
        apiKey: "key",
        retry: { maxTries: 2, baseDelayMs: 0 },
      });
      await rejected(verb(patient, parameters as never));
      repeated[name] = service.calls.length - before === 2;
    }
    const once = Object.keys(repeated).filter((name) => !repeated[name]);
    expect(once).to.deep.equal(["reindexDepositAddress", "fastFill"]);
  });

  it("accept an EVM chain's native currency", async () => {
    service.answers = () => ({ json: { price: "2500.5" } });
    expect(await sdk.getTokenPrice(client(), { chainId: 8453, address: NATIVE })).to.equal(2500.5);
  });
});
