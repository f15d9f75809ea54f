import { expect } from "chai";
import { custom } from "viem";

import { chainClient } from "../../../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import {
  createChainTime,
  earliestTime,
  latestTime,
} from "../../../../../packages/crosscall/src/localnet/devchain/chainTime.ts";
import { ChainChanges } from "../../../../../packages/crosscall/src/localnet/devchain/node.ts";

describe("chain time", () => {
  const chainAt = (state: { chain: number; machine: number }, isComplete = true) => {
    let reads = 0;
    const changes = new ChainChanges(isComplete);
    const transport = custom({
      request: () => {
        reads += 1;
        return Promise.resolve({ timestamp: `0x${state.chain.toString(16)}`, transactions: [] });
      },
    });
    const client = chainClient(1, "http://127.0.0.1:1", undefined, transport);
    const time = createChainTime({ client, changes }, { now: () => state.machine * 1_000 });
    return { changes, time, reads: () => reads };
  };

  it("is read once, then advances with the machine's clock", async () => {
    const state = { chain: 500, machine: 100 };
    const { time, reads } = chainAt(state);
    expect(await time()).to.equal(500);
    state.machine = 130;
    expect([await time(), reads()]).to.deep.equal([530, 1]);
  });

  it("follows the timestamp of each new block", async () => {
    const { changes, time, reads } = chainAt({ chain: 500, machine: 100 });
    changes.announce([{ method: "eth_getBlockByNumber", result: { timestamp: "0x2bc" } }]);
    expect([await time(), reads()]).to.deep.equal([700, 0]);
  });

  it("is read again after other changes, and on every use if changes are not announced", async () => {
    const state = { chain: 500, machine: 100 };
    const { changes, time } = chainAt(state);
    await time();
    state.chain = 900;
    changes.announce();
    expect(await time()).to.equal(900);
    const foreign = chainAt(state, false);
    await foreign.time();
    await foreign.time();
    expect(foreign.reads()).to.equal(2);
  });

  it("determines a deadline if the chain's time is ahead of the service's clock", async () => {
    const { time } = chainAt({ chain: 500, machine: 100 });
    const at = (seconds: number) => latestTime({ now: () => seconds * 1_000 }, [{ time }]);
    expect([await at(100), await at(600)]).to.deep.equal([500, 600]);
  });

  it("is the earliest time of all chains, or zero if a chain does not respond", async () => {
    const [first, second] = [chainAt({ chain: 500, machine: 100 }), chainAt({ chain: 400, machine: 100 })];
    expect(await earliestTime([first, second])).to.equal(400);
    expect(await earliestTime([first, { time: () => Promise.reject(new Error("down")) }])).to.equal(0);
  });
});
