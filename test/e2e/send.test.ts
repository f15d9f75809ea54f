import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { encodeFunctionData, erc20Abi, parseEther, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";

import { getQuote, getRequest } from "../support/complete.ts";
import { createServiceClient, requestIdOf } from "../../packages/sdk/src/index.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import type { ReceivedQuote } from "../../packages/protocol/src/quote/quoteFreshness.ts";
import { FakeService } from "../integration/support/fakeService.ts";
import { reader } from "../integration/support/parties.ts";
import { startRpcGate } from "../integration/support/rpcGate.ts";
import { type FinishedProgram, type RunningProgram, runCrosscall, startCrosscall } from "../support/programs.ts";
import { etherRequest } from "../integration/support/requests.ts";
import { useFolder } from "../support/useFolder.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";

/** Well-known first account of local nodes. */
const PRIVATE_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

const API_KEY = "crosscall-local";

describe("crosscall send, watch and status", () => {
  const network = useNetwork({ sponsoringApiKeys: [API_KEY] });
  const [origin, destination] = chainsOf(network);
  const folder = useFolder();
  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });

  const takeQuote = (change: Partial<QuoteRequest> = {}): Promise<ReceivedQuote> =>
    getQuote(client(), etherRequest(network, { amount: parseEther("0.01").toString(), ...change }));
  /** Requests a quote whose calls transfer more than the fill delivers, so the request is refunded. */
  const takeDoomedQuote = (): Promise<ReceivedQuote> =>
    takeQuote({
      txs: [
        {
          to: destination.contracts.dollar,
          value: "0",
          data: encodeFunctionData({
            abi: erc20Abi,
            functionName: "transfer",
            args: [network.accounts.user.address, parseEther("1")],
          }),
        },
      ],
    });
  async function write(name: string, quote: ReceivedQuote): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, JSON.stringify(quote));
    return path;
  }
  const journal = () => join(folder, "journal");
  const environment = () => ({
    CROSSCALL_API_URL: network.url,
    CROSSCALL_API_KEY: network.apiKey,
    CROSSCALL_PRIVATE_KEY: PRIVATE_KEY,
  });
  const sendBy = (rpcUrl: string, file: string, ...args: string[]): string[] => [
    "send",
    file,
    "--journal",
    journal(),
    "--rpc-url",
    `${origin.id}=${rpcUrl}`,
    ...args,
  ];
  const send = (file: string, ...args: string[]): Promise<FinishedProgram> =>
    runCrosscall(sendBy(origin.rpcUrl, file, ...args), { env: environment() });
  const startSend = (rpcUrl: string, file: string, ...args: string[]): RunningProgram =>
    startCrosscall(sendBy(rpcUrl, file, ...args), { env: environment() });
  const ask = (...args: string[]): Promise<FinishedProgram> =>
    runCrosscall([...args, "--api-url", network.url], { env: { CROSSCALL_API_KEY: network.apiKey } });
  const countSent = () => reader(origin).getTransactionCount({ address: network.accounts.user.address });

  it("pays for a quote, watches the request until it is filled, and pays nothing in a second run", async () => {
    const quote = await takeQuote();
    const requestId = requestIdOf(quote);
    const file = await write("quote.json", quote);
    const before = await countSent();

    const first = await send(file, "--yes");
    expect([first.exitCode, await countSent()]).to.deep.equal([0, before + 1]);
    for (const text of ["arrives at least", "sent deposit 0x", "confirmed deposit", "status success"]) {
      expect(first.stderr).to.include(text);
    }
    expect(first.stdout).to.include(requestId);

    const second = await send(file, "--yes", "--json");
    const outcome = JSON.parse(second.stdout) as SendJson;
    expect([second.exitCode, second.stderr, await countSent()]).to.deep.equal([0, "", before + 1]);
    expect([outcome.ok, outcome.requestId, outcome.status.status]).to.deep.equal([true, requestId, "success"]);
    expect(outcome.transactions.map(({ chainId }) => chainId)).to.deep.equal([origin.id]);
    expect(outcome.status.inTxHashes).to.deep.equal(outcome.transactions.map(({ txHash }) => txHash));

    // With an empty journal, an earlier payment could have caused the success. So the command reports an error.
    const third = await send(file, "--yes", "--json", "--journal", join(folder, "other"));
    expect([third.exitCode, (JSON.parse(third.stdout) as FailureJson).error.code]).to.deep.equal([1, "QUOTE_REFUSED"]);
    expect(await countSent()).to.equal(before + 1);
    expect((await readdir(journal())).filter((name) => name.endsWith(".lock"))).to.deep.equal([]);

    const watch = await ask("watch", requestId, "--json");
    const lines = watch.stdout.trimEnd().split("\n");
    expect([watch.exitCode, lines.map((line) => (JSON.parse(line) as StatusJson).status)]).to.deep.equal([
      0,
      ["success"],
    ]);
    const status = await ask("status", requestId, "--json");
    expect([status.exitCode, JSON.parse(status.stdout)]).to.deep.equal([
      0,
      { ok: true, ...(JSON.parse(lines[0] ?? "") as StatusJson) },
    ]);
    expect((await ask("status", requestId)).stdout).to.match(/^success; paid by 0x[0-9a-f]{64}; sent 0x/u);
  });

  it("only checks the quote with --dry-run, without a key, and reports missing funds", async () => {
    const before = await countSent();
    const file = await write("dry.json", await takeQuote());
    const other = join(folder, "dry");
    const look = (quote: string): Promise<FinishedProgram> =>
      runCrosscall(["send", quote, "--journal", other, "--rpc-url", origin.rpcUrl, "--dry-run", "--json"], {
        env: { CROSSCALL_API_URL: network.url, CROSSCALL_PRIVATE_KEY: "" },
      });
    const { exitCode, stdout } = await look(file);
    const { ok, isDryRun, actions } = JSON.parse(stdout) as DryRunJson;
    expect([exitCode, ok, isDryRun]).to.deep.equal([0, true, true]);
    expect(actions.map(({ stepId, chainId, value }) => [stepId, chainId, value])).to.deep.equal([
      ["deposit", origin.id, parseEther("0.01").toString()],
    ]);

    const poor = await look(await write("poor.json", await takeQuote({ amount: parseEther("20000").toString() })));
    expect([poor.exitCode, (JSON.parse(poor.stdout) as FailureJson).error.code]).to.deep.equal([
      1,
      "INSUFFICIENT_BALANCE",
    ]);
    expect([await countSent(), (await readdir(folder)).includes("dry")]).to.deep.equal([before, false]);
  });

  it("pays with --gasless from an account that holds only tokens", async () => {
    const key = generatePrivateKey();
    const user = privateKeyToAddress(key);
    const payment = { originCurrency: origin.contracts.dollar, amount: "50000000", originGasOverhead: 80_000 };
    await origin.fund(user, "USDC", 50_000_000n);
    const file = await write("gasless.json", await takeQuote({ user, ...payment }));
    const { exitCode, stdout, stderr } = await runCrosscall(
      sendBy(origin.rpcUrl, file, "--gasless", "--yes", "--json"),
      { env: { ...environment(), CROSSCALL_PRIVATE_KEY: key } },
    );
    expect([exitCode, stderr]).to.deep.equal([0, ""]);
    expect((JSON.parse(stdout) as SendJson).status.status).to.equal("success");
    expect(await reader(origin).getBalance({ address: user })).to.equal(0n);
  });

  it("pays again only with --pay-again while an earlier permit is still valid", async () => {
    const quote = await takeQuote();
    const file = await write("again.json", quote);
    const account = network.accounts.user.address;
    const other = join(folder, "live");
    const live = {
      requestId: "0xab",
      stepId: "deposit",
      scheme: "batch",
      chainId: origin.id,
      account,
      currency: zeroAddress,
      amount: "1",
      contract: account,
      nonce: "7",
      deadline: 4_000_000_000,
      fromBlock: "0",
      askedAtMs: 1_700_000_000_000,
    };
    const entry = `authorizations/${origin.id}/${account.toLowerCase()}`;
    await mkdir(other);
    await writeFile(join(other, `${encodeURIComponent(entry)}.json`), JSON.stringify([live]));
    const before = await countSent();

    const refused = await send(file, "--yes", "--json", "--journal", other);
    const { code, requestId, what, reference, askedAtMs, payableUntil, resume } = (
      JSON.parse(refused.stdout) as FailureJson
    ).error;
    expect([refused.exitCode, code, requestId, what, reference, askedAtMs, payableUntil, resume]).to.deep.equal([
      1,
      "PAYMENT_UNRESOLVED",
      "0xab",
      "batch",
      "7",
      live.askedAtMs,
      live.deadline,
      `crosscall send ${file} --journal ${other} --yes`,
    ]);
    const shown = await send(file, "--yes", "--journal", other);
    for (const text of ["request    0xab", "batch      7", "expires    2096-10-02T07:06:40.000Z", "--pay-again"]) {
      expect(shown.stderr).to.include(text);
    }
    const looked = await send(file, "--dry-run", "--pay-again", "--json", "--journal", other);
    expect([looked.exitCode, await countSent()]).to.deep.equal([0, before]);

    const paid = await send(file, "--yes", "--json", "--journal", other, "--pay-again");
    expect([paid.exitCode, (JSON.parse(paid.stdout) as SendJson).ok, await countSent()]).to.deep.equal([
      0,
      true,
      before + 1,
    ]);
  });

  it("requotes an old quote, and stops if the new quote is worse", async () => {
    const before = await countSent();
    const quote = await takeQuote();
    const old = { ...quote, quotedAtMs: quote.quotedAtMs - 60_000 };
    const half = { ...quote.quotedRequest, amount: parseEther("0.005").toString() };
    const worse = await write("worse.json", { ...old, quotedRequest: half });
    // The new quote is for a different request, which simulates a change in the market price.
    const refused = await send(worse, "--yes", "--json", "--tolerance-bps", "50", "--trust-service");
    expect([refused.exitCode, (JSON.parse(refused.stdout) as FailureJson).error.code, await countSent()]).to.deep.equal(
      [1, "QUOTE_WORSENED", before],
    );

    const file = await write("old.json", old);
    const { exitCode, stdout } = await send(file, "--yes", "--json", "--tolerance-bps", "50");
    const { requestId } = JSON.parse(stdout) as SendJson;
    expect([exitCode, requestId === requestIdOf(quote)]).to.deep.equal([0, false]);
    const shown = await send(file, "--yes", "--tolerance-bps", "50");
    expect(shown.stderr)
      .to.match(/^deposit 0x[0-9a-f]{64} was sent by an earlier run$/mu)
      .and.not.include("sent deposit");
    const again = await send(file, "--yes", "--json", "--tolerance-bps", "50");
    expect([(JSON.parse(again.stdout) as SendJson).requestId, await countSent()]).to.deep.equal([
      requestId,
      before + 1,
    ]);
  });

  it("resumes from any folder, even after requoting", async () => {
    const before = await countSent();
    const quote = await takeQuote();
    const [here, there] = [join(folder, "it's here"), join(folder, "there")];
    await Promise.all([here, there].map((path) => mkdir(path)));
    await write("it's here/quote.json", { ...quote, quotedAtMs: quote.quotedAtMs - 60_000 });
    const env = {
      CROSSCALL_API_URL: network.url,
      CROSSCALL_RPC_URL: origin.rpcUrl,
      CROSSCALL_PRIVATE_KEY: PRIVATE_KEY,
    };
    const runs: [cwd: string, file: string][] = [
      [here, "quote.json"],
      [there, "../it's here/quote.json"],
      [folder, join(here, "quote.json")],
    ];
    const requestIds = new Set<string>();
    for (const [cwd, file] of runs) {
      const args = ["send", file, "--yes", "--json", "--tolerance-bps", "50"];
      const { stdout } = await runCrosscall(args, { cwd, env });
      requestIds.add((JSON.parse(stdout) as SendJson).requestId);
    }
    expect([requestIds.size, requestIds.has(requestIdOf(quote)), await countSent()]).to.deep.equal([
      1,
      false,
      before + 1,
    ]);
    expect([(await readdir(here)).toSorted(), await readdir(there)]).to.deep.equal([[".crosscall", "quote.json"], []]);
  });

  it("exits with 1 and the reason after a refund, as watch does, while status exits with 0", async () => {
    const quote = await takeDoomedQuote();
    const requestId = requestIdOf(quote);
    const { exitCode, stdout } = await send(await write("doomed.json", quote), "--yes", "--json");
    const { ok, error } = JSON.parse(stdout) as FailureJson;
    const { data } = await getRequest(client(), { requestId });
    expect(data.failReason).to.be.a("string");
    expect([exitCode, ok, error.code, error.status, error.failReason]).to.deep.equal([
      1,
      false,
      "REQUEST_NOT_FILLED",
      "refund",
      data.failReason,
    ]);
    const { sent } = error as unknown as Reached;
    // The details can contain more than the reason.
    expect(error.details).to.be.a("string").that.includes(data.failReason);
    expect([error.requestId, sent.map(({ stepId }) => stepId)]).to.deep.equal([requestId, ["deposit"]]);
    expect(data.inTxs.map(({ txHash }) => txHash)).to.deep.equal(sent.map(({ txHash }) => txHash));
    const watch = await startCrosscall(["watch", requestId, "--websocket", network.websocketUrl], {
      env: environment(),
    }).finished;
    expect([watch.exitCode, watch.stdout.startsWith("refund")]).to.deep.equal([1, true]);
    expect((await ask("status", requestId)).exitCode).to.equal(0);
  });

  it("reports the paid request after requoting in each run, even if the request is refunded", async () => {
    const quote = await takeDoomedQuote();
    const file = await write("doomed-again.json", { ...quote, quotedAtMs: quote.quotedAtMs - 60_000 });
    const before = await countSent();
    const runs: { requestId: unknown; code: unknown }[] = [];
    for (const time of ["first", "second"]) {
      const { stdout, exitCode } = await send(file, "--yes", "--json", "--tolerance-bps", "50");
      const { error } = JSON.parse(stdout) as FailureJson;
      expect([time, exitCode, error.status]).to.deep.equal([time, 1, "refund"]);
      runs.push({ requestId: error.requestId, code: error.code });
    }
    const [first, second] = runs;
    expect([first?.code, first?.requestId === requestIdOf(quote)]).to.deep.equal(["REQUEST_NOT_FILLED", false]);
    expect([second, await countSent()]).to.deep.equal([first, before + 1]);
    const { data } = await getRequest(client(), { requestId: first?.requestId as string });
    expect(data.inTxs).to.have.lengthOf(1);
  });

  it("reports the sent transactions and how to resume on Ctrl-C, and pays nothing more after resuming", async () => {
    const before = await countSent();
    const file = await write("stopped.json", await takeQuote());
    const command = startSend(origin.rpcUrl, file, "--yes");
    await command.until("sent deposit");
    command.child.kill("SIGINT");
    const { exitCode, stderr } = await command.finished;
    expect(exitCode).to.equal(130);
    expect(stderr).to.match(/^To continue without paying twice: crosscall send .*stopped\.json --journal /mu);
    const { stdout } = await send(file, "--yes", "--json");
    expect([(JSON.parse(stdout) as SendJson).ok, await countSent()]).to.deep.equal([true, before + 1]);
  });

  it("reports the same results as JSON with --json", async () => {
    const quote = await takeQuote();
    const requestId = requestIdOf(quote);
    const file = await write("stopped.json", quote);
    const before = await countSent();
    const gate = await startRpcGate(origin.rpcUrl);
    try {
      const held = gate.hold("eth_getTransactionReceipt");
      const command = startSend(gate.url, file, "--yes", "--json", "--timeout", "1");
      await held;
      command.child.kill("SIGINT");
      const { exitCode, stdout } = await command.finished;
      const { error } = JSON.parse(stdout) as FailureJson;
      const { sent, resume } = error as unknown as Reached;
      expect([exitCode, error.code, error.requestId]).to.deep.equal([130, "ABORTED", requestId]);
      expect(sent.map(({ stepId }) => stepId)).to.deep.equal(["deposit"]);
      expect(resume).to.equal(`crosscall send ${file} --journal ${journal()} --timeout 1 --yes`);
      expect(await countSent()).to.equal(before + 1);
    } finally {
      await gate.close();
    }
  });

  it("confirms the fill with an endpoint of the destination chain, and rejects false claims by a hostile service", async () => {
    const service = await FakeService.start(network.url);
    const run = (file: string) =>
      runCrosscall(
        [...sendBy(origin.rpcUrl, file), "--rpc-url", `${destination.id}=${destination.rpcUrl}`, "--yes", "--json"],
        { env: { ...environment(), CROSSCALL_API_URL: service.url } },
      );
    try {
      const honest = await run(await write("confirmed.json", await takeQuote()));
      expect([honest.exitCode, (JSON.parse(honest.stdout) as SendJson).status.status]).to.deep.equal([0, "success"]);

      const { txHashes = [] } = (JSON.parse(honest.stdout) as SendJson).status;
      service.claim = (status) => (status.status === "waiting" ? status : { ...status, status: "success", txHashes });
      const hostile = await run(await write("claimed.json", await takeQuote({ referrer: "scenario:stuck" })));
      const { error } = JSON.parse(hostile.stdout) as { error: { code: string; status: string } };
      expect([hostile.exitCode, error.code, error.status]).to.deep.equal([1, "REQUEST_NOT_FILLED", "unconfirmed"]);
    } finally {
      await service.close();
    }
  });

  it("does not execute a request that another process is executing", async () => {
    const quote = await takeQuote();
    const file = await write("locked.json", quote);
    const lock = join(journal(), `${requestIdOf(quote)}.lock`);
    const before = await countSent();
    await writeFile(lock, String(process.pid));
    const refused = await send(file, "--yes", "--json");
    expect([refused.exitCode, (JSON.parse(refused.stdout) as FailureJson).error.code, await countSent()]).to.deep.equal(
      [1, "INVALID_STATE", before],
    );
    // Takes over the lock of a killed process. The process ID is larger than all process IDs of the system.
    await writeFile(lock, "999999999");
    expect([(await send(file, "--yes")).exitCode, await countSent()]).to.deep.equal([0, before + 1]);
  });

  it("rejects invalid input, and never prints the key", async () => {
    const quote = await takeQuote();
    const file = await write("refused.json", quote);
    const { quotedAtMs: _takenAtMs, ...undated } = quote;
    const before = await countSent();
    const notKey = await write("key.txt", quote);
    const refusals: [string[], string, string | undefined][] = [
      [[file], "INVALID_INPUT", "--yes"],
      [[file, "--yes", "--rpc-url", destination.rpcUrl, "--key-file", notKey], "INVALID_INPUT", "--key-file"],
      [[file, "--yes", "--rpc-url", `${origin.id}=${destination.rpcUrl}`], "WRONG_CHAIN", undefined],
      [[await write("undated.json", undated as ReceivedQuote), "--yes"], "MALFORMED_DATA", undefined],
      [[join(folder, "none.json"), "--yes"], "INVALID_INPUT", "quote.json"],
    ];
    for (const [[path = "", ...args], code, field] of refusals) {
      const { exitCode, stdout, stderr } = await send(path, ...args, "--json");
      const { error } = JSON.parse(stdout) as FailureJson;
      expect([exitCode, error.code, error.field]).to.deep.equal([1, code, field]);
      expect(`${stdout}${stderr}`).not.to.include(PRIVATE_KEY.slice(2));
    }
    expect((await send(file, "--yes", "--tolerance-bps", "10001")).exitCode).to.equal(2);
    // The journal folder's path is an existing file.
    const blocked = await send(file, "--yes", "--json", "--journal", file);
    expect([blocked.exitCode, (JSON.parse(blocked.stdout) as FailureJson).error.code]).to.deep.equal([
      1,
      "INVALID_STATE",
    ]);
    const nowhere = await startCrosscall(["status", "0x00", "--json"], { env: { CROSSCALL_API_URL: "" } }).finished;
    const { error } = JSON.parse(nowhere.stdout) as FailureJson;
    expect([nowhere.exitCode, error.field, await countSent()]).to.deep.equal([1, "--api-url", before]);
  });
});

interface StatusJson {
  readonly requestId: string;
  readonly status: string;
  readonly txHashes?: readonly string[];
  readonly inTxHashes: readonly string[];
}

interface SendJson {
  readonly ok: boolean;
  readonly requestId: string;
  readonly transactions: readonly { readonly chainId: number; readonly txHash: string }[];
  readonly status: StatusJson;
}

/** Fields of an error from a run that sent a transaction. */
interface Reached {
  readonly requestId: string;
  readonly sent: readonly { readonly stepId: string; readonly txHash: string }[];
  readonly resume: string;
}

interface DryRunJson {
  readonly ok: boolean;
  readonly isDryRun: boolean;
  readonly actions: readonly { readonly stepId: string; readonly chainId: number; readonly value: string }[];
}

interface FailureJson {
  readonly ok: boolean;
  readonly error: Readonly<Record<string, unknown>>;
}
