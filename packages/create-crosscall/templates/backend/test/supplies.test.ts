import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";

import { createServiceClient } from "@crosscall/sdk";
import { type Localnet, localnet } from "crosscall/localnet";
import { createPublicClient, createWalletClient, erc20Abi, http } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";

import { createServer } from "../src/server.ts";
import { openStore, type Store, type Supply } from "../src/store.ts";
import { createSupplies } from "../src/supplies.ts";

const AMOUNT = 25_000_000n;

describe("supplies", () => {
  let network: Localnet;
  let store: Store;
  let backend: Awaited<ReturnType<typeof startBackend>>;
  let recipient: `0x${string}`;

  before(async () => {
    network = await localnet({ protocols: ["aave"] });
    store = openStore(":memory:");
    backend = await startBackend();
  });
  after(async () => {
    await backend.close();
    await network.close();
  });
  beforeEach(() => {
    recipient = privateKeyToAddress(generatePrivateKey());
  });

  it("pays a request, and receives its success in a webhook", async () => {
    const supply = await backend.create("first");
    assert.equal(supply.status, "waiting");
    assert.equal(await backend.outcomeOf("first"), "success");
    // Aave rounds.
    assert.ok((await suppliedTo(recipient)) >= AMOUNT - 2n);
  });

  it("pays a repeated id only once", async () => {
    const [one, two] = await Promise.all([backend.create("twice"), backend.create("twice")]);
    assert.equal(one.requestId, two.requestId);
    assert.equal(await backend.outcomeOf("twice"), "success");
    assert.ok((await suppliedTo(recipient)) < AMOUNT + 2n);
  });

  it("reports a refund", async () => {
    await network.scenarios.set("SLIPPAGE", { next: 1 });
    await backend.create("refunded");
    assert.equal(await backend.outcomeOf("refunded"), "refund");
    assert.equal(await suppliedTo(recipient), 0n);
  });

  it("finishes a paid request after a restart", async () => {
    await network.fills.hold();
    await backend.create("restarted");
    while ((await network.fills.list()).total === 0) await setTimeout(50);
    await backend.close();
    await network.fills.releaseAll();
    backend = await startBackend();
    assert.equal(await backend.outcomeOf("restarted"), "success");
    assert.ok((await suppliedTo(recipient)) < AMOUNT + 2n);
  });

  it("rejects a webhook that the service did not sign", async () => {
    const headers = { "x-signature-timestamp": String(Date.now()), "x-signature-sha256": "00".repeat(32) };
    const response = await fetch(`${backend.url}/webhook`, { method: "POST", headers, body: "{}" });
    assert.equal(response.status, 401);
  });

  /** Starts the same service as src/main.ts, on the local network. */
  async function startBackend() {
    const [origin, destination] = network.chains;
    const { dollar, aavePool, aaveToken } = destination.contracts;
    const supplies = createSupplies({
      client: createServiceClient({ baseUrl: network.url, apiKey: network.apiKey }),
      wallet: createWalletClient({ account: network.accounts.user, transport: http(origin.rpcUrl) }),
      store,
      route: {
        originChainId: origin.id,
        destinationChainId: destination.id,
        asset: dollar,
        pool: aavePool!,
        aToken: aaveToken!,
      },
    });
    const server = createServer({ supplies, apiKey: network.apiKey });
    const url = await server.listen({ host: "127.0.0.1", port: 0 });
    supplies.resume();
    await fetch(`${network.url}/admin/webhooks`, {
      method: "PUT",
      headers: { "x-admin-key": network.adminKey, "content-type": "application/json" },
      body: JSON.stringify({ apiKey: network.apiKey, url: `${url}/webhook` }),
    });
    return {
      url,
      async create(id: string): Promise<Supply> {
        const body = JSON.stringify({ id, amount: String(AMOUNT), recipient });
        const headers = { "content-type": "application/json" };
        const response = await fetch(`${url}/supplies`, { method: "POST", headers, body });
        assert.equal(response.status, 202);
        return (await response.json()) as Supply;
      },
      async outcomeOf(id: string): Promise<string> {
        for (;;) {
          const { status } = (await (await fetch(`${url}/supplies/${id}`)).json()) as Supply;
          if (["success", "refund", "failure"].includes(status)) return status;
          await setTimeout(50);
        }
      },
      async close(): Promise<void> {
        await supplies.close();
        await server.close();
      },
    };
  }

  function suppliedTo(account: `0x${string}`): Promise<bigint> {
    const [, { rpcUrl, contracts }] = network.chains;
    return createPublicClient({ transport: http(rpcUrl) }).readContract({
      address: contracts.aaveToken!,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [account],
    });
  }
});
