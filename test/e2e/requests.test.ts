import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { type Address, parseEther, zeroAddress } from "viem";
import { deployContract, waitForTransactionReceipt } from "viem/actions";

import type { RequestRecord } from "../../packages/protocol/src/complete.ts";
import { getQuote, getRequest, getSignature } from "../support/complete.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { createServiceClient, executeSteps, getSignatureV2 } from "../../packages/sdk/src/index.ts";
import { userWallet } from "../integration/support/parties.ts";
import { type FinishedProgram, runCrosscall, startCrosscall } from "../support/programs.ts";
import { etherRequest } from "../integration/support/requests.ts";
import { serve, type TestServer } from "../support/httpServer.ts";
import { useFolder } from "../support/useFolder.ts";
import { useNetwork } from "../support/useNetwork.ts";

describe("crosscall requests and signature", () => {
  const network = useNetwork();
  const folder = useFolder();
  /** One filled request, and two without deposits. */
  let ids: string[];
  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  const environment = () => ({ CROSSCALL_API_URL: network.url, CROSSCALL_API_KEY: network.apiKey });
  const run = (...args: string[]): Promise<FinishedProgram> => runCrosscall(args, { env: environment() });

  before(async () => {
    const [origin] = network.chains;
    ids = [];
    for (const amount of ["0.01", "0.02", "0.03"]) {
      const quote = await getQuote(client(), etherRequest(network, { amount: parseEther(amount).toString() }));
      ids.push(quote.steps[0]?.requestId ?? "");
      const wallet = userWallet(network, origin);
      if (ids.length === 1) await executeSteps(client(), { quote, wallet, pollIntervalMs: 25 });
    }
  });

  it("lists requests with filters, page by page or all at once, as a table and as JSON", async () => {
    const page = await list("--limit", "2", "--include-total");
    expect([page.requests.length, page.total, typeof page.continuation]).to.deep.equal([2, 3, "string"]);
    const rest = await list("--limit", "2", "--continuation", page.continuation ?? "");
    expect([...page.requests, ...rest.requests].map(({ id }) => id).toSorted()).to.deep.equal(ids.toSorted());
    const all = await list("--all", "--limit", "1", "--include-total");
    expect([all.requests.length, all.total, (await list("--all")).total]).to.deep.equal([3, 3, undefined]);

    const filled = await list("--status", "success", "--start-timestamp", "2026-01-01", "--amount-usd-min", "0.01");
    expect(filled.requests).to.deep.equal([await getRequest(client(), { requestId: ids[0] ?? "" })]);
    const notFilled = await list("--filters", '[{"not:status":"success"}]', "--sort-by", "amountUsd");
    expect(notFilled.requests.map(({ id }) => id)).to.deep.equal(ids.slice(1));
    expect((await list("--status", "waiting")).requests.map(({ id }) => id)).to.have.members(ids.slice(1));
    const groups = [{ currencyInSymbol: "USDC" }, { id: [ids[0], ids[1]] }];
    const both = await list("--status", "waiting", "--filters", JSON.stringify(groups));
    expect(both.requests.map(({ id }) => id)).to.deep.equal([ids[1]]);
    expect((await list("--status", "submitted")).requests).to.deep.equal([]);
    // Version 2 of the listing is available until the end of August.
    network.clock.set(Date.UTC(2026, 7, 1));
    expect((await list("--v2", "--force", "--user", network.accounts.user.address)).requests).to.have.length(3);
    network.clock.reset();

    const { exitCode, stdout } = await run("requests", "list", "--id", ids[0] ?? "");
    const [header = "", row = "", ...others] = stdout.trimEnd().split("\n");
    expect([exitCode, others]).to.deep.equal([0, []]);
    expect(header.split(/ {2,}/u)).to.deep.equal(["request", "status", "type", "chains", "in", "out", "created"]);
    expect(row.split(/ {2,}/u).slice(0, 2)).to.deep.equal([ids[0], "success"]);
  });

  it("rejects unsupported filters", async () => {
    const refusals: [string[], number, string | undefined][] = [
      [["--filters", '[{"term":"x"}]'], 1, "filters[0].term"],
      [["--v2", "--force", "--term", "x"], 1, "term"],
      [["--hash", "0x00"], 1, "hash"],
      [["--amount-usd-min", "much"], 1, "amountUsdMin"],
      [["--status", "lost"], 2, undefined],
      [["--api-key", ""], 1, "--api-key"],
      [["--start-timestamp", "monday"], 2, undefined],
    ];
    for (const [args, exitCode, field] of refusals) {
      const refused = await run("requests", "list", ...args, "--json");
      const reportedField = exitCode === 1 ? (JSON.parse(refused.stdout) as FailureJson).error.field : undefined;
      expect([args, refused.exitCode, reportedField]).to.deep.equal([args, exitCode, field]);
    }
  });

  it("shows one request", async () => {
    const requestId = ids[0] ?? "";
    const { exitCode, stdout } = await run("requests", "get", requestId, "--json");
    const request = await getRequest(client(), { requestId });
    expect([exitCode, JSON.parse(stdout)]).to.deep.equal([0, { ok: true, request }]);
    const text = (await run("requests", "get", requestId)).stdout;
    expect(text)
      .to.match(new RegExp(`^id +${requestId}$`, "mu"))
      .and.match(/^user pays +[0-9.-]+ USD$/mu);
    const none = await run("requests", "get", `0x${"00".repeat(32)}`, "--json");
    expect([none.exitCode, (JSON.parse(none.stdout) as FailureJson).error.code]).to.deep.equal([
      1,
      "REQUEST_NOT_FOUND",
    ]);
  });

  it("exports all pages as JSON lines and as CSV", async () => {
    const jsonl = join(folder, "requests.jsonl");
    await writeFile(jsonl, "old");
    const { exitCode, stdout } = await run("requests", "export", "--out", jsonl, "--limit", "1", "--json");
    expect([exitCode, JSON.parse(stdout)]).to.deep.equal([0, { ok: true, requests: 3, format: "jsonl", file: jsonl }]);
    const records = (await readFile(jsonl, "utf8")).trimEnd().split("\n");
    expect(records.map((line) => (JSON.parse(line) as RequestRecord).id).toSorted()).to.deep.equal(ids.toSorted());

    const csv = join(folder, "requests.csv");
    await run("requests", "export", "--format", "csv", "--out", csv, "--status", "success");
    const [header = "", row = "", end, ...others] = (await readFile(csv, "utf8")).split("\n");
    const page = await readFile(new URL("../../docs/requests.md", import.meta.url), "utf8");
    const [, columns = ""] = page.split("## CSV columns\n");
    const documented = [...columns.matchAll(/^\| `([a-z]\w+)` /gmu)].map(([, name]) => name);
    expect([header.split(","), end, others]).to.deep.equal([documented, "", []]);
    const cells = Object.fromEntries(header.split(",").map((name, index) => [name, row.split(",")[index]]));
    expect(cells).to.include({
      id: ids[0],
      status: "success",
      originChainId: String(network.chains[0].id),
      originAmount: parseEther("0.01").toString(),
      failReason: "",
    });
    expect(await readdir(folder)).to.have.members(["requests.jsonl", "requests.csv"]);
  });

  it("writes no file if an export fails early", async () => {
    const server = await endlessListing(await getRequest(client(), { requestId: ids[0] ?? "" }));
    const out = join(folder, "stopped.csv");
    const command = startCrosscall(["requests", "export", "--format", "csv", "--out", out], {
      env: {
        CROSSCALL_API_URL: server.url,
        CROSSCALL_API_KEY: "any",
      },
    });
    await server.asked;
    command.child.kill("SIGINT");
    const { exitCode } = await command.finished;
    await server.close();
    expect([exitCode, (await readdir(folder)).filter((name) => name.startsWith("stopped"))]).to.deep.equal([130, []]);
    const nowhere = await run("requests", "export", "--out", join(folder, "none", "x"), "--json");
    expect([nowhere.exitCode, (JSON.parse(nowhere.stdout) as FailureJson).error.cause?.field]).to.deep.equal([
      1,
      "--out",
    ]);
  });

  it("shows and verifies a signature, and reports an invalid one", async () => {
    const requestId = ids[0] ?? "";
    const signed = await getSignature(client(), { requestId });
    const got = await run("signature", "get", requestId, "--json");
    expect(JSON.parse(got.stdout)).to.deep.equal({ ok: true, requestId, ...signed });

    const amount = signed.requestData.originAmount;
    const holds = await run("signature", "verify", requestId, "--expect", `originAmount=${amount}`, "--json");
    const { ok, offChain } = JSON.parse(holds.stdout) as VerifyJson;
    expect([holds.exitCode, ok, offChain.signer]).to.deep.equal([0, true, network.solver]);

    const stranger = network.accounts.stranger.address;
    const foreign = await run("signature", "verify", requestId, "--signer", stranger, "--json");
    expect([foreign.exitCode, (JSON.parse(foreign.stdout) as VerifyJson).offChain]).to.deep.equal([
      1,
      { check: "off-chain", isPassed: false, signer: network.solver, expectedSigners: [stranger] },
    ]);
    const differs = await startCrosscall(["signature", "verify", requestId, "--expect", "originAmount=7"], {
      env: environment(),
    }).finished;
    expect(differs.exitCode).to.equal(1);
    expect(differs.stdout).to.include(`differs    originAmount: expected 7, signed ${amount}`);

    const file = join(folder, "signed.json");
    await writeFile(file, JSON.stringify({ ...signed, requestData: { ...signed.requestData, originAmount: "7" } }));
    expect((await run("signature", "verify", requestId, "--signed", file)).exitCode).to.equal(1);
    const withoutRpc = await run("signature", "verify", requestId, "--receiver", stranger, "--json");
    expect((JSON.parse(withoutRpc.stdout) as FailureJson).error.field).to.equal("--rpc-url");
    expect((await run("signature", "verify", requestId, "--expect", "amount=7")).exitCode).to.equal(2);
  });

  it("shows and verifies a version 2 signature if it is the only one or matches the expected values", async () => {
    const requestId = ids[0] ?? "";
    const signed = await getSignatureV2(client(), { requestId });
    await using newer = await startWithout("/signature", network.url);
    const verifying = async (url: string, ...args: string[]): Promise<VerifyJson & FailureJson> => {
      const env = { ...environment(), CROSSCALL_API_URL: url };
      return JSON.parse((await runCrosscall(["signature", ...args, "--json"], { env })).stdout) as never;
    };
    expect(await verifying(newer.url, "get", requestId)).to.deep.equal({ ok: true, requestId, ...signed });
    expect(await verifying(network.url, "get", requestId, "--signature-version", "v2")).to.deep.include(signed);
    expect(await verifying(newer.url, "verify", requestId)).to.include({ ok: true, version: "v2" });
    const missing = await verifying(newer.url, "get", requestId, "--signature-version", "v1");
    expect(missing.error).to.include({ code: "SERVICE_ERROR", status: 404 });

    const currency = `destinationCurrency=${signed.requestData?.destinationCurrency}`;
    expect(await verifying(network.url, "verify", requestId, "--expect", currency)).to.include({
      ok: true,
      version: "v2",
    });
    const other = await verifying(network.url, "verify", requestId, "--expect", "destinationCurrency=0x7");
    expect(other).to.deep.include({ ok: false }).and.to.have.nested.property("differences[0].expected", "0x7");
    const both = await verifying(network.url, "verify", requestId, "--expect", currency, "--expect", "originAmount=7");
    expect(both.error.field).to.equal("--expect destinationCurrency");

    const file = join(folder, "signed-v2.json");
    await writeFile(file, JSON.stringify(signed));
    expect(await verifying(network.url, "verify", requestId, "--signed", file)).to.include({ ok: true, version: "v2" });
    const first = await verifying(network.url, "verify", requestId, "--signed", file, "--signature-version", "v1");
    expect(first.error.field).to.equal("--signed");
  });

  it("can also verify with a deployed receiver", async () => {
    const [origin] = network.chains;
    const wallet = userWallet(network, origin);
    const { abi, bytecode } = readArtifact("receiver/RequestReceiver");
    const deploy = async (solver: Address): Promise<string> => {
      const args = [solver, origin.contracts.depository, zeroAddress, zeroAddress];
      const hash = await deployContract(wallet, { abi, bytecode, args });
      return (await waitForTransactionReceipt(wallet, { hash })).contractAddress ?? "";
    };
    const ask = (receiver: string) =>
      run("signature", "verify", ids[0] ?? "", "--receiver", receiver, "--rpc-url", origin.rpcUrl, "--json");
    const trusting = await ask(await deploy(network.solver));
    expect([trusting.exitCode, (JSON.parse(trusting.stdout) as VerifyJson).onChain?.isPassed]).to.deep.equal([0, true]);
    const other = await ask(await deploy(network.accounts.stranger.address));
    const { ok, offChain, onChain } = JSON.parse(other.stdout) as VerifyJson;
    expect([other.exitCode, ok, offChain.isPassed, onChain?.refusal?.error]).to.deep.equal([
      1,
      false,
      true,
      "WrongSigner",
    ]);
  });

  it("explains each command with an example", async () => {
    const commands = ["send", "watch", "status", "requests list", "requests get", "requests export"];
    for (const command of [...commands, "signature get", "signature verify"]) {
      const { exitCode, stdout } = await run(...command.split(" "), "--help");
      expect([exitCode, stdout.includes("Examples:"), stdout.includes(`crosscall ${command} `)]).to.deep.equal([
        0,
        true,
        true,
      ]);
      expect(stdout).not.to.include(network.apiKey);
    }
  });

  async function list(...args: string[]): Promise<ListJson> {
    const { exitCode, stdout, stderr } = await run("requests", "list", ...args, "--json");
    const listing = JSON.parse(stdout) as ListJson;
    expect([exitCode, listing.ok, stderr]).to.deep.equal([0, true, ""]);
    return listing;
  }
});

/** Starts a service whose listing returns one page and then stops responding. */
async function endlessListing(record: RequestRecord): Promise<TestServer & { readonly asked: Promise<undefined> }> {
  const asked = Promise.withResolvers<undefined>();
  const server = await serve((request, response) => {
    if (request.url?.includes("continuation") === true) asked.resolve(undefined);
    else
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ requests: [record], continuation: "next" }));
  });
  return { ...server, asked: asked.promise };
}

interface ListJson {
  readonly ok: boolean;
  readonly requests: readonly RequestRecord[];
  readonly continuation?: string;
  readonly total?: number;
}

/** Starts a proxy for a service that returns 404 for paths with the given ending. */
function startWithout(end: string, url: string): Promise<TestServer> {
  return serve(async (request, response) => {
    const isMissing = request.url?.endsWith(end) === true;
    const answer = await fetch(`${url}${isMissing ? "/nothing" : request.url}`);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
}

interface VerifyJson {
  readonly ok: boolean;
  readonly offChain: { readonly signer: string; readonly isPassed: boolean };
  readonly onChain?: { readonly isPassed: boolean; readonly refusal?: { readonly error: string } };
}

interface FailureJson {
  readonly error: { readonly code: string; readonly field?: string; readonly cause?: { readonly field?: string } };
}
