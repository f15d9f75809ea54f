import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { gzip } from "node:zlib";

import { expect } from "chai";
import { parseEther, zeroAddress } from "viem";

import { localNodeRequest } from "../../packages/crosscall/src/localnet/devchain/node.ts";
import {
  loadSnapshot,
  type Localnet,
  localnet,
  type NetworkSnapshot,
  saveSnapshot,
} from "../../packages/crosscall/src/localnet/index.ts";
import {
  BITCOIN_CHAIN_ID,
  EXCHANGE_CHAIN_ID,
  HYPERLIQUID_CHAIN_ID,
  TRON_CHAIN_ID,
} from "../../packages/protocol/src/chains/chainIds.ts";
import type { ChainEntry } from "../../packages/protocol/src/complete.ts";
import { createServiceClient } from "../../packages/sdk/src/index.ts";
import { getQuote } from "../support/complete.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { callAdmin } from "./support/adminCalls.ts";
import { failureOf } from "./support/failureOf.ts";
import { countFills } from "./support/heldFills.ts";
import { reader } from "./support/parties.ts";
import { createSender, endOf, quoteDollars, requestIdOf } from "./support/scenarioRuns.ts";
import { get } from "./support/serviceCalls.ts";
import { useFolder } from "../support/useFolder.ts";

// The clock is fixed, so that two snapshots of the same state are equal.
const clock = { now: () => Date.UTC(2026, 7, 1) };
const quiet = { clock, logLevel: "error" } as const;

/** API key of an RPC provider. */
const KEY = "0123456789abcdef0123456789abcdef";

const heldIds = async ({ fills }: Localnet) => (await fills.list()).held.map(({ requestId }) => requestId);

describe("snapshots of a network", () => {
  const folder = useFolder();
  const network = useNetwork({
    ...quiet,
    chains: [{ id: 31_337 }, { id: 31_338, hardfork: "osaka", depositConfirmations: 1 }],
    apiKeys: ["mine"],
    rebalancingBps: 5,
  });

  /** Returns a response with ports removed, because they differ between networks. */
  const read = async (of: Localnet, path: string): Promise<string> => {
    const { status, body } = await get(of, path, { "x-api-key": of.apiKey });
    expect(status).to.equal(200);
    const text = JSON.stringify(body);
    const withoutNodes = of.chains.reduce((rest, { rpcUrl, id }) => rest.replaceAll(rpcUrl, `node of ${id}`), text);
    // Ledgers have other ports in each network.
    return withoutNodes.replaceAll(/"httpRpcUrl":"http:[^"]*"/gu, '"httpRpcUrl":"ledger"');
  };
  async function holdFill() {
    await network.fills.hold();
    const quote = await quoteDollars(network);
    await createSender(network)(quote);
    const requestId = requestIdOf(quote);
    await until(async () => (await heldIds(network)).includes(requestId));
    return { quote, requestId };
  }
  const expectFilledOnce = async (of: Localnet, { quote, requestId }: Awaited<ReturnType<typeof holdFill>>) => {
    await of.fills.releaseAll();
    expect((await endOf(of, requestId)).status).to.equal("success");
    expect(await countFills(of.chains[1], quote)).to.equal(1);
  };

  /** Returns a snapshot taken after the solver has scanned all blocks, when the state no longer changes. */
  const restingSnapshot = (): Promise<NetworkSnapshot> => {
    let last: NetworkSnapshot | undefined;
    return until(async () => {
      const [before, now] = [last, await network.snapshot()];
      last = now;
      const scans = now.database.tables.find(({ name }) => name === "scans");
      const scanned = scans?.rows.map((row) => Number(row[scans.columns.indexOf("block_number")]));
      const heights = now.chains.map(({ node }) => node.height);
      return isDeepStrictEqual([before, scanned], [now, heights]) ? now : undefined;
    });
  };

  it("resume requests between the deposit and the fill, and fill them once", async () => {
    const held = await holdFill();
    await using copy = await localnet({ keepsRetired: true, from: await network.snapshot(), ...quiet });
    expect(await heldIds(copy)).to.deep.equal([held.requestId]);
    for (const [index, chain] of copy.chains.entries()) {
      expect(await chain.state()).to.deep.equal(await network.chains[index]?.state());
    }
    for (const path of [
      `/intents/status/v3?requestId=${held.requestId}`,
      "/requests/v3",
      "/chains",
      `/requests/${held.requestId}/signature/v2`,
      "/config/v2?originChainId=31337&destinationChainId=31338&currency=eth",
    ]) {
      expect(await read(copy, path)).to.equal(await read(network, path));
    }
    await expectFilledOnce(copy, held);
    expect(await countFills(network.chains[1], held.quote)).to.equal(0);
    await expectFilledOnce(network, held);
  });

  it("produce an identical file when saved again after loading", async () => {
    const held = await holdFill();
    const [file, again] = [join(folder, "first"), join(folder, "second")];
    await saveSnapshot(file, await restingSnapshot());
    await using copy = await localnet({ keepsRetired: true, from: await loadSnapshot(file), ...quiet });
    await saveSnapshot(again, await copy.snapshot());
    expect((await readFile(again)).equals(await readFile(file))).to.equal(true);
    expect((await readdir(folder)).sort()).to.deep.equal(["first", "second"]);
    await expectFilledOnce(network, held);
  });

  it("contain the clock, keys, options, scenarios and webhooks", async () => {
    network.clock.setOffset(3_600_000);
    await network.scenarios.set("SLIPPAGE", { next: 2 });
    await callAdmin(network, "POST", "/admin/keys", { apiKey: "later", label: "added" });
    const webhook = { apiKey: "mine", url: "http://127.0.0.1:9/hook" };
    const { status, body } = await callAdmin(network, "PUT", "/admin/webhooks", webhook);
    expect(status).to.equal(200);
    await using copy = await network.fork();
    expect(copy.clock.now()).to.equal(network.clock.now());
    expect([copy.apiKey, copy.adminKey === network.adminKey]).to.deep.equal(["mine", false]);
    for (const path of ["/admin/keys", "/admin/scenarios", "/admin/webhooks"]) {
      expect(await callAdmin(copy, "GET", path)).to.deep.equal(await callAdmin(network, "GET", path));
    }
    expect((await quoteDollars(copy)).fees).to.deep.equal((await quoteDollars(network)).fees);
    const { keyId } = (body as { webhook: { keyId: string } }).webhook;
    // The webhook's key can be decrypted, although the copy has another admin key.
    const sent = await callAdmin(copy, "POST", `/admin/webhooks/${keyId}/test`);
    expect(sent).to.deep.equal(await callAdmin(network, "POST", `/admin/webhooks/${keyId}/test`));
    expect(JSON.stringify(sent.body)).to.not.include("encrypted");
    await callAdmin(network, "DELETE", `/admin/webhooks/${keyId}`);
    await network.scenarios.clear();
    network.clock.reset();
  });

  it("contain pending transactions, intervals, latency, and blocks that a reorg can replace", async () => {
    const [chain] = network.chains;
    const client = reader(chain);
    await chain.mine({ blocks: 3 });
    await localNodeRequest(client, "evm_increaseTime", [86_400]);
    await chain.reorg({ blocks: 2 });
    await chain.setMining({ intervalMs: 600_000 });
    await chain.setLatency({ latencyMs: 1 });
    const value = parseEther("1").toString(16);
    const from = network.accounts.user.address;
    const hash = await localNodeRequest(client, "eth_sendTransaction", [{ from, to: from, value: `0x${value}` }]);
    await using copy = await network.fork();
    const [copied] = copy.chains;
    expect(await copied.state()).to.deep.equal(await chain.state());
    const pending = await localNodeRequest(reader(copied), "eth_pendingTransactions", []);
    expect((pending as { hash: string }[]).map((transaction) => transaction.hash)).to.deep.equal([hash]);
    await chain.setMining({});
    await copied.setMining({});
    const [block, copiedBlock] = [await client.getBlock(), await reader(copied).getBlock()];
    expect([copiedBlock.transactions, copiedBlock.parentHash]).to.deep.equal([[hash], block.parentHash]);
    await copied.reorg({ blocks: 5 });
    expect((await copied.state()).blockHash).to.not.equal((await chain.state()).blockHash);
    await chain.setLatency({ latencyMs: 0 });
  });

  it("contain the ledgers, and requests that are paid on them later", async () => {
    const address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    const tronAddress = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
    const evmAddress = network.accounts.user.address;
    const fund = async (of: Localnet, chainId: number, account: string) => {
      const body = { address: account, amount: "1000000" };
      expect((await callAdmin(of, "POST", `/admin/chains/${chainId}/faucet`, body)).status).to.equal(200);
    };
    await fund(network, BITCOIN_CHAIN_ID, address);
    await fund(network, TRON_CHAIN_ID, tronAddress);
    await fund(network, HYPERLIQUID_CHAIN_ID, evmAddress);
    await fund(network, EXCHANGE_CHAIN_ID, evmAddress);
    const quote = await getQuote(createServiceClient({ baseUrl: network.url, apiKey: network.apiKey }), {
      user: address,
      recipient: evmAddress,
      refundTo: address,
      originChainId: BITCOIN_CHAIN_ID,
      originCurrency: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8",
      destinationChainId: network.chains[0].id,
      destinationCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      amount: "1000000",
      useDepositAddress: true,
    });
    await using copy = await localnet({ keepsRetired: true, from: await network.snapshot(), ...quiet });
    const { body } = await get(copy, "/chains");
    const { chains } = body as { chains: ChainEntry[] };
    const ask = async (chainId: number, path: string, sent?: object): Promise<unknown> => {
      const url = `${chains.find(({ id }) => id === chainId)?.httpRpcUrl ?? ""}${path}`;
      const init = sent === undefined ? {} : { method: "POST", body: JSON.stringify(sent) };
      return (await fetch(url, init)).json();
    };
    const [coin] = (await ask(BITCOIN_CHAIN_ID, `/address/${address}/utxo`)) as { value: number }[];
    expect(coin?.value).to.equal(1_000_000);
    const account = await ask(TRON_CHAIN_ID, "/wallet/getaccount", { address: tronAddress, visible: true });
    expect(account).to.deep.include({ balance: 1_000_000 });
    const margin = await ask(HYPERLIQUID_CHAIN_ID, "/info", { type: "clearinghouseState", user: evmAddress });
    expect(margin).to.deep.include({ withdrawable: "0.01" });
    const exchanged = await ask(EXCHANGE_CHAIN_ID, `/api/v1/account?by=l1_address&value=${evmAddress}`);
    expect((exchanged as { accounts: object[] }).accounts[0]).to.include({ collateral: "1.000000" });

    const { depositAddress = "" } = quote.steps[0] ?? {};
    await fund(copy, BITCOIN_CHAIN_ID, depositAddress);
    expect((await endOf(copy, requestIdOf(quote))).status).to.equal("success");
  });

  it("can be loaded into a folder and into PostgreSQL, but not into a database in use", async () => {
    const held = await holdFill();
    const from = await restingSnapshot();
    const databaseUrl = await newPostgresDatabase();
    for (const database of [{ databaseFolder: join(folder, "database") }, { databaseUrl }]) {
      {
        await using copy = await localnet({ keepsRetired: true, from, ...database, ...quiet });
        expect(await copy.snapshot()).to.deep.equal(from);
        await expectFilledOnce(copy, held);
      }
      expect(await failureOf(localnet({ keepsRetired: true, from, ...database, ...quiet }))).to.have.property(
        "code",
        "INVALID_STATE",
      );
    }
    await expectFilledOnce(network, held);
  });

  it("are rejected if their chains run in other processes", async () => {
    const [{ rpcUrl }] = network.chains;
    await using other = await localnet({
      keepsRetired: true,
      ...quiet,
      chains: [{ id: 31_337, rpcUrl }, { id: 31_339 }],
    });
    expect(await failureOf(other.snapshot())).to.have.property("code", "INVALID_STATE");
    expect((await callAdmin(other, "GET", "/admin/snapshot")).status).to.equal(409);
  });

  it("continue a fork from the forked block", async () => {
    const [{ rpcUrl }, second] = network.chains;
    await using fork = await localnet({
      keepsRetired: true,
      ...quiet,
      chains: [{ id: 10, forkUrl: `${rpcUrl}/v2/${KEY}?apikey=${KEY}` }, { id: 31_339 }],
    });
    await network.chains[0].mine();
    await second.mine();
    await using copy = await fork.fork();
    for (const [index, chain] of copy.chains.entries()) {
      expect(await chain.state()).to.deep.equal(await fork.chains[index]?.state());
    }
    const quote = await quoteDollars(copy);
    await createSender(copy)(quote);
    expect((await endOf(copy, requestIdOf(quote))).status).to.equal("success");
  });

  it("contain no credentials from fork URLs, which must be given again", async () => {
    const [{ rpcUrl }] = network.chains;
    const forkUrl = `${rpcUrl.replace("//", `//me:${KEY}@`)}/v2/${KEY}?apikey=${KEY}`;
    await using fork = await localnet({ keepsRetired: true, ...quiet, chains: [{ id: 10, forkUrl }, { id: 31_339 }] });
    const from = await fork.snapshot();
    const text = JSON.stringify(from);
    expect([text.includes(KEY), text.includes(fork.adminKey)]).to.deep.equal([false, false]);
    const shown = `${rpcUrl.replace("//", "//REDACTED:REDACTED@")}/v2/REDACTED?apikey=REDACTED`;
    expect(from.chains[0]).to.include({ redactedForkUrl: shown }).and.not.have.property("forkUrl");
    expect(await failureOf(localnet({ keepsRetired: true, ...quiet, from }))).to.deep.include({
      code: "INVALID_INPUT",
      field: "chains[0].forkUrl",
      value: JSON.stringify(shown),
    });
    const chains = [{ id: 10, forkUrl }];
    await using copy = await localnet({ keepsRetired: true, ...quiet, from, chains });
    expect(await copy.chains[0].state()).to.deep.equal(await fork.chains[0].state());
    const other = { keepsRetired: true, ...quiet, from, chains: [{ id: 31_339, forkUrl }] };
    expect(await failureOf(localnet(other))).to.deep.include({
      field: "chains[0].forkUrl",
      value: JSON.stringify(shown),
    });
  });

  it("are rejected for other chains or settings, and for files that are not snapshots", async () => {
    const from = await network.snapshot();
    const fieldOf = async (work: Promise<unknown>) => ((await failureOf(work)) as { field?: string }).field;
    const [first, second] = from.chains;
    if (first === undefined || second === undefined) throw new Error("the snapshot has no chains");
    expect(await fieldOf(localnet({ keepsRetired: true, from, chains: [{ id: 5 }] }))).to.equal("chains[0].id");
    expect(await fieldOf(localnet({ keepsRetired: true, from, chains: [{ id: 31_338, latencyMs: 5 }] }))).to.equal(
      "chains[0].latencyMs",
    );
    const changes: readonly Partial<NetworkSnapshot>[] = [
      { database: { ...from.database, migrations: [] } },
      { chains: [{ ...first, node: { ...first.node, changes: first.node.changes.slice(1) } }, second] },
    ];
    for (const change of changes) {
      const failure = await failureOf(localnet({ keepsRetired: true, from: { ...from, ...change } }));
      expect(failure).to.have.property("code", "INVALID_STATE");
    }
    const file = join(folder, "broken");
    await writeFile(file, "text");
    expect(await fieldOf(loadSnapshot(file))).to.equal("file");
    expect(await fieldOf(loadSnapshot(join(folder, "missing")))).to.equal("file");
    expect(await fieldOf(saveSnapshot(join(folder, "missing", "file"), from))).to.equal("file");
    // Small file that unpacks to 2 GB.
    const member = await promisify(gzip)(" ".repeat(10_000_000));
    await writeFile(file, Buffer.concat(Array<Buffer>(200).fill(member)));
    expect(await failureOf(loadSnapshot(file))).to.include({
      code: "INVALID_INPUT",
      field: "file",
      value: JSON.stringify(file),
      reason: "it unpacks to more than the 10000000 bytes that it declares",
    });
    await writeFile(file, await promisify(gzip)(JSON.stringify({ ...from, format: "crosscall-snapshot-0" })));
    expect(await failureOf(loadSnapshot(file))).to.include({ code: "MALFORMED_DATA", path: "format" });
  });
});
