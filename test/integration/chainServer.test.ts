import { expect } from "chai";
import { createPublicClient, type Hex, parseGwei, webSocket } from "viem";

import { localAccounts } from "../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { startEdrChain } from "../../packages/crosscall/src/localnet/devchain/edr.ts";
import type { ChainNode } from "../../packages/crosscall/src/localnet/devchain/node.ts";

const USER = localAccounts.user.address;
const STRANGER = localAccounts.stranger.address;
const REVERTING = "0xc0de000000000000000000000000000000000001";

/** Reverts with four bytes: mstore(0, 0xdeadbeef), revert(28, 4). */
const REVERT: Hex = "0x63deadbeef6000526004601cfd";

describe("the JSON-RPC server of a chain in this process", () => {
  let chain: ChainNode;
  before(async () => {
    chain = await startEdrChain(31_337, { gasPrice: parseGwei("2") });
    await chain.request("hardhat_setCode", [REVERTING, REVERT]);
  });
  after(() => chain.close());

  const post = async (body: string): Promise<unknown> => {
    const response = await fetch(chain.rpcUrl, { method: "POST", body });
    expect([response.status, response.headers.get("access-control-allow-origin")]).to.deep.equal([200, "*"]);
    return response.json();
  };
  const call = async (method: string, ...params: readonly unknown[]): Promise<Record<string, unknown>> =>
    (await post(JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }))) as Record<string, unknown>;

  it("returns what a reverted call returned, as other nodes do", async () => {
    for (const method of ["eth_call", "eth_estimateGas", "eth_sendTransaction"]) {
      const { error } = await call(method, { to: REVERTING });
      expect(error, method).to.include({ code: 3, data: "0xdeadbeef" });
    }
  });

  it("responds to each call of a batch, and rejects values that are not calls", async () => {
    const read = { jsonrpc: "2.0", id: "a", method: "eth_chainId" };
    const responses = (await post(JSON.stringify([read, { ...read, params: {} }, 5]))) as Record<
      string,
      { code?: number }
    >[];
    expect(responses[0]).to.deep.equal({ jsonrpc: "2.0", id: "a", result: "0x7a69" });
    expect(responses.slice(1).map(({ id, error }) => [id, error?.code])).to.deep.equal([
      [null, -32_600],
      [null, -32_600],
    ]);
    expect(await post("{")).to.have.nested.property("error.code", -32_700);
    expect(await call("eth_unknown")).to.have.nested.property("error.code", -32_004);
  });

  it("completes the transactions of its accounts with an estimate of the gas and with the chain's price", async () => {
    const { result } = await call("eth_sendTransaction", { to: STRANGER, value: "0x1" });
    const { result: sent } = await call("eth_getTransactionByHash", result);
    const { from, gas, maxPriorityFeePerGas } = sent as Record<string, Hex>;
    expect([from, Number(gas), maxPriorityFeePerGas && BigInt(maxPriorityFeePerGas)]).to.deep.equal([
      USER.toLowerCase(),
      21_001,
      parseGwei("0.2"),
    ]);
  });

  it("notifies each websocket of its own subscriptions", async () => {
    const url = chain.rpcUrl.replace("http", "ws");
    const watching = createPublicClient({ transport: webSocket(url) });
    const other = createPublicClient({ transport: webSocket(url) });
    const seen: bigint[] = [];
    const two = Promise.withResolvers<undefined>();
    const { unsubscribe } = await watching.transport.subscribe({
      params: ["newHeads"],
      onData({ result }) {
        if (seen.push(BigInt((result as { readonly number: Hex }).number)) === 2) two.resolve(undefined);
      },
    });
    const before = await other.getBlockNumber();
    await chain.request("evm_mine");
    await chain.request("evm_mine");
    await two.promise;
    expect(seen).to.deep.equal([before + 1n, before + 2n]);
    await unsubscribe();
    for (const client of [watching, other]) (await client.transport.getRpcClient()).close();
  });
});
