import { expect } from "chai";

import { SERVICE_ERROR_CODES } from "../../../packages/protocol/src/index.ts";
import { serviceErrorStatus } from "../../../packages/protocol/src/errors/serviceError.ts";
import { failureOf } from "../support/failureOf.ts";
import { quoteDollars, requestIdOf } from "../support/scenarioRuns.ts";
import { get } from "../support/serviceCalls.ts";
import { useNetwork } from "../../support/useNetwork.ts";

describe("response scenarios", () => {
  const network = useNetwork();

  afterEach(() => network.scenarios.clear());

  const statuses = async (path: string, calls: number): Promise<number[]> => {
    const answers = [];
    for (let call = 0; call < calls; call += 1) answers.push((await get(network, path)).status);
    return answers;
  };

  for (const [status, body] of [
    [429, {}],
    [500, { errorCode: "UNKNOWN_ERROR" }],
    [503, { errorCode: "SERVICE_UNAVAILABLE" }],
  ] as const) {
    it(`return ${status} for the next requests, and regular responses afterwards`, async () => {
      await network.scenarios.set(`http:${status}`, { next: 2 });
      const first = await get(network, "/chains");
      const { message: _, ...rest } = first.body as { message: string };
      expect([first.status, rest]).to.deep.equal([status, body]);
      expect(await statuses("/chains", 2)).to.deep.equal([status, 200]);
    });
  }

  it("affect only the given routes, and never the control routes", async () => {
    await network.scenarios.set("http:500", { parameters: { routes: ["/chains", "/intents/status/v3"] } });
    expect(await statuses("/lives", 1)).to.deep.equal([200]);
    expect(await statuses("/chains", 2)).to.deep.equal([500, 500]);
    expect(await statuses("/intents/status/v3?requestId=0x00", 1)).to.deep.equal([500]);
    const { status } = await get(network, "/admin/scenarios", { "x-admin-key": network.adminKey });
    expect(status).to.equal(200);
  });

  it("occur with the given probability, for the same requests if the seed is the same", async () => {
    const draw = async (seed: string): Promise<number[]> => {
      await network.scenarios.set("http:503", { next: 20, parameters: { probability: 0.5, seed } });
      const answers = await statuses("/lives", 20);
      expect(await network.scenarios.list()).to.deep.equal([]);
      return answers;
    };
    const first = await draw("a");
    expect(new Set(first)).to.deep.equal(new Set([200, 503]));
    expect(await draw("a")).to.deep.equal(first);
    expect(await draw("b")).to.not.deep.equal(first);
  });

  it("truncate the response, although the request was processed", async () => {
    await network.scenarios.set("http:truncated", { next: 1, parameters: { routes: ["/quote/v2"] } });
    expect(await failureOf(quoteDollars(network))).to.include({ code: "MALFORMED_DATA" });
    const { body } = await get(network, "/requests/v3", { "x-api-key": network.apiKey });
    expect((body as { requests: unknown[] }).requests).to.have.length(1);
  });

  it("hang until the client times out", async () => {
    await network.scenarios.set("http:timeout", { next: 1 });
    const error = await failureOf(fetch(`${network.url}/lives`, { signal: AbortSignal.timeout(100) }));
    expect(error).to.have.property("name", "TimeoutError");
    expect(await statuses("/lives", 1)).to.deep.equal([200]);
  });

  it("close the connection", async () => {
    await network.scenarios.set("http:disconnect", { next: 1 });
    expect(await failureOf(fetch(`${network.url}/lives`))).to.be.instanceOf(TypeError);
    expect(await statuses("/lives", 1)).to.deep.equal([200]);
  });

  for (const errorCode of SERVICE_ERROR_CODES) {
    it(`reject a quote with ${errorCode}`, async () => {
      const response = await fetch(`${network.url}/quote/v2`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-crosscall-scenario": `quote:${errorCode}` },
        body: JSON.stringify({
          user: network.accounts.user.address,
          originChainId: network.chains[0].id,
          destinationChainId: network.chains[1].id,
          originCurrency: network.chains[0].contracts.dollar,
          destinationCurrency: network.chains[1].contracts.dollar,
          tradeType: "EXACT_INPUT",
          amount: "10000000",
        }),
      });
      const { message: _, errorData, hint: __, ...body } = (await response.json()) as Record<string, unknown>;
      expect([response.status, body]).to.deep.equal([serviceErrorStatus(errorCode), { errorCode }]);
      expect(errorData).to.equal(`scenario quote:${errorCode}`);
    });
  }

  it("reject the next quotes, and store no data for them", async () => {
    const { total: before } = (await listing()) as { total: number };
    await network.scenarios.set("CHAIN_DISABLED", { next: 1 });
    expect(await failureOf(quoteDollars(network))).to.include({ code: "SERVICE_ERROR", errorCode: "CHAIN_DISABLED" });
    expect(requestIdOf(await quoteDollars(network))).to.not.equal("");
    expect(await listing()).to.have.property("total", before + 1);
  });

  it("reject a quote request with an unknown scenario, and store no data", async () => {
    const { total: before } = (await listing()) as { total: number };
    expect(await failureOf(quoteDollars(network, { referrer: "scenario:SLIPAGE" }))).to.include({
      code: "SERVICE_ERROR",
      errorCode: "INVALID_REQUEST",
    });
    expect(await listing()).to.have.property("total", before);
  });

  async function listing(): Promise<unknown> {
    return (await get(network, "/requests/v3?includeTotal=true", { "x-api-key": network.apiKey })).body;
  }
});
