import { expect } from "chai";
import { getAddress } from "viem";

import { approve, type CallFinding, checkCalls } from "../../../../packages/sdk/src/calls/index.ts";
import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import { getQuote, type GetQuoteParameters } from "../../../../packages/sdk/src/client/getQuote.ts";
import { localRouterAddress } from "../../../../packages/protocol/src/generations/routers.ts";
import { rejected } from "../../../support/refusal.ts";
import { chainEntry, NATIVE, quote, ROUTER, USDC, USER } from "../../protocol/fixtures.ts";
import { useService } from "./service.ts";

const EXECUTOR = "0x5555555555555555555555555555555555555555";
const REQUEST: GetQuoteParameters = {
  user: USER,
  recipient: USER,
  refundTo: USER,
  originChainId: 10,
  destinationChainId: 8453,
  originCurrency: NATIVE,
  destinationCurrency: USDC,
  tradeType: "EXACT_INPUT",
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

  it("takes the router that the service names as its default", async () => {
    const erc20Router = localRouterAddress("3.2");
    const chains = [{ ...chainEntry, contracts: { ...chainEntry.contracts, erc20Router } }];
    service.answers = ({ url }) => ({ json: url === "/chains" ? { chains } : quote });
    const sent: string[] = [];
    const checkCallsOf: typeof checkCalls = (parameters) => {
      sent.push(parameters.contracts.router);
      return [];
    };
    await getQuote(createServiceClient({ baseUrl: service.url, checkCalls: checkCallsOf }), REQUEST);
    expect(sent).to.deep.equal([getAddress(erc20Router)]);
  });

  it("requests the router, and no quote if the calls lose funds", async () => {
    const error = await rejected(getQuote(client(), { ...REQUEST, checks: { contracts: { pushExecutor: EXECUTOR } } }));
    expect(error.code).to.equal("CALLS_REFUSED");
    expect(codes((error as unknown as { findings: CallFinding[] }).findings)).to.deep.equal(["ANY_CALLER_APPROVED"]);
    expect(paths()).to.deep.equal(["GET /chains"]);
  });

  it("requests a quote with accepted findings, reports them, and posts no check options", async () => {
    const reported: string[] = [];
    const checks = {
      contracts: { router: ROUTER, pushExecutor: EXECUTOR },
      accepts: ["ANY_CALLER_APPROVED"],
      onFindings: (findings: readonly CallFinding[]) => reported.push(...codes(findings)),
    } as const;
    await getQuote(client(), { ...REQUEST, checks });
    expect(reported).to.include("ANY_CALLER_APPROVED");
    expect(paths()).to.deep.equal(["POST /quote/v2"]);
    expect(service.calls[0]?.body).to.deep.equal(REQUEST);
  });

  it("checks nothing if disabled, without calls, and without a router", async () => {
    const { txs: _, ...withoutCalls } = REQUEST;
    await getQuote(client(), { ...REQUEST, checks: false });
    await getQuote(client(), withoutCalls);
    expect(paths()).to.deep.equal(["POST /quote/v2", "POST /quote/v2"]);
    await getQuote(client(), { ...REQUEST, destinationChainId: 42161 });
    expect(paths().slice(2)).to.deep.equal(["GET /chains", "POST /quote/v2"]);
  });
});
