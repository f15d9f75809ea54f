import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { encodeErrorResult, parseAbi, zeroAddress, zeroHash } from "viem";

import { localnet, type Localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { REVERTER } from "../../packages/crosscall/src/localnet/scenarios/families/failScenario.ts";
import { openStore, type Store } from "../../packages/crosscall/src/localnet/store/store.ts";
import { onNode } from "../integration/support/requests.ts";
import { createSender, endOf, quoteDollars, requestIdOf } from "../integration/support/scenarioRuns.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { runCrosscall } from "../support/programs.ts";
import { type Listener, serve, type TestServer } from "../support/httpServer.ts";
import { useFolder } from "../support/useFolder.ts";

/** Colors, a window title, a bell, C1 codes, DEL, direction marks, line separators, and a forged line. */
const HOSTILE = "\u001B[31m\u001B]0;t\u0007\u009B2J\u0085\u007F\u061C\u200E\u202E\u2066\u2069\u2028\u2029\r\nFORGED";

/**
 * Text that no output can contain: control characters except line feeds, and Unicode characters that are invisible or
 * change the text direction.
 */
const FORBIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^FORGED/gmu;

/** Strings that a client rejects if they are changed. */
const STRUCTURAL =
  /^(0x[0-9a-fA-F]*|-?[\d.]+|crosscall-snapshot-1|\d{4}-\d\d-\d\dT.*|https?:.*|success|refund|waiting|pending)$/u;

type Change = (text: string) => string;

const inFreeTexts: Change = (text) => (STRUCTURAL.test(text) ? text : `${text}${HOSTILE}`);
const everywhere: Change = (text) => `${text}${HOSTILE}`;

function changed(value: unknown, change: Change): unknown {
  return JSON.parse(JSON.stringify(value), (_name, part: unknown) => (typeof part === "string" ? change(part) : part));
}

describe("hostile text in the terminal", () => {
  let network: Localnet;
  let store: Store;
  let requestId: string;
  const folder = useFolder();
  let planFile: string;
  let quoteFile: string;
  const servers: TestServer[] = [];

  async function start(listener: Listener): Promise<string> {
    const server = await serve(listener);
    servers.push(server);
    return server.url;
  }

  /** Starts a service that returns changed responses from the network. */
  const serveChanged = (change: Change): Promise<string> =>
    start(async (request, response, content) => {
      const { method = "GET", url = "/", headers } = request;
      const given = Object.entries(headers).filter(([name]) => /^(x-|content-type)/u.test(name)) as [string, string][];
      const body = content === "" ? {} : { body: content };
      const truth = await fetch(`${network.url}${url}`, { method, headers: given, ...body });
      const text = await truth.text();
      const isJson = truth.headers.get("content-type")?.includes("json") === true && text !== "";
      response
        .writeHead(truth.status, { "content-type": truth.headers.get("content-type") ?? "text/plain" })
        .end(isJson ? JSON.stringify(changed(JSON.parse(text), change)) : text.replaceAll(/(?<=")(?=\})/gu, HOSTILE));
    });

  before(async () => {
    const databaseUrl = await newPostgresDatabase();
    network = await localnet({ databaseUrl, logLevel: "error", limits: "off" });
    store = await openStore({ url: databaseUrl, onError: () => undefined });
    const [origin, destination] = network.chains;
    const { dollar, vault, vaultProxy } = destination.contracts;
    const user = network.accounts.user.address;
    planFile = join(folder, "plan.json");
    await writeFile(
      planFile,
      JSON.stringify({
        recipe: "erc4626Deposit",
        args: { vault, asset: dollar },
        proxy: vaultProxy,
        tradeType: "EXACT_INPUT",
        amount: "1000000000000000000",
        minimumOut: "1000000",
        user,
        refundTo: user,
        originChainId: origin.id,
        originCurrency: zeroAddress,
        destinationChainId: destination.id,
      }),
    );
    const webhook = ["webhooks", "set", "http://127.0.0.1:9/hook", "--api-key", network.apiKey, "--header", "x-a=b"];
    await runCrosscall([...webhook, "--url", network.url, "--admin-key", network.adminKey]);
    await onNode(destination, "hardhat_setCode", REVERTER.address, REVERTER.code);
    const data = encodeErrorResult({ abi: parseAbi(["error Error(string)"]), errorName: "Error", args: [HOSTILE] });
    const quote = await quoteDollars(network, { referrer: HOSTILE, txs: [{ to: REVERTER.address, data, value: "0" }] });
    requestId = requestIdOf(quote);
    await createSender(network)(quote);
    await endOf(network, requestId);
    quoteFile = join(folder, "quote.json");
    await runCrosscall(["quote", planFile, "--out", quoteFile], { env: environment(network.url) });
    await writeFile(
      quoteFile,
      JSON.stringify(changed(JSON.parse(await readFile(quoteFile, "utf8")), inFreeTexts)).replaceAll(
        JSON.stringify(HOSTILE).slice(1, -1) + '","amount"',
        '","amount"',
      ),
    );
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await store.close();
    await network.close();
  });

  const environment = (url: string) => ({ CROSSCALL_API_URL: url, CROSSCALL_API_KEY: network.apiKey });

  const commandsOf = (url: string): readonly (readonly string[])[] => {
    const admin = ["--url", url, "--admin-key", network.adminKey];
    const rpcUrls = network.chains.flatMap(({ id, rpcUrl }) => ["--rpc-url", `${id}=${rpcUrl}`]);
    return [
      ["requests", "list", "--include-total"],
      ["requests", "get", requestId],
      ["status"],
      ["status", requestId],
      ["watch", requestId, "--timeout", "1"],
      ["fees", "--request-id", requestId],
      ["signature", "get", requestId],
      ["quote", planFile],
      ["replay", requestId, "--no-cache", "--rpc-url", network.chains[1].rpcUrl],
      ["doctor", ...rpcUrls],
      ["mirror", "--database", join(folder, "mirror")],
      ["keys", "list", ...admin],
      ["clock", ...admin],
      ["fills", "list", ...admin],
      ["scenarios", "show", ...admin],
      ["webhooks", "deliveries", ...admin],
      ["webhooks", "show", ...admin],
      ["snapshot", "save", join(folder, "network.snapshot"), ...admin],
      ["trigger", "success", ...admin],
    ];
  };

  async function expectHarmless(args: readonly string[], url: string): Promise<string> {
    const shown: string[] = [];
    for (const format of [[], ["--json"]]) {
      const { stdout, stderr } = await runCrosscall([...args, ...format], { env: environment(url) });
      expect([args.join(" "), `${stdout}${stderr}`.match(FORBIDDEN)]).to.deep.equal([args.join(" "), null]);
      shown.push(stdout, stderr);
    }
    return shown.join("");
  }

  /** Runs all commands, and returns the names of the commands that print the escaped text. */
  async function commandsThatShow(url: string, commands = commandsOf(url)): Promise<string[]> {
    const names: string[] = [];
    for (const args of commands) {
      const shown = await expectHarmless(args, url);
      if (shown.includes("\\u001b[31m")) names.push(args.slice(0, /^[a-z]+$/u.test(args[1] ?? "") ? 2 : 1).join(" "));
    }
    return names;
  }

  it("is escaped if the network's records contain it", async () => {
    const { details } = await store.db
      .selectFrom("orders")
      .select("details")
      .where("request_id", "=", requestId)
      .executeTakeFirstOrThrow();
    const currency = { ...details.currencyOut.currency, symbol: HOSTILE, name: HOSTILE };
    const amount = { ...details.currencyOut, currency };
    await store.db
      .updateTable("orders")
      .set({ details: JSON.stringify({ ...details, currencyIn: amount, currencyOut: amount }) })
      .where("request_id", "=", requestId)
      .execute();
    await store.db
      .updateTable("requests")
      .set({ request_type: HOSTILE, origin_symbol: HOSTILE, destination_symbol: HOSTILE, fail_details: HOSTILE })
      .where("id", "=", requestId)
      .execute();
    await store.db.updateTable("api_keys").set({ integrator: HOSTILE, label: HOSTILE }).execute();
    await network.fills.hold({ user: HOSTILE });
    const shown = await commandsThatShow(network.url);
    expect(shown).to.include.members(["requests list", "requests get", "keys list", "fills list", "replay"]);
  });

  for (const [name, change] of Object.entries({ inFreeTexts, everywhere })) {
    it(`is escaped if a service sends the text ${name}`, async () => {
      const url = await serveChanged(change);
      // The command polls an unknown status for a minute.
      const commands = commandsOf(url).filter(([command]) => change === inFreeTexts || command !== "watch");
      expect(await commandsThatShow(url, commands)).to.include.members([
        "requests list",
        "status",
        "keys list",
        "fills list",
        "webhooks show",
        // It shows only addresses, which are not free text.
        ...(change === everywhere ? ["doctor"] : []),
      ]);
    });
  }

  it("is escaped in the errors from a service and a node", async () => {
    const error = { message: HOSTILE, errorCode: HOSTILE, hint: HOSTILE, field: HOSTILE, error: HOSTILE };
    const url = await start((_request, response) => {
      response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(error));
    });
    const shown = await commandsThatShow(url);
    expect(shown).to.include.members([
      "requests list",
      "status",
      "watch",
      "fees",
      "quote",
      "keys list",
      "clock",
      "fills list",
    ]);
    const rpcUrl = await start((_request, response, content) => {
      const { id } = JSON.parse(content) as { id?: number };
      const body = { jsonrpc: "2.0", id, error: { code: -32_000, message: HOSTILE, data: HOSTILE } };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const commands = [
      ["check", planFile, "--rpc-url", rpcUrl],
      ["doctor", "--rpc-url", rpcUrl],
      ["replay", requestId, "--no-cache", "--rpc-url", rpcUrl],
      ["verify", quoteFile, "--rpc-url", rpcUrl],
    ];
    expect(await commandsThatShow(network.url, commands)).to.include.members(["check", "doctor"]);
  });

  it("causes a typed error if it is nested too deeply to print", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const url = await start((_request, response) => {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(`{"requests":[{"id":"${zeroHash}","extra":${deep}}],"keys":[],"status":"success","extra":${deep}}`);
    });
    for (const args of [
      ["requests", "list"],
      ["status", zeroHash],
      ["keys", "list", "--url", url, "--admin-key", network.adminKey],
    ]) {
      const env = environment(url);
      expect(await runCrosscall(args, { env })).to.include({ exitCode: 0, stderr: "" });
      const { exitCode, stdout } = await runCrosscall([...args, "--json"], { env });
      expect([exitCode, (JSON.parse(stdout) as { error: { code: string } }).error.code]).to.deep.equal([
        1,
        "MALFORMED_DATA",
      ]);
    }
    const failing = await start((_request, response) => {
      response.writeHead(400, { "content-type": "application/json" }).end(`{"message":"no","errorData":${deep}}`);
    });
    const { stdout } = await runCrosscall(["clock", "--url", failing, "--admin-key", "any", "--json"]);
    expect(JSON.parse(stdout)).to.have.nested.property("error.code", "MALFORMED_DATA");
  });

  it("is escaped if a file contains it", async () => {
    for (const args of [
      ["fees", "--from", quoteFile],
      ["verify", quoteFile],
      ["preflight", quoteFile, ...network.chains.flatMap(({ id, rpcUrl }) => ["--rpc-url", `${id}=${rpcUrl}`])],
      ["send", quoteFile, "--dry-run"],
      ["replay", quoteFile, "--no-cache", "--rpc-url", network.chains[1].rpcUrl],
    ]) {
      await expectHarmless(args, network.url);
    }
  });

  it("is escaped if an argument contains it", async () => {
    const oneLine = HOSTILE.replace(/\n.*$/u, "");
    for (const args of [[oneLine], ["status", oneLine], ["check", HOSTILE], ["quote", `--${oneLine}`]]) {
      await expectHarmless(args, network.url);
    }
  });
});
