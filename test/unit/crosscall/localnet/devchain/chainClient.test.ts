import { expect } from "chai";
import { custom } from "viem";

import { chainClient } from "../../../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { ChainChanges } from "../../../../../packages/crosscall/src/localnet/devchain/node.ts";

const URL = "http://localhost:1";

function countingClient(changes: ChainChanges) {
  const calls: string[] = [];
  let fails = false;
  const transport = custom(
    {
      request({ method }: { readonly method: string }) {
        calls.push(method);
        return fails ? Promise.reject(new Error("down")) : Promise.resolve("0x1");
      },
    },
    { retryCount: 0 },
  );
  const client = chainClient(1, URL, undefined, transport, changes);
  return {
    client,
    calls,
    setFails: (value: boolean): void => {
      fails = value;
    },
  };
}

describe("chainClient", () => {
  it("requests fees once per change if every change is announced", async () => {
    const changes = new ChainChanges(true);
    const { client, calls } = countingClient(changes);
    await Promise.all([client.getGasPrice(), client.getGasPrice()]);
    expect(await client.getGasPrice()).to.equal(1n);
    expect(calls).to.deep.equal(["eth_gasPrice"]);
    changes.announce();
    await client.getGasPrice();
    expect(calls).to.deep.equal(["eth_gasPrice", "eth_gasPrice"]);
  });

  it("uses the responses included in an announcement", async () => {
    const changes = new ChainChanges(true);
    const { client, calls } = countingClient(changes);
    changes.announce([{ method: "eth_gasPrice", result: "0x2" }]);
    expect(await client.getGasPrice()).to.equal(2n);
    expect(calls).to.deep.equal([]);
  });

  it("does not cache a failed call", async () => {
    const { client, calls, setFails } = countingClient(new ChainChanges(true));
    setFails(true);
    await client.getGasPrice().catch(() => undefined);
    setFails(false);
    expect(await client.getGasPrice()).to.equal(1n);
    expect(calls).to.deep.equal(["eth_gasPrice", "eth_gasPrice"]);
  });

  it("does not cache other methods or other chains", async () => {
    const own = countingClient(new ChainChanges(true));
    await own.client.getBalance({ address: "0x0000000000000000000000000000000000000001" });
    await own.client.getBalance({ address: "0x0000000000000000000000000000000000000001" });
    expect(own.calls).to.deep.equal(["eth_getBalance", "eth_getBalance"]);
    const other = countingClient(new ChainChanges(false));
    await other.client.getGasPrice();
    await other.client.getGasPrice();
    expect(other.calls).to.deep.equal(["eth_gasPrice", "eth_gasPrice"]);
  });
});
