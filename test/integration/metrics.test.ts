import { readFile } from "node:fs/promises";

import { expect } from "chai";
import { parseEther } from "viem";

import { createServiceClient, executeSteps, getQuote } from "../../packages/sdk/src/index.ts";
import { LOCAL_API_KEY, localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { userWallet } from "./support/parties.ts";
import { get, post } from "./support/serviceCalls.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { etherRequest } from "./support/requests.ts";

/** Metric line in the text format: `name{label="value"} 5`. */
interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Parses the text format of Prometheus, and throws on an invalid line. */
function parseMetrics(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    if (line === "" || /^# (HELP|TYPE) [a-z_]+ \S/u.test(line)) return [];
    const [, name, labels = "", value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/u.exec(line) ?? [];
    if (name === undefined || Number.isNaN(Number(value))) throw new Error(`not a metric: ${line}`);
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/gu)].map(([, key = "", text = ""]) => [key, text]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}

describe("GET /metrics", () => {
  const network = useNetwork();

  const read = async (): Promise<Sample[]> => {
    const response = await fetch(`${network.url}/metrics`);
    expect([response.status, response.headers.get("content-type")]).to.deep.equal([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
    return parseMetrics(await response.text());
  };
  const pick = (samples: readonly Sample[], name: string, labels: Record<string, string | number> = {}) =>
    samples.find(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === String(value)),
    )?.value;

  it("counts API calls, quotes and requests, and reports queues and chains", async () => {
    const [origin] = network.chains;
    const client = createServiceClient({ baseUrl: network.url, apiKey: LOCAL_API_KEY });
    const takeQuote = (referrer: string) =>
      getQuote(client, etherRequest(network, { amount: parseEther("0.01").toString(), referrer }));
    const wallet = userWallet(network, origin);
    await executeSteps(client, { quote: await takeQuote("a"), wallet, pollIntervalMs: 25 });
    const refunded = await takeQuote("debug-force-refund");
    await executeSteps(client, { quote: refunded, wallet, pollIntervalMs: 25 }).catch(() => undefined);
    await takeQuote("b");
    await post(network, "/quote/v2", {});
    await get(network, "/no/such/path");
    await get(network, `/requests/0x${"1".repeat(64)}/signature`);

    const samples = await read();
    expect([
      pick(samples, "crosscall_quotes_total", { outcome: "quoted" }),
      pick(samples, "crosscall_quotes_total", { outcome: "refused" }),
      pick(samples, "crosscall_requests", { status: "success" }),
      pick(samples, "crosscall_requests", { status: "waiting" }),
      pick(samples, "crosscall_requests", { status: "refund" }),
      pick(samples, "crosscall_request_outcomes", { outcome: "fill", reason: "none" }),
      samples.filter(({ name, labels }) => name === "crosscall_request_outcomes" && labels.outcome === "refund").length,
      pick(samples, "crosscall_webhook_events", { state: "undelivered" }),
    ]).to.deep.equal([3, 1, 1, 1, 1, 1, 1, 0]);

    const calls = "crosscall_http_request_duration_seconds_count";
    expect([
      pick(samples, calls, { method: "POST", route: "/quote/v3", status: 200 }),
      pick(samples, calls, { method: "POST", route: "/quote/v2", status: 400 }),
      pick(samples, calls, { route: "unknown", status: 404 }),
      pick(samples, calls, { route: "/requests/:requestId/signature", status: 404 }),
    ]).to.deep.equal([3, 1, 1, 1]);
    const buckets = samples.filter(
      ({ name, labels }) => name === `${calls.slice(0, -6)}_bucket` && labels.route === "/quote/v3",
    );
    expect(buckets.at(-1)?.labels.le).to.equal("+Inf");

    for (const { id } of network.chains) {
      expect(pick(samples, "crosscall_chain_up", { chain: id })).to.equal(1);
      expect(pick(samples, "crosscall_chain_head", { chain: id })).to.be.greaterThan(0);
      expect(pick(samples, "crosscall_chain_scan_lag_blocks", { chain: id })).to.be.within(0, 1);
    }
    for (const queue of ["advance-request", "deliver-webhook"]) {
      expect(pick(samples, "crosscall_jobs", { queue })).to.be.a("number");
    }
  });

  it("exposes no key, address or id, and does not count toward rate limits", async () => {
    const text = await (await fetch(`${network.url}/metrics`)).text();
    for (const secret of [LOCAL_API_KEY, network.adminKey, network.accounts.user.address, network.solver]) {
      expect(text.toLowerCase()).to.not.include(secret.toLowerCase());
    }
    expect(text).to.not.match(/0x[0-9a-f]{8}/iu);
  });

  it("counts the metrics of two services in one process separately", async () => {
    await using other = await localnet({ keepsRetired: true });
    const samples = parseMetrics(await (await fetch(`${other.url}/metrics`)).text());
    expect(pick(samples, "crosscall_requests", { status: "success" })).to.equal(undefined);
    expect(samples.filter(({ name }) => name === "crosscall_quotes_total")).to.deep.equal([]);
  });
});

describe("the service's API documentation", () => {
  interface Operation {
    readonly summary?: string;
    readonly tags?: readonly string[];
    readonly responses: Readonly<Record<string, unknown>>;
    readonly security?: readonly object[];
  }
  const network = useNetwork();

  it("describes the purpose, responses and authentication of each route", async () => {
    const { body } = await get(network, "/documentation/json");
    const { paths } = body as { paths: Record<string, Record<string, Operation>> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    expect(operations.length).to.be.greaterThan(20);
    for (const { path, method, operation } of operations) {
      const isControl = path.startsWith("/admin/");
      const name = `${method} ${path}`;
      expect([name, operation.summary]).to.not.deep.equal([name, undefined]);
      expect([name, operation.tags]).to.deep.equal([name, [isControl ? "admin" : "service"]]);
      expect([name, operation.security]).to.deep.equal([name, isControl ? [{ adminKey: [] }] : [{}, { apiKey: [] }]]);
      const answers = Object.keys(operation.responses);
      expect([name, answers.some((status) => status.startsWith("2"))]).to.deep.equal([name, true]);
      if (isControl) expect([name, answers.includes("4XX")]).to.deep.equal([name, true]);
    }
  });

  it("is summarized in the docs, which list every endpoint", async () => {
    const { body } = await get(network, "/documentation/json");
    const { paths } = body as { paths: Record<string, Record<string, Operation>> };
    const page = await readFile(new URL("../../docs/local-service.md", import.meta.url), "utf8");
    const listed = [...page.matchAll(/`((?:GET|POST) \/[^`?]*)`/gu)].map(([, endpoint]) => endpoint);
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      path.startsWith("/admin/") ? [] : Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(new Set(listed)).to.deep.equal(new Set(served));
  });

  it("states that the control routes require the admin key", async () => {
    const { body } = await get(network, "/documentation/json");
    const { paths } = body as { paths: Record<string, Record<string, unknown>> };
    for (const [path, methods] of Object.entries(paths)) {
      if (!path.startsWith("/admin/")) continue;
      for (const method of Object.keys(methods)) {
        const { status } = await fetch(`${network.url}${path}`, { method });
        expect([method, path, status]).to.deep.equal([method, path, 401]);
      }
    }
  });
});
