import { expect } from "chai";
import { type Address, encodeFunctionData, getAddress } from "viem";

import { destinationProxyAbi } from "../../../../../packages/protocol/src/abi/destinationProxy.generated.ts";
import { listProxies } from "../../../../../packages/crosscall/src/replay/effects/effects.ts";
import { failingReport } from "../report/fixtures.ts";
import { frameOf } from "../trace/frames.ts";

const PROXY: Address = getAddress("0x7000000000000000000000000000000000000007");
const OTHER: Address = getAddress("0x8000000000000000000000000000000000000008");

describe("listProxies", () => {
  const plan = failingReport().plan;
  const execute = {
    to: PROXY,
    data: encodeFunctionData({ abi: destinationProxyAbi, functionName: "execute", args: [OTHER, 1n, 1n, 1n] }),
    value: 0n,
    allowFailure: false,
  };

  it("finds a proxy in the plan even if its call fails", () => {
    const root = frameOf({ error: "reverted" });
    expect(listProxies(root, { ...plan, calls: [...plan.calls, execute] }, [OTHER])).to.deep.equal([OTHER, PROXY]);
    expect(listProxies(root, plan, [])).to.deep.equal([]);
  });

  it("finds a proxy that another contract calls, and lists each proxy once", () => {
    const inner = frameOf({ to: PROXY, input: execute.data });
    const root = frameOf({ to: OTHER, input: "0x12345678", calls: [inner] });
    expect(listProxies(root, { ...plan, calls: [execute] }, [])).to.deep.equal([PROXY]);
    expect(listProxies(root, { ...plan, calls: [] }, [])).to.deep.equal([PROXY]);
  });
});
