import { expect } from "chai";
import { InvalidArgumentError } from "commander";

import {
  parseChain,
  parseFinality,
  parseLiveChains,
  parseToken,
  toChainOptions,
} from "../../../../packages/crosscall/src/options/chains.ts";

describe("--chain", () => {
  it("parses a new chain, a node or a fork", () => {
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

  it("is rejected if the value is not a chain option", () => {
    for (const text of ["", "one", "1=", "=http://a"]) expect(() => parseChain(text)).to.throw(InvalidArgumentError);
  });
});

describe("--chains", () => {
  it("accepts live chains by name or id", () => {
    expect(parseLiveChains("base, 42161,bsc")).to.deep.equal([{ id: 8_453 }, { id: 42_161 }, { id: 56 }]);
  });

  it("is rejected if a chain is unknown", () => {
    for (const text of ["", "base,", "basechain", "Base"]) {
      expect(() => parseLiveChains(text)).to.throw(InvalidArgumentError);
    }
  });
});

describe("--token", () => {
  const address = "0x940181a94A35A4569E4529A3CDfB74e38FD98631";

  it("accepts a token at an address, with a price if its symbol is unknown", () => {
    const token = { chainId: 8_453, address, symbol: "AERO", decimals: 18 };
    expect(parseToken(`8453:${address}=AERO:18`)).to.deep.equal(token);
    expect(parseToken(`8453:${address}=AERO:18:1.25`)).to.deep.equal({ ...token, priceUsd: 1.25 });
  });

  it("is rejected in any other form", () => {
    for (const text of [
      "",
      address,
      `${address}=AERO:18`,
      `8453:${address}=AERO`,
      `8453:0x12=A:1`,
      `1:${address}=A:1:x`,
    ]) {
      expect(() => parseToken(text)).to.throw(InvalidArgumentError);
    }
  });
});

describe("--finality", () => {
  it("accepts blocks, seconds or both", () => {
    expect(parseFinality("10")).to.deep.equal({ blocks: 10 });
    expect(parseFinality("0s")).to.deep.equal({ seconds: 0 });
    expect(parseFinality("10,60s")).to.deep.equal({ blocks: 10, seconds: 60 });
  });

  it("is rejected in any other form", () => {
    for (const text of ["", "s", ",60s", "10,", "60s,10", "-1", "1.5s"]) {
      expect(() => parseFinality(text)).to.throw(InvalidArgumentError);
    }
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

  it("applies the hardfork, block time, gas price and finality to chains in this process", () => {
    const chains = [{ id: 1 }, { id: 2, rpcUrl: "http://127.0.0.1:8545" }];
    expect(
      toChainOptions(chains, { hardfork: "osaka", blockTime: 50, gasPrice: 0.1, finality: { blocks: 2 } }),
    ).to.deep.equal([
      { id: 1, hardfork: "osaka", blockTimeMs: 50, gasPriceGwei: 0.1, finality: { blocks: 2 } },
      chains[1],
    ]);
  });
});
