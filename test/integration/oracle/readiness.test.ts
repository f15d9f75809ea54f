import { expect } from "chai";

import type { ChainConfig } from "../../../packages/oracle/src/chainFiles.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { CHAIN, ORACLE_KEY, startTestOracle } from "../support/oracleNetwork.ts";
import {
  jsonRpc,
  type RecordedResponse,
  type RecordedCall,
  type RecordedServer,
  startRecordedServer,
} from "./support/recordedServer.ts";

const contracts = { depository: "0x4cd00e387622c35bddb9b4c962c136462338bc31" } as const;
const BLOCK = { hash: `0x${"1".repeat(64)}`, number: "0x64", timestamp: "0x64" };
const evmNode = jsonRpc((method) => (method === "eth_getBlockByNumber" ? BLOCK : null));
const UNREACHABLE = "http://127.0.0.1:1";

describe("the oracle's readiness check", () => {
  let node: RecordedServer;
  let other: RecordedServer;
  beforeEach(async () => {
    node = await startRecordedServer(evmNode);
    other = await startRecordedServer(evmNode);
  });
  afterEach(() => {
    node.close();
    other.close();
  });

  const ready = async (oracle: Oracle): Promise<[status: number, body: unknown]> => {
    const response = await fetch(`${oracle.url}/ready`);
    return [response.status, await response.json()];
  };
  const metric = async (oracle: Oracle, name: string): Promise<string[]> => {
    const text = await (await fetch(`${oracle.url}/metrics`)).text();
    return text.split("\n").filter((line) => line.startsWith(name));
  };

  it("is ready while the chains and the hub respond, and names missing settings of disabled chains", async () => {
    const disabledChains = { base: ["BASE_RPC_URL"] };
    await using oracle = await startTestOracle({ rpcUrl: node.url, contracts }, { disabledChains });
    expect(await metric(oracle, "oracle_ready ")).to.deep.equal([]);
    expect(await ready(oracle)).to.deep.equal([
      200,
      {
        status: "ready",
        chains: { [CHAIN]: "ok", base: "disabled" },
        missing: { base: ["BASE_RPC_URL"] },
        hub: "ok",
      },
    ]);
    expect(await metric(oracle, "oracle_ready ")).to.deep.equal(["oracle_ready 1"]);
    expect(await metric(oracle, "oracle_chain_ready{")).to.deep.equal([`oracle_chain_ready{chain="${CHAIN}"} 1`]);
  });

  it("names a chain that does not respond while the process is alive", async () => {
    await using oracle = await startTestOracle({ rpcUrl: node.url, contracts }, { rpcUrl: UNREACHABLE });
    expect(await ready(oracle)).to.deep.equal([
      503,
      { status: "unready", chains: { [CHAIN]: "unreachable" }, hub: "ok" },
    ]);
    expect((await fetch(`${oracle.url}/lives/v1`)).status).to.equal(200);
    expect(await metric(oracle, "oracle_ready ")).to.deep.equal(["oracle_ready 0"]);
    expect(await metric(oracle, "oracle_chain_ready{")).to.deep.equal([`oracle_chain_ready{chain="${CHAIN}"} 0`]);
  });

  it("names the hub and its allocator's chain", async () => {
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

  it("does not wait for a hanging chain, and sends it no second request", async () => {
    other.answer(() => "hang");
    let now = 0;
    const clock = { now: () => now };
    await using oracle = await startTestOracle({ rpcUrl: node.url, contracts }, { rpcUrl: other.url, clock });
    expect((await ready(oracle))[0]).to.equal(503);
    now += 60_000;
    expect((await ready(oracle))[0]).to.equal(503);
    expect(other.calls).to.have.length(1);
    // Ends the pending request.
    other.close();
  });

  it("sends one request to the chain every few seconds, regardless of the number of readiness requests", async () => {
    let now = 0;
    const clock = { now: () => now };
    await using oracle = await startTestOracle({ rpcUrl: node.url, contracts }, { rpcUrl: other.url, clock });
    await Promise.all(Array.from({ length: 50 }, () => ready(oracle)));
    expect(other.calls).to.have.length(1);
    other.answer(() => ({ status: 500, body: "" }));
    expect((await ready(oracle))[0]).to.equal(200);
    now += 5_000;
    expect((await ready(oracle))[0]).to.equal(503);
    other.answer();
    now += 5_000;
    expect((await ready(oracle))[0]).to.equal(200);
    expect(other.calls).to.have.length(3);
  });

  it("needs no key, and does not count toward the rate limit", async () => {
    const settings = { apiKeys: [{ key: "the-key", label: "a" }], rateLimit: { max: 1, windowMs: 60_000 } };
    await using oracle = await startTestOracle({ rpcUrl: node.url, contracts }, { settings });
    const answers = [await ready(oracle), await ready(oracle), await ready(oracle)];
    expect(answers.map(([status]) => status)).to.deep.equal([200, 200, 200]);
    expect(JSON.stringify(answers)).to.not.include(ORACLE_KEY);
    const others = [await fetch(`${oracle.url}/readyx`), await fetch(`${oracle.url}/readyx`)];
    expect(others.map(({ status }) => status)).to.deep.equal([401, 429]);
  });

  const families: [
    vmType: ChainConfig["vmType"],
    depository: string,
    answer: (call: RecordedCall) => RecordedResponse,
  ][] = [
    ["tron-vm", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", evmNode],
    ["solana-vm", "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2", jsonRpc(() => 5)],
    ["bitcoin-vm", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", jsonRpc(() => 5)],
    ["lighter-vm", "7", () => ({ body: { accounts: [{ index: 7, l1_address: contracts.depository }] } })],
    ["hyperliquid-vm", contracts.depository, () => ({ body: { tokens: [] } })],
  ];
  for (const [vmType, depository, answer] of families) {
    it(`probes chains of type ${vmType}`, async () => {
      other.answer(answer);
      let now = 0;
      const clock = { now: () => now };
      const chain = { vmType, depository, httpRpcUrl: other.url };
      await using oracle = await startTestOracle({ rpcUrl: node.url, contracts }, { chain, clock });
      expect((await ready(oracle))[0]).to.equal(200);
      expect(other.calls).to.have.length(1);
      other.answer(() => "hang up");
      now += 5_000;
      expect((await ready(oracle))[1]).to.deep.include({ chains: { [CHAIN]: "unreachable" } });
    });
  }
});
