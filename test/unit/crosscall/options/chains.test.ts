import { expect } from "chai";
import { InvalidArgumentError } from "commander";

import { parseChain, toChainOptions } from "../../../../packages/crosscall/src/options/chains.ts";

describe("--chain", () => {
  it("is a new chain, a node or a fork", () => {
    expect(parseChain("31337")).to.deep.equal({ id: 31_337 });
    expect(parseChain("7=http://127.0.0.1:8545/?key=a=b")).to.deep.equal({
      id: 7,
      rpcUrl: "http://127.0.0.1:8545/?key=a=b",
    });
    expect(parseChain("10=fork:https://me@rpc.example/v1@12345")).to.deep.equal({
      id: 10,
      forkUrl: "https://me@rpc.example/v1",
      forkBlock: 12_345,
    });
    expect(parseChain("10=fork:https://rpc.example")).to.deep.equal({ id: 10, forkUrl: "https://rpc.example" });
  });

  it("is rejected if it is not a chain option", () => {
    for (const text of ["", "one", "1=", "=http://a"]) expect(() => parseChain(text)).to.throw(InvalidArgumentError);
  });
});

describe("toChainOptions", () => {
  it("applies the behavior to every chain, including the default chains", () => {
    expect(toChainOptions(undefined, {})).to.equal(undefined);
    expect(toChainOptions([{ id: 1 }], {})).to.deep.equal([{ id: 1 }]);
    expect(toChainOptions(undefined, { latency: 5 })).to.deep.equal([
      { id: 31_337, latencyMs: 5 },
      { id: 31_338, latencyMs: 5 },
    ]);
    expect(toChainOptions([{ id: 1 }], { miningInterval: 20 })).to.deep.equal([{ id: 1, miningIntervalMs: 20 }]);
  });

  it("applies the hardfork to the chains of this process", () => {
    const chains = [{ id: 1 }, { id: 2, rpcUrl: "http://127.0.0.1:8545" }];
    expect(toChainOptions(chains, { hardfork: "osaka" })).to.deep.equal([{ id: 1, hardfork: "osaka" }, chains[1]]);
  });
});
