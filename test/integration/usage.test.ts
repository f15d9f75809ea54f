import { expect } from "chai";

import { localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { expectLive, missingFields } from "../support/complete.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { startAnvil, stopPrograms } from "./support/processes.ts";
import { get, post } from "./support/serviceCalls.ts";

interface Metric {
  readonly apiKey: string;
  readonly timestamp: string;
  readonly endpoint: string;
  readonly statusCode: number;
  readonly errorCode?: string;
  readonly count: number;
}

const NOON = Date.parse("2026-08-15T12:00:30Z");
const HOUR_MS = 3_600_000;

describe("GET /metrics/usage", () => {
  let now = NOON;
  const network = useNetwork({ otherApiKeys: ["foreign"], keys: [{ apiKey: "second" }], clock: { now: () => now } });

  const usage = async (query = "", apiKey = network.apiKey): Promise<Metric[]> => {
    const { status, body } = await get(network, `/metrics/usage${query}`, { "x-api-key": apiKey });
    expect([query, status]).to.deep.equal([query, 200]);
    expectLive("GET /metrics/usage 200", body);
    return (body as { metrics: Metric[] }).metrics;
  };
  const chains = async (apiKey?: string) => {
    await get(network, "/chains", apiKey === undefined ? {} : { "x-api-key": apiKey });
  };

  it("counts the requests made with a key by endpoint, status and error", async () => {
    const key = { "x-api-key": network.apiKey };
    await chains(network.apiKey);
    await chains(network.apiKey);
    await chains("second");
    await chains();
    await post(network, "/quote/v2", { amount: 1 }, key);
    await get(network, `/requests/0x${"1".repeat(64)}/signature`, key);
    await get(network, "/requests/0x1/signature", key);
    const timestamp = "2026-08-15T12:00:00.000Z";
    const counted = (endpoint: string, statusCode: number, count: number, errorCode?: string) => ({
      apiKey: network.apiKey,
      timestamp,
      endpoint,
      statusCode,
      ...(errorCode === undefined ? {} : { errorCode }),
      count,
    });
    const metrics = await usage();
    expect(metrics).to.deep.equal([
      counted("/chains", 200, 2),
      counted("/quote/v2", 400, 1, "INVALID_REQUEST"),
      counted("/requests/{requestId}/signature", 400, 1, "INVALID_REQUEST"),
      counted("/requests/{requestId}/signature", 404, 1),
    ]);
    expect(missingFields("GET /metrics/usage 200", { metrics: [metrics[1]] })).to.deep.equal([]);
    expect(await usage("?granularity=minutely")).to.deep.include(counted("/chains", 200, 2));
  });

  it("counts per minute, hour or day, and returns the documented number of periods", async () => {
    now += 30 * 24 * HOUR_MS;
    await chains("second");
    now += 60_000;
    await chains("second");
    now += HOUR_MS;
    await chains("second");
    const countsOf = async (query: string) =>
      (await usage(query, "second"))
        .filter(({ endpoint }) => endpoint === "/chains")
        .map(({ timestamp, count }) => [timestamp, count]);
    expect(await countsOf("?granularity=minutely")).to.deep.equal([
      ["2026-09-14T12:00:00.000Z", 1],
      ["2026-09-14T12:01:00.000Z", 1],
      ["2026-09-14T13:01:00.000Z", 1],
    ]);
    expect(await countsOf("?granularity=hourly")).to.deep.equal([
      ["2026-09-14T12:00:00.000Z", 2],
      ["2026-09-14T13:00:00.000Z", 1],
    ]);
    expect(await countsOf("?granularity=daily")).to.deep.equal([["2026-09-14T00:00:00.000Z", 3]]);
    const second = (text: string) => Date.parse(text) / 1_000;
    expect(
      await countsOf(
        `?startTimestamp=${second("2026-09-14T12:01:00Z")}&endTimestamp=${second("2026-09-14T12:59:00Z")}`,
      ),
    ).to.deep.equal([["2026-09-14T12:00:00.000Z", 1]]);
    for (const [granularity, days] of [
      ["minutely", 1],
      ["hourly", 7],
      ["daily", 14],
    ] as const) {
      now += days * 24 * HOUR_MS + 60_000;
      expect(await countsOf(`?granularity=${granularity}`)).to.deep.equal([]);
      now -= days * 24 * HOUR_MS + 60_000;
    }
  });

  it("returns usage for several keys of one integrator, but not for another integrator's, and requires a key", async () => {
    await chains(network.apiKey);
    const both = await usage(`?apiKey=${network.apiKey},second`);
    expect(new Set(both.map(({ apiKey }) => apiKey))).to.deep.equal(new Set([network.apiKey, "second"]));
    const foreign = await get(network, "/metrics/usage?apiKey=foreign", { "x-api-key": network.apiKey });
    expect(foreign.status).to.equal(403);
    expect(foreign.body).to.include({ errorCode: "FORBIDDEN", field: "apiKey" });
    const many = Array.from({ length: 51 }, () => network.apiKey).join(",");
    expect((await get(network, `/metrics/usage?apiKey=${many}`, { "x-api-key": network.apiKey })).status).to.equal(400);
    expect((await get(network, "/metrics/usage")).status).to.equal(401);
  });
});

describe("the key usage in a database", () => {
  after(stopPrograms);

  it("is written when the network stops, and added to the counts of other processes", async () => {
    const databaseUrl = await newPostgresDatabase();
    // A database belongs to its chains, so the chains must outlive the network.
    const nodes = await Promise.all([startAnvil(31_337), startAnvil(31_338)]);
    const chains = nodes.map(({ ready: rpcUrl }, index) => ({ id: 31_337 + index, rpcUrl }));
    const options = { chains, databaseUrl, oracle: false };
    const countOf = async (url: string, apiKey: string) => {
      const response = await fetch(`${url}/metrics/usage`, { headers: { "x-api-key": apiKey } });
      const { metrics } = (await response.json()) as { metrics: Metric[] };
      return metrics.filter(({ endpoint }) => endpoint === "/chains").map(({ count }) => count);
    };
    {
      await using network = await localnet({ keepsRetired: true, ...options });
      await get(network, "/chains", { "x-api-key": network.apiKey });
    }
    await using network = await localnet({ keepsRetired: true, ...options });
    await get(network, "/chains", { "x-api-key": network.apiKey });
    expect(await countOf(network.url, network.apiKey)).to.deep.equal([2]);
  });
});
