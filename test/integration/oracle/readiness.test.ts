import { expect } from "chai";

import type { Oracle } from "../../../src/oracle/startOracle.ts";
import { FakeNode } from "../support/fakeNode.ts";
import { CHAIN, ORACLE_KEY, startTestOracle } from "../support/oracleNetwork.ts";

const contracts = { depository: "0x4cd00e387622c35bddb9b4c962c136462338bc31" } as const;
const UNREACHABLE = "http://127.0.0.1:1";

describe("the readiness of the oracle", () => {
  let node: FakeNode;
  before(async () => {
    node = await FakeNode.start();
  });
  after(() => node.close());

  const ready = async (oracle: Oracle): Promise<[status: number, body: unknown]> => {
    const response = await fetch(`${oracle.url}/ready`);
    return [response.status, await response.json()];
  };
  const metric = async (oracle: Oracle, name: string): Promise<string[]> => {
    const text = await (await fetch(`${oracle.url}/metrics`)).text();
    return text.split("\n").filter((line) => line.startsWith(name));
  };

  it("is ready while chains and hub answer, with disabled chains too", async () => {
    await using oracle = await startTestOracle({ rpcUrl: node.url, contracts }, { disabledChains: ["base"] });
    expect(await metric(oracle, "oracle_ready ")).to.deep.equal([]);
    expect(await ready(oracle)).to.deep.equal([
      200,
      { status: "ready", chains: { [CHAIN]: "ok", base: "disabled" }, hub: "ok" },
    ]);
    expect(await metric(oracle, "oracle_ready ")).to.deep.equal(["oracle_ready 1"]);
    expect(await metric(oracle, "oracle_chain_ready{")).to.deep.equal([`oracle_chain_ready{chain="${CHAIN}"} 1`]);
  });

  it("names the chain that does not answer, while the process is alive", async () => {
    await using oracle = await startTestOracle({ rpcUrl: node.url, contracts }, { rpcUrl: UNREACHABLE });
    expect(await ready(oracle)).to.deep.equal([
      503,
      { status: "unready", chains: { [CHAIN]: "unreachable" }, hub: "ok" },
    ]);
    expect((await fetch(`${oracle.url}/lives/v1`)).status).to.equal(200);
    expect(await metric(oracle, "oracle_ready ")).to.deep.equal(["oracle_ready 0"]);
    expect(await metric(oracle, "oracle_chain_ready{")).to.deep.equal([`oracle_chain_ready{chain="${CHAIN}"} 0`]);
  });

  it("names the hub and the chain of its allocator", async () => {
    const hub = { httpRpcUrl: UNREACHABLE, auroraHttpRpcUrl: UNREACHABLE };
    await using oracle = await startTestOracle({ rpcUrl: node.url, contracts }, { hub });
    expect(await ready(oracle)).to.deep.equal([
      503,
      { status: "unready", chains: { [CHAIN]: "ok" }, hub: "unreachable", allocator: "unreachable" },
    ]);
    expect(await metric(oracle, "oracle_hub_ready{")).to.deep.equal([
      'oracle_hub_ready{part="hub"} 0',
      'oracle_hub_ready{part="allocator"} 0',
    ]);
  });

  it("does not wait for a chain that hangs, and sends it no second request", async () => {
    await using hanging = await FakeNode.start();
    hanging.isHanging = true;
    let now = 0;
    const clock = { now: () => now };
    await using oracle = await startTestOracle({ rpcUrl: node.url, contracts }, { rpcUrl: hanging.url, clock });
    expect((await ready(oracle))[0]).to.equal(503);
    now += 60_000;
    expect((await ready(oracle))[0]).to.equal(503);
    expect(hanging.calls).to.equal(1);
    hanging.release();
  });

  it("asks the chain once in a few seconds, however often it is asked", async () => {
    let now = 0;
    await using counted = await FakeNode.start();
    const clock = { now: () => now };
    await using oracle = await startTestOracle({ rpcUrl: node.url, contracts }, { rpcUrl: counted.url, clock });
    await Promise.all(Array.from({ length: 50 }, () => ready(oracle)));
    expect(counted.calls).to.equal(1);
    counted.isFailing = true;
    expect((await ready(oracle))[0]).to.equal(200);
    now += 5_000;
    expect((await ready(oracle))[0]).to.equal(503);
    counted.isFailing = false;
    now += 5_000;
    expect((await ready(oracle))[0]).to.equal(200);
    expect(counted.calls).to.equal(3);
  });

  it("is open without a key, and not counted by the rate limit", async () => {
    const settings = { apiKeys: [{ key: "the-key", label: "a" }], rateLimit: { max: 1, windowMs: 60_000 } };
    await using oracle = await startTestOracle({ rpcUrl: node.url, contracts }, { settings });
    const answers = [await ready(oracle), await ready(oracle), await ready(oracle)];
    expect(answers.map(([status]) => status)).to.deep.equal([200, 200, 200]);
    expect(JSON.stringify(answers)).to.not.include(ORACLE_KEY);
    const others = [await fetch(`${oracle.url}/readyx`), await fetch(`${oracle.url}/readyx`)];
    expect(others.map(({ status }) => status)).to.deep.equal([401, 429]);
  });
});
