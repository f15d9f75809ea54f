import { expect } from "chai";
import { maxUint256, type Address } from "viem";

import type { Call } from "../../../../src/protocol/call.ts";
import { OTHER_TOKEN, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";
import { approve, call, check, CONTRACTS, found, POOL, sweep, VAULT } from "./fixtures.ts";

const swapStruct = "(address,address,uint24,address,uint256,uint256,uint256,uint160)";
const marketStruct = "(address,address,address,address,uint256)";

/** A call by the receiver that it credits, or a call that can only credit its caller. */
const CREDITING: Record<string, ((receiver: Address) => Call) | Call> = {
  "ERC-4626 deposit": (receiver) => call(POOL, "deposit(uint256, address)", [100n, receiver]),
  "ERC-4626 mint": (receiver) => call(POOL, "mint(uint256, address)", [100n, receiver]),
  "Aave supply": (receiver) => call(POOL, "supply(address, uint256, address, uint16)", [TOKEN, 100n, receiver, 0]),
  "Compound supply": call(POOL, "supply(address, uint256)", [TOKEN, 100n]),
  "Compound supplyTo": (receiver) => call(POOL, "supplyTo(address, address, uint256)", [receiver, TOKEN, 100n]),
  "Morpho supply": (receiver) =>
    call(POOL, `supply(${marketStruct} market, uint256 assets, uint256 shares, address onBehalf, bytes data)`, [
      [TOKEN, OTHER_TOKEN, VAULT, VAULT, 1n],
      100n,
      0n,
      receiver,
      "0x",
    ]),
  "a Curve exchange": call(POOL, "exchange(int128, int128, uint256, uint256)", [0n, 1n, 100n, 1n]),
  "a Curve exchange with a receiver": (receiver) =>
    call(POOL, "exchange(int128, int128, uint256, uint256, address)", [0n, 1n, 100n, 1n, receiver]),
  "a Uniswap v2 swap": (receiver) =>
    call(POOL, "swapExactTokensForTokens(uint256, uint256, address[], address, uint256)", [
      100n,
      1n,
      [TOKEN, OTHER_TOKEN],
      receiver,
      maxUint256,
    ]),
  "a Uniswap v3 swap": (receiver) =>
    call(POOL, `exactInputSingle(${swapStruct} params)`, [
      [TOKEN, OTHER_TOKEN, 500, receiver, maxUint256, 100n, 1n, 0n],
    ]),
  "a Uniswap v3 swap over a path": (receiver) =>
    call(POOL, "exactInput((bytes, address, uint256, uint256) params)", [
      [`${TOKEN}0001f4${OTHER_TOKEN.slice(2)}`, receiver, 100n, 1n],
    ]),
  "Lido's submit": call(POOL, "submit(address)", [RECIPIENT]),
  "wrapping native": call(POOL, "deposit()"),
  "an NFT mint": call(POOL, "mint(uint256)", [1n]),
  "an NFT mint to somebody": (receiver) => call(POOL, "mint(address, uint256)", [receiver, 1n]),
};

const around = (crediting: Call, ...rest: Call[]) =>
  check([approve(TOKEN, POOL, 100n), crediting, approve(TOKEN, POOL, 0n), ...rest, sweep(TOKEN)], {
    contracts: { ...CONTRACTS, trusted: [POOL] },
  });

describe("checkCalls: who is credited", () => {
  for (const [name, crediting] of Object.entries(CREDITING)) {
    it(`${name}: not the router`, () => {
      const toRouter = typeof crediting === "function" ? crediting(ROUTER) : crediting;
      expect(found(around(toRouter))).to.deep.equal([["CREDITS_ROUTER", 1]]);
      if (typeof crediting === "function") expect(found(around(crediting(RECIPIENT)))).to.deep.equal([]);
    });
  }

  for (const [name, token] of [
    ["ERC-4626 deposit", POOL],
    ["Compound supply", POOL],
    ["Lido's submit", POOL],
    ["wrapping native", POOL],
    ["a Uniswap v2 swap", OTHER_TOKEN],
    ["a Uniswap v3 swap", OTHER_TOKEN],
    ["a Uniswap v3 swap over a path", OTHER_TOKEN],
    ["a Curve exchange", OTHER_TOKEN],
  ] as const) {
    it(`${name}: or it is swept`, () => {
      const crediting = CREDITING[name];
      const toRouter = typeof crediting === "function" ? crediting(ROUTER) : crediting!;
      expect(found(around(toRouter, sweep(token)))).to.deep.equal([]);
    });
  }

  it("an NFT is swept by nothing", () => {
    expect(found(around(CREDITING["an NFT mint"] as Call, sweep(OTHER_TOKEN)))).to.deep.equal([["CREDITS_ROUTER", 1]]);
  });

  it("a swap whose caller is written as a placeholder credits the router", () => {
    const swap = CREDITING["a Uniswap v3 swap over a path"] as (receiver: Address) => Call;
    expect(found(around(swap("0x0000000000000000000000000000000000000001")))).to.deep.equal([["CREDITS_ROUTER", 1]]);
  });
});
