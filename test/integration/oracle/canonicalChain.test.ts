import { expect } from "chai";
import type { Hex } from "viem";

import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { LyingRpc } from "../support/lyingRpc.ts";
import { CHAIN } from "../support/oracleNetwork.ts";
import { rpcFailures } from "./support/familyOracle.ts";
import { DEPOSITS, oracleSuite } from "./support/oracleSuite.ts";

const OTHER: Hex = `0x${"0b".repeat(32)}`;

interface Receipt {
  readonly blockNumber: Hex;
  readonly logs: readonly { readonly logIndex: Hex }[];
}

describe("an oracle's reads from an EVM chain", () => {
  const suite = oracleSuite();
  let endpoint: LyingRpc;
  let transactionId: Hex;

  before(async () => {
    endpoint = await LyingRpc.start(suite.network.rpcUrl);
    transactionId = await suite.deposit(5n);
  });
  afterEach(() => {
    endpoint.lie = undefined;
  });
  after(() => endpoint.close());

  const start = (hubChainId = 31_337) => suite.start({ rpcUrl: endpoint.url, chain: { hubChainId } });
  const attest = (oracle: Oracle, id = transactionId) =>
    suite.attest(DEPOSITS, { chainId: CHAIN, transactionId: id }, oracle);
  const changeReceipt = (change: (receipt: Receipt) => object) => {
    endpoint.lie = (method, result) =>
      method === "eth_getTransactionReceipt" ? { ...(result as Receipt), ...change(result as Receipt) } : result;
  };

  it("reject a receipt whose block is not the block at its height", async () => {
    await using oracle = await start();
    changeReceipt(({ logs }) => ({ blockHash: OTHER, logs: logs.map((log) => ({ ...log, blockHash: OTHER })) }));
    const { status, body } = await attest(oracle);
    expect([status, JSON.stringify(body).includes(OTHER)]).to.deep.equal([400, true]);
    endpoint.lie = undefined;
    expect((await attest(oracle)).status).to.equal(200);
  });

  it("reject logs with duplicate indexes, logs of another transaction or block, and removed logs", async () => {
    await using oracle = await start();
    const [untouched, ...changes]: ((receipt: Receipt) => object)[] = [
      () => ({}),
      ({ logs }) => ({ logs: [...logs, ...logs] }),
      ({ logs }) => ({ logs: logs.map((log) => ({ ...log, transactionHash: OTHER })) }),
      ({ logs }) => ({ logs: logs.map((log) => ({ ...log, blockHash: OTHER })) }),
      ({ logs }) => ({ logs: logs.map((log) => ({ ...log, blockNumber: "0x1" })) }),
      ({ logs }) => ({ logs: logs.map((log) => ({ ...log, removed: true })) }),
      () => ({ transactionHash: OTHER }),
    ];
    for (const change of changes) {
      changeReceipt(change);
      expect((await attest(oracle)).status, change.toString()).to.equal(500);
    }
    changeReceipt(untouched!);
    expect((await attest(oracle)).body.messages).to.have.length(1);
  });

  it("attest nothing if the endpoint serves another chain, and make the oracle unready until it is replaced", async () => {
    await using oracle = await start(8_453);
    const readiness = async () => (await fetch(`${oracle.url}/ready`)).status;
    expect([(await attest(oracle)).status, await readiness()]).to.deep.equal([500, 503]);
    expect((await rpcFailures(oracle)).join()).to.include('failure="wrong-chain"');
    endpoint.lie = (method, result) => (method === "eth_chainId" ? "0x2105" : result);
    expect((await attest(oracle)).status).to.equal(200);
  });

  it("check the chain again after a failure and in each probe", async () => {
    let now = 1_700_000_000_000;
    await using oracle = await suite.start({
      rpcUrl: endpoint.url,
      chain: { hubChainId: 31_337 },
      clock: { now: () => now },
    });
    expect((await attest(oracle)).status).to.equal(200);
    endpoint.fault = "down";
    expect((await attest(oracle, OTHER)).status).to.equal(500);
    endpoint.fault = undefined;
    endpoint.lie = (method, result) => (method === "eth_chainId" ? "0x1" : result);
    expect((await attest(oracle, OTHER)).status).to.equal(500);
    endpoint.lie = undefined;
    expect((await attest(oracle, OTHER)).status).to.equal(400);
    const readiness = async () => {
      now += 10_000;
      return (await fetch(`${oracle.url}/ready`)).status;
    };
    expect(await readiness()).to.equal(200);
    endpoint.lie = (method, result) => (method === "eth_chainId" ? "0x1" : result);
    expect(await readiness()).to.equal(503);
    endpoint.lie = undefined;
    expect(await readiness()).to.equal(200);
  });

  it("accept an endpoint that does not report its chain, because nothing shows that it serves another chain", async () => {
    await using oracle = await start();
    endpoint.lie = (method, result) => (method === "eth_chainId" ? null : result);
    expect((await attest(oracle)).status).to.equal(200);
  });
});
