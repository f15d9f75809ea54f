import { request as httpRequest } from "node:http";

import { expect } from "chai";
import pg from "pg";

import { createServiceClient } from "../../packages/sdk/src/index.ts";
import {
  LOCAL_API_KEY,
  localnet,
  type Localnet,
  type LocalnetOptions,
} from "../../packages/crosscall/src/localnet/index.ts";
import { SVM_CHAIN_ID } from "../../packages/protocol/src/chains/chainIds.ts";
import { OTHER_ADDRESS } from "../support/otherAddress.ts";
import { getStatus } from "../support/complete.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { callAdmin } from "./support/adminCalls.ts";
import { failureOf } from "./support/failureOf.ts";
import { startAnvil, stopPrograms } from "./support/processes.ts";
import { depositNative, orderIdOf, quoteEther, requestIdOf } from "./support/requests.ts";
import { startReceiver } from "./support/webhookReceiver.ts";

describe("several services and a worker in one network", () => {
  let options: LocalnetOptions;
  let first: Localnet;
  let second: Localnet;
  const opened: Localnet[] = [];

  const start = async (more: LocalnetOptions): Promise<Localnet> => {
    const network = await localnet({ ...options, ...more });
    opened.push(network);
    return network;
  };

  before(async () => {
    const nodes = await Promise.all([startAnvil(31_337), startAnvil(31_338)]);
    options = {
      chains: nodes.map(({ ready }, index) => ({ id: 31_337 + index, rpcUrl: ready })),
      databaseUrl: await newPostgresDatabase(),
      // Webhooks are sent only for requests with a key.
      defaultApiKey: LOCAL_API_KEY,
      oracle: false,
    };
    // The services start concurrently, although the first one deploys the contracts.
    [first, second] = await Promise.all([
      start({ role: "service" }),
      start({ role: "service", listen: "0.0.0.0", hosts: ["service.internal"] }),
    ]);
  });
  after(async () => {
    await Promise.all(opened.map((network) => network.close()));
    await stopPrograms();
  });

  it("return quotes without a worker, and fill them and deliver webhooks once a worker starts", async () => {
    const receiver = await startReceiver(first.apiKey, Date.now);
    try {
      await callAdmin(first, "PUT", "/admin/webhooks", { apiKey: first.apiKey, url: receiver.url });
      const quote = await quoteEther(first);
      await depositNative(first, { id: orderIdOf(quote) });
      const requestId = requestIdOf(quote);
      const statusAt = async ({ url }: Localnet) =>
        (await getStatus(createServiceClient({ baseUrl: url }), { requestId })).status;
      // No process scans the chain.
      const { blockNumber } = await first.chains[0].state();
      expect(await unscannedBlocks(second)).to.equal(blockNumber);
      expect([await statusAt(first), await statusAt(second)]).to.deep.equal(["waiting", "waiting"]);
      expect(receiver.calls).to.deep.equal([]);

      const worker = await start({ role: "worker" });
      await until(async () => (await statusAt(second)) === "success");
      await receiver.until(() => receiver.events.some(({ data }) => data.status === "success"));
      expect(await statusAt(first)).to.equal("success");
      await worker.close();
      expect((await fetch(`${first.url}/ready`)).status).to.equal(200);
    } finally {
      await receiver.close();
    }
  });

  it("serve health checks but no console from the worker, even on another address", async () => {
    const worker = await start({ role: "worker", adminKey: "admin", listen: OTHER_ADDRESS });
    expect(new URL(worker.url).hostname).to.equal(OTHER_ADDRESS);
    const statusOf = async (path: string): Promise<number> => {
      const response = await fetch(`${worker.url}${path}`, { headers: { "x-admin-key": "admin" } });
      await response.arrayBuffer();
      return response.status;
    };
    for (const path of ["/lives", "/ready", "/metrics"])
      expect([path, await statusOf(path)]).to.deep.equal([path, 200]);
    for (const path of ["/chains", "/requests/v3", "/intents/status/v3", "/admin/keys", "/console", "/ws"]) {
      expect([path, await statusOf(path)]).to.deep.equal([path, 404]);
    }
    expect(() => worker.createSignInUrl())
      .to.throw()
      .with.property("code", "INVALID_STATE");
    expect(worker.oracle).to.equal(undefined);
    await worker.close();
  });

  it("are reachable at another address only if they listen on it, and only under an allowed name", async () => {
    const statusAt = (network: Localnet, host: string): Promise<number | string | undefined> =>
      new Promise((resolve) => {
        const target = { host: OTHER_ADDRESS, port: new URL(network.url).port, path: "/lives", headers: { host } };
        httpRequest(target, (response) => resolve(response.resume().statusCode))
          .once("error", (error: NodeJS.ErrnoException) => resolve(error.code))
          .end();
      });
    expect(await statusAt(first, "127.0.0.1")).to.equal("ECONNREFUSED");
    expect(await statusAt(second, "service.internal")).to.equal(200);
    expect(await statusAt(second, OTHER_ADDRESS)).to.equal(403);
    expect(new URL(second.url).hostname).to.equal("127.0.0.1");
    // Proxies of external nodes listen on loopback only.
    const { port } = new URL(second.chains[0].rpcUrl);
    expect(await statusAt({ ...second, url: `http://127.0.0.1:${port}` }, "service.internal")).to.equal("ECONNREFUSED");
  });

  it("send Solana payments only from workers that run Solana, once one process runs it", async () => {
    const early = await start({ role: "worker" });
    const service = await start({ role: "service", svm: true });
    const destination = { destinationChainId: SVM_CHAIN_ID, destinationCurrency: "1".repeat(32) };
    const recipient = "3RwGxXWHVgBnxiknic4qxHDwDnyGYNPiyDrCcsQN75GV";
    const quote = await quoteEther(service, { ...destination, recipient });
    await depositNative(service, { id: orderIdOf(quote) });
    const client = createServiceClient({ baseUrl: service.url });
    const status = () => getStatus(client, { requestId: requestIdOf(quote) });
    const database = new pg.Client({ connectionString: options.databaseUrl });
    await database.connect();
    // The early worker must not invent the payment.
    await until(async () => {
      const { rows } = await database.query(
        "select 1 from crosscall_jobs.job where retry_count > 0 or state = 'retry'",
      );
      return rows.length > 0 || (await status()).status === "success";
    });
    await database.end();
    await early.close();
    await start({ role: "worker", svm: true });
    const { txHashes = [] } = await until(async () => {
      const found = await status();
      return found.status === "success" && found;
    });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getTransaction", params: txHashes });
    const response = await fetch(service.svm?.rpcUrl ?? "", { method: "POST", body });
    expect(await response.json()).to.have.nested.property("result.meta.err", null);

    for (const role of ["service", "worker", undefined] as const) {
      const error = await failureOf(start(role === undefined ? {} : { role }));
      expect(error).to.have.property("code", "INVALID_STATE");
      expect(error).to.have.property("hint").that.contains("--svm");
    }
  });
});

async function unscannedBlocks({ url }: Localnet): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^crosscall_chain_scan_lag_blocks\{chain="31337"\} (?<lag>\d+)$/mu.exec(metrics)?.groups?.lag);
}
