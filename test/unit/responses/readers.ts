// The public functions that read responses, each as a user calls it: on a body that the service sends.
import {
  announceDeposit,
  createServiceClient,
  getChains,
  getQuote,
  getSignature,
  getStatus,
  listRequests,
  listRequestsV2,
  planSteps,
  requestIdOf,
  type RequestPage,
  type RequestPageV2,
  type ServiceClient,
  verifyWebhook,
} from "../../../src/index.ts";
import {
  minimumOutput,
  type Quote,
  type QuoteRequest,
  quoteFeeTable,
  recordFeeTable,
  recoverRequestSigner,
  type RequestSignature,
  toV3,
} from "../../../src/protocol/index.ts";
import { API_KEY, NOW, signedHeaders } from "../client/webhooks/signed.ts";
import { NATIVE, USDC, USER } from "../protocol/fixtures.ts";

const REQUEST: QuoteRequest = {
  user: USER,
  originChainId: 8453,
  destinationChainId: 10,
  originCurrency: NATIVE,
  destinationCurrency: USDC,
  tradeType: "EXACT_INPUT",
  amount: "1",
};
const REQUEST_ID = `0x${"ab".repeat(32)}`;

/** Functions that call the service, or are called by it, and functions that read what those return. */
export const READERS = {
  getQuote: (body: unknown) => getQuote(clientOf(body), REQUEST),
  getStatus: (body: unknown) => getStatus(clientOf(body), { requestId: REQUEST_ID }),
  listRequests: (body: unknown) => listRequests(clientOf(body)),
  listRequestsV2: (body: unknown) => listRequestsV2(clientOf(body), { force: true }),
  getChains: (body: unknown) => getChains(clientOf(body)),
  getSignature: (body: unknown) => getSignature(clientOf(body), { requestId: REQUEST_ID }),
  announceDeposit: (body: unknown) => announceDeposit(clientOf(body), { chainId: 8453, txHash: "0xab" }),
  verifyWebhook: (body: unknown) => {
    const rawBody = JSON.stringify(body);
    return verifyWebhook({ rawBody, headers: signedHeaders(rawBody), apiKey: API_KEY, now: NOW });
  },
} as const satisfies Readonly<Record<string, (body: unknown) => Promise<unknown>>>;

/** A function that reads a body. */
export type Reader = keyof typeof READERS;

/** Functions that read the result of another one. */
export const FOLLOWERS = {
  planSteps: { of: "getQuote", read: ({ steps }: Quote) => planSteps(steps, 8453) },
  requestIdOf: { of: "getQuote", read: (quote: Quote) => requestIdOf(quote) },
  minimumOutput: { of: "getQuote", read: (quote: Quote) => minimumOutput(quote) },
  quoteFeeTable: { of: "getQuote", read: (quote: Quote) => quoteFeeTable(quote) },
  recordFeeTable: {
    of: "listRequests",
    read: ({ requests }: RequestPage) =>
      requests.map((record) => [recordFeeTable(record, "quoted"), recordFeeTable(record, "actual")]),
  },
  toV3: { of: "listRequestsV2", read: ({ requests }: RequestPageV2) => requests.map(toV3) },
  recoverRequestSigner: {
    of: "getSignature",
    read: (signed: RequestSignature) => recoverRequestSigner({ requestId: REQUEST_ID, ...signed }),
  },
} as const satisfies Readonly<Record<string, { readonly of: Reader; readonly read: (result: never) => unknown }>>;

/** A function that reads the result of another one. */
export type Follower = keyof typeof FOLLOWERS;

/** A client of a service that answers with this body, which goes through the client's own transport. */
function clientOf(body: unknown): ServiceClient {
  const text = JSON.stringify(body);
  return createServiceClient({
    baseUrl: "http://127.0.0.1:1",
    apiKey: "key",
    limits: false,
    retry: false,
    fetch: () => Promise.resolve(new Response(text, { headers: { "content-type": "application/json" } })),
  });
}
