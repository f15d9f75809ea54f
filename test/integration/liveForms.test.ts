import { expect } from "chai";
import { zeroAddress } from "viem";

import { expectLive, LIVE_PARTS, missingFields } from "../support/complete.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { depositAndWatch, etherRequest, quoteEther, requestIdOf } from "./support/requests.ts";
import { type Answer, get, post } from "./support/serviceCalls.ts";

/** Endpoints of the live service that the local service lacks; see docs/local-service.md. */
const NOT_SERVED = ["/withdrawals/"];

/** Fields that the live service includes only in some errors. */
const OPTIONAL = ["errorData", "requestId", "approxSimulatedBlock", "failedCallData"];

// Other tests check the other responses with status 200.
describe("errors and confirmations in the live service's format", () => {
  const network = useNetwork({
    apiKeys: ["sponsor", "guest"],
    otherApiKeys: ["foreign"],
    sponsoringApiKeys: ["sponsor"],
    sponsorBalanceUsd: 10_000,
  });
  let waiting = "";
  let filled = "";

  before(async () => {
    waiting = requestIdOf(await quoteEther(network));
    const quote = await quoteEther(network);
    await depositAndWatch(network, quote);
    filled = requestIdOf(quote);
  });
  afterEach(() => network.scenarios.clear());

  const as = (apiKey: string) => ({ "x-api-key": apiKey });
  const wallet = (path: string) => `/app-fees/me/${path}`;
  const quoted = () => etherRequest(network);
  const unknownId = `0x${"1".repeat(64)}`;
  const hash = `0x${"2".repeat(64)}`;
  const payment = () => ({ chainId: network.chains[0].id, currency: zeroAddress, recipient: zeroAddress });
  const fastFill = (requestId: string, apiKey = "sponsor") => post(network, "/fast-fill", { requestId }, as(apiKey));
  const addressed = (path: string, apiKey = "guest") => get(network, `/deposit-addresses/v1${path}`, as(apiKey));
  const index = (fields: object) =>
    post(network, "/transactions/index", { chainId: `${network.chains[0].id}`, txHash: hash, ...fields });
  const reindex = (chainId: number, depositAddress: string = zeroAddress, apiKey = "guest") =>
    post(network, "/transactions/deposit-address/reindex", { chainId, depositAddress }, as(apiKey));
  /** Makes the next request to the path fail, and returns the error response. */
  const faulty = async (status: 429 | 500 | 503, method: "GET" | "POST", path: string): Promise<Answer> => {
    await network.scenarios.set(`http:${status}`, { next: 1, parameters: { routes: [path] } });
    return method === "GET" ? get(network, path) : post(network, path, {});
  };

  const answers: Record<string, () => Promise<Answer>> = {
    "GET /app-fees/{wallet}/balances 400": () => get(network, wallet("balances")),
    "GET /app-fees/{wallet}/claims 400": () => get(network, wallet("claims")),
    "POST /app-fees/{wallet}/claim 400": () => post(network, wallet("claim"), payment()),
    "GET /chains/health 400": () => get(network, "/chains/health?chainId=5"),
    "GET /chains/{chainId}/currencies/{address} 400": () => get(network, `/chains/5/currencies/${zeroAddress}`),
    "GET /config/v2 500": () => faulty(500, "GET", "/config/v2"),
    "GET /currencies/token/price 400": () => get(network, "/currencies/token/price"),
    "GET /currencies/token/price/v2 400": () => get(network, "/currencies/token/price/v2"),
    "GET /deposit-addresses/v1 401": () => addressed(`?requestId=${unknownId}`, "an unknown key"),
    "GET /deposit-addresses/v1 404": () => addressed(`?requestId=${unknownId}`),
    "GET /requests/{requestId}/signature 400": () => get(network, "/requests/1/signature"),
    "GET /requests/{requestId}/signature/v2 400": () => get(network, "/requests/1/signature/v2"),
    "GET /swap-sources 400": () => get(network, "/swap-sources?chainId=5"),
    "POST /execute 400": () => post(network, "/execute", {}, as("sponsor")),
    "POST /execute 401": () => post(network, "/execute", {}),
    "POST /execute 500": () => faulty(500, "POST", "/execute"),
    "POST /execute/permits 400": () =>
      post(network, "/execute/permits?signature=0x", { kind: "eip3009", requestId: waiting }),
    "POST /fast-fill 200": () => fastFill(waiting),
    "POST /fast-fill 400": () => post(network, "/fast-fill", {}, as("sponsor")),
    "POST /fast-fill 401": () => fastFill(waiting, "an unknown key"),
    "POST /fast-fill 403": () => fastFill(waiting, "guest"),
    "POST /fast-fill 404": () => fastFill(unknownId),
    "POST /fast-fill 409": () => fastFill(filled),
    "POST /fast-fill 500": () => faulty(500, "POST", "/fast-fill"),
    "POST /price 400": () => post(network, "/price", { ...quoted(), amount: "1" }),
    "POST /price 401": () => post(network, "/price", quoted(), as("an unknown key")),
    "POST /price 500": () => faulty(500, "POST", "/price"),
    "POST /quote 400": () => post(network, "/quote", { ...quoted(), amount: "1" }),
    "POST /quote 401": () => post(network, "/quote", quoted(), as("an unknown key")),
    "POST /quote 429": () => faulty(429, "POST", "/quote"),
    "POST /quote 500": () => faulty(500, "POST", "/quote"),
    "POST /quote/v2 400": () => post(network, "/quote/v2", { ...quoted(), amount: "1" }),
    "POST /quote/v2 401": () => post(network, "/quote/v2", quoted(), as("an unknown key")),
    "POST /quote/v2 429": () => faulty(429, "POST", "/quote/v2"),
    "POST /quote/v2 500": () => faulty(500, "POST", "/quote/v2"),
    "POST /transactions/deposit-address/reindex 400": () => reindex(5),
    "POST /transactions/deposit-address/reindex 403": async () => {
      const { body } = await post(network, "/quote/v2", { ...quoted(), useDepositAddress: true }, as("guest"));
      const [step] = (body as { steps: { depositAddress: string }[] }).steps;
      return reindex(network.chains[0].id, step?.depositAddress, "foreign");
    },
    "POST /transactions/deposit-address/reindex 404": () => reindex(network.chains[0].id),
    "POST /transactions/deposit-address/reindex 429": () =>
      faulty(429, "POST", "/transactions/deposit-address/reindex"),
    "POST /transactions/deposit-address/reindex 503": () =>
      faulty(503, "POST", "/transactions/deposit-address/reindex"),
    "POST /transactions/index 200": () => index({}),
    "POST /transactions/index 400": () => index({ chainId: "5" }),
    "POST /transactions/index 404": () => index({ requestId: unknownId }),
    "POST /transactions/single 200": () =>
      post(network, "/transactions/single", { requestId: waiting, chainId: `${network.chains[0].id}`, tx: "{}" }),
  };

  for (const [part, answer] of Object.entries(answers)) {
    it(part, async () => {
      const { status, body } = await answer();
      expect(`${part.replace(/\d+$/u, "")}${status}`, JSON.stringify(body)).to.equal(part);
      expectLive(part, body);
      const missing = missingFields(part, body);
      expect(missing.filter((field) => !OPTIONAL.includes(field))).to.deep.equal([]);
    });
  }

  it("POST /execute 429 has the format of all rate limit errors", async () => {
    const { body } = await faulty(429, "POST", "/execute");
    expect(body).to.have.all.keys("message");
  });

  it("cover every documented error", () => {
    const errors = LIVE_PARTS.filter((part) => / [45]\d\d$/u.test(part));
    const served = errors.filter((part) => !NOT_SERVED.some((path) => part.includes(path)));
    expect(Object.keys(answers)).to.include.members(served.filter((part) => part !== "GET /lives 503"));
  });
});
