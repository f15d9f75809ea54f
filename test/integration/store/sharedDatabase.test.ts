import { expect } from "chai";
import { type Address, createWalletClient, type Hex, http, parseEther, zeroAddress } from "viem";
import { sendTransaction } from "viem/actions";

import { createServiceClient, watchRequest } from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { parseData } from "../../../packages/protocol/src/index.ts";
import { TransactionDataSchema } from "../../../packages/protocol/src/quote/step.ts";
import { chainClient, describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { localAccounts, localnet, type Localnet } from "../../../packages/crosscall/src/localnet/index.ts";
import { getQuote, getStatus } from "../../support/complete.ts";
import { newPostgresDatabase } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";
import { callAdmin } from "../support/adminCalls.ts";
import { post } from "../support/serviceCalls.ts";
import { startAnvil, startProgram, stopPrograms } from "../support/processes.ts";

const ORIGIN_ID = 31_337;
const DESTINATION_ID = 31_338;
const COUNT = 24;

// Two services with one wallet: one in this process, and one in another process.
describe("two services with the same database and chains", () => {
  let urls: [string, string];
  let network: Localnet;
  let otherUrl: string;
  let otherKey: string;
  let quotes: Quote[];

  before(async () => {
    const nodes = await Promise.all([startAnvil(ORIGIN_ID), startAnvil(DESTINATION_ID)]);
    urls = [nodes[0].ready, nodes[1].ready];
    const databaseUrl = await newPostgresDatabase();
    const chains = [
      { id: ORIGIN_ID, rpcUrl: urls[0] },
      { id: DESTINATION_ID, rpcUrl: urls[1] },
    ];
    network = await localnet({ keepsRetired: true, chains, databaseUrl, limits: "off" });
    const args = chains.flatMap(({ id, rpcUrl }) => ["--chain", `${id}=${rpcUrl}`]);
    const command = [
      "packages/crosscall/src/main.ts",
      "up",
      "--keep-retired",
      "--json",
      "--port",
      "0",
      "--limits",
      "off",
    ];
    const program = startProgram(process.execPath, [...command, "--database-url", databaseUrl, ...args], (line) => {
      const up = JSON.parse(line) as { ok: boolean; url: string; adminKey: string };
      if (!up.ok) throw new Error(line);
      return up;
    });
    ({ url: otherUrl, adminKey: otherKey } = (await program).ready);
    quotes = await takeQuotes();
    await depositAll(quotes);
    await Promise.all(quotes.map((quote, index) => settled(quote, index)));
  });
  after(async () => {
    await stopPrograms();
    await network.close();
  });

  it("fill every order once, regardless of the process that quoted it", async () => {
    const inputs = (await fillsOf(quotes)).map(({ input }) => input);
    for (const quote of quotes) {
      expect(inputs.filter((input) => input.endsWith(orderIdOf(quote)))).to.have.length(1);
    }
  });

  it("use each of their wallet's nonces once, without gaps", async () => {
    const nonces = (await fillsOf(quotes)).map(({ nonce }) => nonce).toSorted((a, b) => a - b);
    expect(nonces).to.deep.equal(nonces.map((_, index) => (nonces[0] ?? 0) + index));
    const client = chainClient(DESTINATION_ID, urls[1]);
    const next = await client.getTransactionCount({ address: localAccounts.solver.address, blockTag: "pending" });
    expect(next).to.equal((nonces.at(-1) ?? 0) + 1);
  });

  it("return each other's requests", async () => {
    const [first, second] = await Promise.all([network.url, otherUrl].map((baseUrl) => statusesAt(baseUrl)));
    expect(first).to.deep.equal(second);
    expect(new Set(first)).to.deep.equal(new Set(["success"]));
  });

  it("notify listeners in the other process of a change", async () => {
    const [quote] = await takeQuotes(2).then((two) => two.slice(1));
    if (quote === undefined) throw new Error("no quote");
    const socket = new WebSocket(`${network.websocketUrl}?apiKey=${network.apiKey}`);
    const isOver = new Promise<unknown>((resolve, reject) => {
      socket.onerror = () => reject(new Error("the websocket failed"));
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(String(data)) as { type?: string; data: { status?: string } };
        if (message.type === "subscribe") void depositAll([quote]).catch(reject);
        if (message.data.status === "success" && message.type === undefined) resolve(message.data);
      };
    });
    socket.onopen = () => {
      const filters = { id: requestIdOf(quote) };
      socket.send(JSON.stringify({ type: "subscribe", event: "request.status.updated", filters }));
    };
    expect(await isOver).to.include({ requestId: requestIdOf(quote), status: "success" });
    socket.close();
  });

  it("apply restrictions that were set in the other process", async () => {
    const restrict = async (url: string, restrictions: object) =>
      (await callAdmin({ url, adminKey: keyOf(url) }, "POST", "/admin/restrictions", restrictions)).status;
    expect(await restrict(otherUrl, { disabledChains: [DESTINATION_ID] })).to.equal(200);
    const refused = await takeQuotes(1).catch((error: unknown) => error);
    expect(refused).to.include({ code: "SERVICE_ERROR", errorCode: "CHAIN_DISABLED" });
    expect(await restrict(network.url, {})).to.equal(200);
    // From both services.
    expect(await takeQuotes(2)).to.have.length(2);
  });

  it("share the clock", async () => {
    const other = { url: otherUrl, adminKey: otherKey };
    const offsetOf = async (): Promise<number> =>
      ((await callAdmin(other, "GET", "/admin/clock")).body as { offsetMs: number }).offsetMs;
    expect((await callAdmin(other, "PUT", "/admin/clock", { offsetMs: 60_000 })).status).to.equal(200);
    await until(() => network.clock.offsetMs === 60_000);
    network.clock.reset();
    await until(async () => (await offsetOf()) === 0);
  });

  it("hold each other's fills, and fill a request once if both release it", async () => {
    await network.fills.hold();
    const held = await takeQuotes(4);
    const ids = held.map(requestIdOf).toSorted();
    await depositAll(held);
    await until(async () => (await network.fills.list()).total === held.length);
    const release = async (requestId: string): Promise<number> =>
      (await callAdmin({ url: otherUrl, adminKey: otherKey }, "POST", "/admin/fills/release", { requestId })).status;
    for (const requestId of ids) {
      const [here, there] = await Promise.all([
        network.fills.release(requestId).then(
          () => 200,
          (error: unknown) => (error as { status: number }).status,
        ),
        release(requestId),
      ]);
      expect([here, there].toSorted((a, b) => a - b)).to.deep.equal([200, 409]);
    }
    await Promise.all(held.map((quote, index) => settled(quote, index)));
    const inputs = (await fillsOf(held)).map(({ input }) => input);
    for (const quote of held) {
      expect(inputs.filter((input) => input.endsWith(orderIdOf(quote)))).to.have.length(1);
    }
    await network.fills.releaseAll();
  });

  it("have their own admin keys, but accept each other's tokens and decrypt each other's webhooks", async () => {
    expect(otherKey)
      .to.match(/^[0-9a-f]{64}$/u)
      .and.not.equal(network.adminKey);
    const webhook = { apiKey: network.apiKey, url: "http://127.0.0.1:9/hook" };
    const { body: set } = await callAdmin(network, "PUT", "/admin/webhooks", webhook);
    const { keyId } = (set as { webhook: { keyId: string } }).webhook;
    const here = await callAdmin(network, "POST", `/admin/webhooks/${keyId}/test`);
    const there = await callAdmin({ url: otherUrl, adminKey: otherKey }, "POST", `/admin/webhooks/${keyId}/test`);
    expect([there, JSON.stringify(there).includes("encrypted")]).to.deep.equal([here, false]);
    await callAdmin(network, "DELETE", `/admin/webhooks/${keyId}`);

    const minted = await post(network, "/access-tokens", {}, { "x-api-key": network.apiKey });
    const { token } = minted.body as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${otherUrl}/requests/v3`, { headers })).status).to.equal(200);
    expect(
      (await fetch(`${otherUrl}/requests/v3`, { headers: { authorization: `Bearer ${token}x` } })).status,
    ).to.equal(401);
  });

  const keyOf = (url: string): string => (url === otherUrl ? otherKey : network.adminKey);

  /** Requests quotes from both services in turn. */
  function takeQuotes(count = COUNT): Promise<Quote[]> {
    return Promise.all(
      Array.from({ length: count }, (_, index) =>
        getQuote(createServiceClient({ baseUrl: index % 2 === 0 ? network.url : otherUrl, limits: false }), {
          user: localAccounts.user.address,
          originChainId: ORIGIN_ID,
          destinationChainId: DESTINATION_ID,
          originCurrency: zeroAddress,
          destinationCurrency: network.chains[1].contracts.dollar,
          tradeType: "EXACT_INPUT",
          amount: (parseEther("0.01") + BigInt(index)).toString(),
        }),
      ),
    );
  }

  async function depositAll(all: readonly Quote[]): Promise<void> {
    const wallet = createWalletClient({
      account: localAccounts.user,
      chain: describeChain(ORIGIN_ID, urls[0]),
      transport: http(urls[0]),
    });
    for (const quote of all) {
      const { to, data, value } = parseData(TransactionDataSchema, quote.steps[0]?.items[0]?.data, "the deposit");
      await sendTransaction(wallet, { to: to as Address, data: data as Hex, value: BigInt(value ?? 0) });
    }
  }

  /** Waits until a request ends on the service that did not quote it. */
  function settled(quote: Quote, index: number): Promise<unknown> {
    return watchRequest(createServiceClient({ baseUrl: index % 2 === 0 ? otherUrl : network.url, limits: false }), {
      requestId: requestIdOf(quote),
      pollIntervalMs: 100,
      timeoutMs: 600_000,
    });
  }

  async function statusesAt(baseUrl: string): Promise<string[]> {
    const client = createServiceClient({ baseUrl });
    const answers = await Promise.all(quotes.map((quote) => getStatus(client, { requestId: requestIdOf(quote) })));
    return answers.map(({ status }) => status);
  }

  /** Returns the transactions that the services' wallet sent for the orders. */
  async function fillsOf(all: readonly Quote[]) {
    const client = chainClient(DESTINATION_ID, urls[1]);
    const orderIds = all.map(orderIdOf);
    const latest = await client.getBlockNumber();
    const blocks = await Promise.all(
      Array.from({ length: Number(latest) + 1 }, (_, number) =>
        client.getBlock({ blockNumber: BigInt(number), includeTransactions: true }),
      ),
    );
    return blocks
      .flatMap(({ transactions }) => transactions)
      .filter(({ input }) => orderIds.some((orderId) => input.endsWith(orderId)));
  }
});

function orderIdOf(quote: Quote): string {
  return quote.protocol?.v2.orderId.slice(2) ?? "missing";
}

function requestIdOf(quote: Quote): string {
  return quote.steps[0]?.requestId ?? "missing";
}
