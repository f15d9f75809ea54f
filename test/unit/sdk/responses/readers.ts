// Calls each public function that reads responses with a response body from the service.
import { createWalletClient, custom } from "viem";

import * as sdk from "../../../../packages/sdk/src/index.ts";
import type { RequestPageV2 } from "../../../../packages/sdk/src/client/listRequestsV2.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import {
  minimumOutput,
  type Quote,
  type QuoteRequest,
  quoteFeeTable,
  recordFeeTable,
  recoverRequestSigner,
  recoverRequestSignerV2,
  type RequestSignature,
  type RequestSignatureV2,
  type Step,
} from "../../../../packages/protocol/src/index.ts";
import { toV3 } from "../../../../packages/sdk/src/migrate.ts";
import { API_KEY, NOW, signedHeaders } from "../client/webhooks/signed.ts";
import { base, USDC, USER } from "../../protocol/fixtures.ts";

const REQUEST: QuoteRequest = { ...base, destinationCurrency: USDC, amount: "1" };
const REQUEST_ID = `0x${"ab".repeat(32)}`;
const WALLET = createWalletClient({
  account: localAccounts.user,
  transport: custom({ request: () => Promise.reject(new Error("no chain is called")) }),
});

/** Step to sign and post. */
export const SIGNATURE_STEP: Step = {
  id: "authorize1",
  action: "Sign authorization",
  description: "Sign",
  kind: "signature",
  requestId: REQUEST_ID,
  items: [
    {
      status: "incomplete",
      data: {
        sign: { signatureKind: "eip191", message: "0xab" },
        post: { endpoint: "/execute/permits", method: "POST", body: { kind: "claim" } },
      },
    },
  ],
};

/** Functions that send requests to the service, or read its webhooks. */
export const READERS = {
  getQuote: (body: unknown) => sdk.getQuote(clientOf(body), REQUEST),
  getPrice: (body: unknown) => sdk.getPrice(clientOf(body), REQUEST),
  getStatus: (body: unknown) => sdk.getStatus(clientOf(body), { requestId: REQUEST_ID }),
  listRequests: (body: unknown) => sdk.listRequests(clientOf(body)),
  listRequestsV2: (body: unknown) => sdk.listRequestsV2(clientOf(body), { force: true }),
  getChains: (body: unknown) => sdk.getChains(clientOf(body)),
  getSignature: (body: unknown) => sdk.getSignature(clientOf(body), { requestId: REQUEST_ID }),
  getSignatureV2: (body: unknown) => sdk.getSignatureV2(clientOf(body), { requestId: REQUEST_ID }),
  searchCurrencies: (body: unknown) => sdk.searchCurrencies(clientOf(body)),
  getTrendingCurrencies: (body: unknown) => sdk.getTrendingCurrencies(clientOf(body)),
  getTokenPrice: (body: unknown) => sdk.getTokenPrice(clientOf(body), { chainId: 8453, address: USDC }),
  getChainHealth: (body: unknown) => sdk.getChainHealth(clientOf(body)),
  getChainLiquidity: (body: unknown) => sdk.getChainLiquidity(clientOf(body), { chainId: 8453 }),
  getSwapSources: (body: unknown) => sdk.getSwapSources(clientOf(body)),
  getConfig: (body: unknown) => sdk.getConfig(clientOf(body), { originChainId: 8453, destinationChainId: 10 }),
  getUsage: (body: unknown) => sdk.getUsage(clientOf(body)),
  getDepositAddress: (body: unknown) => sdk.getDepositAddress(clientOf(body), { requestId: REQUEST_ID }),
  reindexDepositAddress: (body: unknown) =>
    sdk.reindexDepositAddress(clientOf(body), { chainId: 8453, depositAddress: USER }),
  setRequestMetadata: (body: unknown) =>
    sdk.setRequestMetadata(clientOf(body), { requestId: REQUEST_ID, moonPayId: "purchase" }),
  fastFill: (body: unknown) => sdk.fastFill(clientOf(body), { requestId: REQUEST_ID }),
  getAppFeeBalances: (body: unknown) => sdk.getAppFeeBalances(clientOf(body), { address: USER }),
  listAppFeeClaims: (body: unknown): Promise<object> => sdk.listAppFeeClaims(clientOf(body), { address: USER }),
  /** Function for which the body is the response to the claim request. */
  claimAppFees: (body: unknown) => {
    let isRequested = false;
    const respond = (): unknown => {
      const response = isRequested ? {} : body;
      isRequested = true;
      return response;
    };
    return sdk.claimAppFees(clientThat(respond), { wallet: WALLET, chainId: 8453, currency: USDC });
  },
  announceTransaction: (body: unknown) =>
    sdk.announceTransaction(clientOf(body), { requestId: REQUEST_ID, chainId: 8453, txHash: "0xab", transaction: {} }),
  announceDeposit: (body: unknown) => sdk.announceDeposit(clientOf(body), { chainId: 8453, txHash: "0xab" }),
  /** The body is the response to the posted signature. The deposit exists after the post. */
  executeSteps: (body: unknown) => {
    let isPosted = false;
    const respond = (method: string | undefined): unknown => {
      isPosted ||= method === "POST";
      return method === "POST" ? body : { status: isPosted ? "success" : "waiting" };
    };
    return sdk.executeSteps(clientThat(respond), {
      trust: "service",
      quote: { steps: [SIGNATURE_STEP], details: { currencyIn: { currency: { chainId: 8453 } } } },
      wallet: WALLET,
      pollIntervalMs: 1,
    });
  },
  verifyWebhook: (body: unknown) => {
    const rawBody = JSON.stringify(body);
    return sdk.verifyWebhook({ rawBody, headers: signedHeaders(rawBody), apiKey: API_KEY, now: NOW });
  },
} as const satisfies Readonly<Record<string, (body: unknown) => Promise<unknown>>>;

/** Name of a function that reads a body. */
export type Reader = keyof typeof READERS;

/** Functions that read the result of another function. */
export const FOLLOWERS = {
  planSteps: { of: "getQuote", read: ({ steps }: Quote) => sdk.planSteps(steps, 8453) },
  requestIdOf: { of: "getQuote", read: (quote: Quote) => sdk.requestIdOf(quote) },
  minimumOutput: { of: "getQuote", read: (quote: Quote) => minimumOutput(quote) },
  quoteFeeTable: { of: "getQuote", read: (quote: Quote) => quoteFeeTable(quote) },
  recordFeeTable: {
    of: "listRequests",
    read: ({ requests }: sdk.RequestPage) =>
      requests.map((record) => [recordFeeTable(record, "quoted"), recordFeeTable(record, "actual")]),
  },
  toV3: { of: "listRequestsV2", read: ({ requests }: RequestPageV2) => requests.map(toV3) },
  recoverRequestSignerV2: {
    of: "getSignatureV2",
    read: (signed: RequestSignatureV2) => recoverRequestSignerV2({ requestId: REQUEST_ID, ...signed }),
  },
  recoverRequestSigner: {
    of: "getSignature",
    read: (signed: RequestSignature) => recoverRequestSigner({ requestId: REQUEST_ID, ...signed }),
  },
} as const satisfies Readonly<Record<string, { readonly of: Reader; readonly read: (result: never) => unknown }>>;

/** Name of a function that reads another function's result. */
export type Follower = keyof typeof FOLLOWERS;

/** Returns a client for a service that responds with this body, through the client's own transport. */
function clientOf(body: unknown): sdk.ServiceClient {
  return clientThat(() => body);
}

function clientThat(respond: (method: string | undefined) => unknown): sdk.ServiceClient {
  return sdk.createServiceClient({
    // The live schema describes version 2 quotes.
    quoteVersion: 2,
    baseUrl: "http://127.0.0.1:1",
    apiKey: "key",
    limits: false,
    retry: false,
    fetch: (_url, init) => Promise.resolve(Response.json(respond(init?.method))),
  });
}
