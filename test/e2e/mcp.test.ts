import { writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect } from "chai";
import { createWalletClient, http, zeroAddress } from "viem";

import { localAccounts } from "../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { describeChain } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { createServiceClient, executeSteps, getQuote, requestIdOf } from "../../packages/sdk/src/index.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import { failureOf } from "../integration/support/failureOf.ts";
import { startCrosscall } from "../support/programs.ts";
import { until } from "../support/until.ts";
import { useFolder } from "../support/useFolder.ts";

const MAIN = join(import.meta.dirname, "../../packages/crosscall/src/main.ts");

const CONTROL = [
  "start_network",
  "stop_network",
  "set_scenario",
  "clear_scenarios",
  "hold_fills",
  "release_fills",
  "clock",
];

/** One ether, in wei. */
const ETHER = "1000000000000000000";

interface Facts {
  readonly ok: boolean;
  readonly summary: string;
  readonly command: string;
  readonly error: { readonly code: string; readonly field?: string; readonly hint: string };
  readonly [name: string]: unknown;
}

async function call<Extra = unknown>(client: Client, name: string, input: object = {}): Promise<Facts & Extra> {
  const { structuredContent, content } = await client.callTool({ name, arguments: { ...input } });
  // Clients that only read text get the same.
  const [{ text }] = content as [{ readonly text: string }];
  expect(JSON.parse(text)).to.deep.equal(structuredContent);
  return structuredContent as Facts & Extra;
}

interface NetworkFacts {
  readonly url: string;
  readonly apiKey: string;
  readonly user: `0x${string}`;
  readonly chains: readonly [ChainFacts, ChainFacts];
  readonly contracts: Readonly<Record<string, Readonly<Record<"dollar" | "vault" | "vaultProxy", `0x${string}`>>>>;
}

interface ChainFacts {
  readonly id: number;
  readonly rpcUrl: string;
}

describe("crosscall mcp over standard input and output", () => {
  const folder = useFolder();
  const client = new Client({ name: "test", version: "1" });
  let network: NetworkFacts;

  const connect = (to: Client, ...options: readonly string[]): Promise<void> => {
    const args = ["--liftoff-only", MAIN, "mcp", ...options];
    return to.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, stderr: "ignore" }));
  };

  before(async () => {
    await connect(client, "--allow-control");
    network = await call<NetworkFacts>(client, "start_network");
  });
  after(() => client.close());

  /** A deposit of all delivered dollars into the vault of the second chain. */
  const planOf = (limits: object = {}): object => {
    const [origin, destination] = network.chains;
    const { dollar: asset, vault, vaultProxy: proxy } = network.contracts[destination.id] ?? {};
    return {
      recipe: "erc4626Deposit",
      args: { vault, asset },
      proxy,
      tradeType: "EXACT_INPUT",
      amount: ETHER,
      user: network.user,
      refundTo: network.user,
      originChainId: origin.id,
      originCurrency: zeroAddress,
      destinationChainId: destination.id,
      ...limits,
    };
  };

  it("describes each tool with a schema of its arguments", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.include.members(CONTROL);
    expect(
      tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name),
    ).to.deep.equal(CONTROL);
    for (const { description = "", inputSchema } of tools) {
      expect(description).to.match(/\.$/u);
      expect(inputSchema).to.include({ type: "object", additionalProperties: false });
    }
    // All of it is in the context of every conversation.
    expect(JSON.stringify(tools).length).to.be.below(16_000);
  });

  it("finds why a fill failed", async () => {
    const { minimumOutput: minimumOut } = await call<{ minimumOutput: string }>(client, "quote", { plan: planOf() });
    const { plan } = await call<{ plan: QuoteRequest }>(client, "plan", { plan: planOf({ minimumOut }) });
    const parameters = { bps: -1_000, belowMinimum: true };
    await call(client, "set_scenario", { name: "delivery", parameters, next: 1 });
    const request = await pay(plan);

    const status = await call(client, "request", { request: undefined, requestId: request });
    expect(status).to.include({ ok: false, status: "refund", failReason: "SLIPPAGE" });
    expect(status.summary).to.include("why-fills-fail.md");
    const replayed = await call<{ verdict: { txIndex: number; condition: { needed: string } } }>(client, "replay", {
      request,
    });
    expect(replayed).to.deep.include({ ok: false, scenarios: ["delivery"] });
    expect(replayed.verdict).to.deep.include({ outcome: "failure", failReason: "SLIPPAGE", txIndex: 2 });
    expect(replayed.command).to.include(`crosscall replay ${request}`);
    expect((await call(client, "explain", { code: "SLIPPAGE" })).summary).to.include("slippageTolerance");
  });

  /** Pays as an app does. The tools sign nothing. */
  async function pay(plan: QuoteRequest): Promise<string> {
    const [{ id, rpcUrl }] = network.chains;
    const service = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
    const { user, recipient, refundTo, originChainId, originCurrency, txs, amount, tradeType } = plan;
    const { destinationChainId, destinationCurrency } = plan;
    const accounts = {
      user,
      ...(recipient === undefined ? {} : { recipient }),
      ...(refundTo === undefined ? {} : { refundTo }),
    };
    const chains = { originChainId, originCurrency, destinationChainId, destinationCurrency };
    const quote = await getQuote(service, { ...accounts, ...chains, txs: txs ?? [], amount, tradeType });
    const transport = http(rpcUrl);
    const wallet = createWalletClient({ account: localAccounts.user, chain: describeChain(id, rpcUrl), transport });
    const error = await failureOf(executeSteps(service, { quote, wallet, pollIntervalMs: 25 }));
    expect(error).to.include({ code: "REQUEST_NOT_FILLED" });
    return requestIdOf(quote);
  }

  it("composes a vault deposit, and shows that it works for all amounts", async () => {
    const recipe = await call<{ recipe: { args: { name: string }[] } }>(client, "list_recipes", {
      recipe: "erc4626Deposit",
    });
    expect(recipe.recipe.args.map(({ name }) => name)).to.deep.equal(["vault", "asset"]);
    const { plan } = await call<{ plan: object }>(client, "plan", { plan: planOf() });
    await writeFile(join(folder, "plan.json"), JSON.stringify(plan));

    const checked = await call(client, "check", { plan: "plan.json" });
    expect(checked).to.deep.include({
      ok: true,
      readsChain: true,
      findings: [{ code: "MINIMUM_OUT_MISSING", severity: "warning" }],
    });
    expect(checked.command).to.match(/^crosscall check plan\.json --rpc-url \d+=http/u);
    const { requestId: quote } = await call(client, "quote", { plan: "plan.json" });
    expect(await call(client, "verify", { quote })).to.deep.include({ ok: true, verdict: "bound", unmet: [] });
    expect(await call(client, "preflight", { quote })).to.deep.include({ ok: true, verdict: "passed" });
    const range = { envelope: true, from: "1", to: "1000000000000" };
    const { ok, envelope } = await call<{ envelope: object }>(client, "replay", { quote, ...range });
    expect(ok).to.equal(true);
    expect(envelope).to.deep.include({ worksForAll: true, smallestWorking: "1" });
  });

  it("names the amounts that a fixed deposit fails with", async () => {
    const plan = planOf({ minimumOut: "2000000000" });
    const { requestId: quote } = await call(client, "quote", { plan });
    const range = { envelope: true, from: "1", to: "1000000000000" };
    const { ok, envelope } = await call<{ envelope: object }>(client, "replay", { quote, ...range });
    expect(ok).to.equal(false);
    expect(envelope).to.deep.include({ worksForAll: false, smallestWorking: "2000000000" });
  });

  it("uses the chains of the folder's network if its URL is given", async () => {
    const second = new Client({ name: "test", version: "1" });
    await connect(second, "--api-url", network.url);
    const checked = await call(second, "check", { plan: planOf(), place: "service" });
    const [, { id, rpcUrl }] = network.chains;
    expect(checked).to.include({ readsChain: true, command: `crosscall check plan.json --rpc-url ${id}=${rpcUrl}` });
    const { requestId } = await call(second, "quote", { plan: planOf() });
    expect(await call(second, "preflight", { quote: requestId })).to.include({ ok: true, verdict: "passed" });
    await second.close();
  });

  it("migrates a file to quote v3", async () => {
    const path = "quotes.ts";
    const source = (version: string): string => `const { CROSSCALL_API_URL: url } = process.env;
export const quote = (body: object) => fetch(\`\${url}/quote${version}\`, { method: "POST", body: JSON.stringify(body) });
`;
    await writeFile(join(folder, path), source("/v2"));
    const report = await call<{ findings: { line: number; replacement: string }[] }>(client, "migrate_report", {
      path,
    });
    expect(report.ok).to.equal(false);
    expect(report.command).to.equal("crosscall migrate report quotes.ts");
    const [{ line, replacement } = { line: 0, replacement: "" }, ...others] = report.findings;
    expect([line, others]).to.deep.equal([2, []]);
    expect(replacement).to.include("/quote/v3");
    const found = await call<{ matches: { page: string }[] }>(client, "search_docs", {
      query: "migrate quote v2 to v3",
    });
    expect(found.matches[0]?.page).to.equal("migrating-to-quote-v3.md");
    const page = await call(client, "read_docs", { page: "migrating-to-quote-v3.md" });
    expect(page.summary).to.include("UNAUTHORIZED_QUOTE");

    await writeFile(join(folder, path), source("/v3"));
    expect(await call(client, "migrate_report", { path })).to.deep.include({ ok: true, findings: [] });
  });

  it("controls the network", async () => {
    expect(await call(client, "start_network")).to.include({ url: network.url });
    const held = await call(client, "hold_fills", { filter: { destinationChainId: network.chains[1].id } });
    expect(held.command).to.equal(`crosscall fills hold --filter destinationChainId=${network.chains[1].id}`);
    expect(await call<{ holds: unknown[] }>(client, "list_fills"))
      .to.have.property("holds")
      .with.length(1);
    await call(client, "release_fills", { all: true });
    expect(await call<{ holds: unknown[] }>(client, "list_fills"))
      .to.have.property("holds")
      .with.length(0);
    expect(await call(client, "clock", { offsetMs: 3_600_000 })).to.include({ offsetMs: 3_600_000 });
    expect(await call(client, "clock", { reset: true })).to.include({ offsetMs: 0 });
    expect(await call(client, "clear_scenarios")).to.include({ ok: true });
  });

  it("returns errors with code, field and hint", async () => {
    const failures = [
      ["explain", { code: "NO_SUCH_CODE" }, "code"],
      ["explain", { cod: "SLIPPAGE" }, "cod"],
      ["plan", { plan: { ...planOf(), args: { asset: zeroAddress } } }, "args.vault"],
      ["check", { plan: "plan.ts" }, "plan"],
      ["check", { plan: planOf(), place: "service" }, "place"],
      ["migrate_report", { path: ".." }, "path"],
      ["read_docs", { page: "../package.json" }, "page"],
      ["set_scenario", { name: "delivery", parameters: { bps: "much" } }, "parameters.bps"],
      ["no_such_tool", {}, "name"],
    ] as const;
    for (const [name, input, field] of failures) {
      const { isError, structuredContent } = await client.callTool({ name, arguments: input });
      const { error } = structuredContent as Facts;
      expect([name, isError, error.code, error.field]).to.deep.equal([name, true, "INVALID_INPUT", field]);
      expect(error.hint).to.not.equal("");
    }
  });

  it("names the tool to call for a quote that it does not have", async () => {
    for (const tool of ["verify", "preflight", "replay"]) {
      const { error } = await call(client, tool, { quote: `0x${"ab".repeat(32)}` });
      expect(error).to.include({ code: "INVALID_INPUT", field: "quote" });
      expect(error.hint).to.include("the tool quote").and.not.include("crosscall plan");
    }
  });

  it("forgets a network that it stopped, and starts another even if the first caller cancels", async () => {
    await call(client, "stop_network");
    expect((await call(client, "list_fills")).error.code).to.equal("INVALID_STATE");
    const cancel = new AbortController();
    const first = client.callTool({ name: "start_network", arguments: {} }, undefined, { signal: cancel.signal });
    const second = call<NetworkFacts>(client, "start_network");
    cancel.abort();
    await failureOf(first);
    network = await second;
    expect(network).to.include({ ok: true });
    expect(await call(client, "network_status")).to.include({ ok: true, url: network.url });
  });

  // The last test of this server.
  it("stops the network when the client closes its input", async () => {
    await client.close();
    const isClosed = (): Promise<boolean> =>
      fetch(network.url).then(
        () => false,
        () => true,
      );
    await until(isClosed, { what: "the end of the network" });
  });
});

describe("the process of crosscall mcp", () => {
  it("ends when its input ends, and prints nothing else", async () => {
    const { exitCode, stdout, stderr } = await startCrosscall(["mcp"]).finished;
    expect({ exitCode, stdout, stderr }).to.deep.equal({ exitCode: 0, stdout: "", stderr: "" });
  });

  it("names the package to install if the SDK is missing", async () => {
    const hook = `import { registerHooks } from "node:module";
registerHooks({ resolve(name, context, next) { if (name.startsWith("@modelcontextprotocol/")) throw new Error("missing"); return next(name, context); } });`;
    const nodeOptions = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`];
    const { exitCode, stderr } = await startCrosscall(["mcp"], { nodeOptions }).finished;
    expect(exitCode).to.equal(1);
    expect(stderr).to.include("npm install --save-dev @modelcontextprotocol/sdk");
    expect(stderr).to.include("crosscall explain INVALID_STATE");
  });
});

describe("crosscall mcp over HTTP", () => {
  const folder = useFolder();

  it("serves programs on this machine, is read-only by default, and ends with Ctrl-C", async () => {
    const server = startCrosscall(["mcp", "--http", "0"], { cwd: folder });
    const url = /http:\S+/u.exec(await server.firstLine())?.[0] ?? "";
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));

    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name))
      .to.include("quote")
      .and.not.include.members(CONTROL);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).to.equal(true);
    const { error } = await call(client, "start_network");
    expect(error).to.include({ code: "INVALID_INPUT", field: "name" });
    expect(error.hint).to.include("--allow-control");

    const [explained, found] = await Promise.all([
      call(client, "explain", { code: "SLIPPAGE" }),
      call<{ matches: { page: string }[] }>(client, "search_docs", { query: "why did my fill fail" }),
    ]);
    expect(explained.ok).to.equal(true);
    expect(found.matches[0]?.page).to.equal("why-fills-fail.md");

    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const statuses = [
      await post(url, { host: "evil.test" }, list),
      await post(url, { origin: "https://evil.test" }, list),
      await post(url, { origin: "http://localhost:5173" }, list),
      await post(new URL("/", url).href, {}, list),
      await post(url, {}, JSON.stringify("a".repeat(5 * 1024 * 1024))),
      await post(url, {}, "{"),
    ];
    expect(statuses).to.deep.equal([403, 403, 200, 404, "closed", 400]);

    const second = await startCrosscall(["mcp", "--http", new URL(url).port]).finished;
    expect([second.exitCode, second.stderr.includes("crosscall explain INVALID_STATE")]).to.deep.equal([1, true]);
    await client.close();
    server.child.kill("SIGINT");
    expect((await server.finished).exitCode).to.equal(0);
  });
});

function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<number | string | undefined> {
  const accept = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  return new Promise((resolve) => {
    httpRequest(url, { method: "POST", headers: { ...accept, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", () => resolve("closed"))
      .end(body);
  });
}
