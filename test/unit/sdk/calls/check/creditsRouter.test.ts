import { expect } from "chai";
import { type Address, maxUint256 } from "viem";

import { cleanupErc20s, planCalls } from "../../../../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../../../../packages/protocol/src/common/call.ts";
import { type RouterGeneration, ROUTERS } from "../../../../../packages/protocol/src/generations/routers.ts";
import { refusal } from "../../../../support/rejection.ts";
import { OTHER_TOKEN, PROXY, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";
import {
  approve,
  call,
  check,
  CONTRACTS,
  execute,
  found,
  NATIVE,
  POOL,
  STRANGER,
  supply,
  sweep,
  sweepNative,
  tokenViaCall,
  VAULT,
} from "./fixtures.ts";

const swapStruct = "(address,address,uint24,address,uint256,uint256,uint256,uint160)";
const marketStruct = "(address,address,address,address,uint256)";

/** Call with a receiver that it credits, or call that can credit only its caller. */
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
  "a Curve exchange": call(POOL, "exchange(int128, int128, uint256, uint256)", [0n, 1n, 100n, 90n]),
  "a Curve exchange with a receiver": (receiver) =>
    call(POOL, "exchange(int128, int128, uint256, uint256, address)", [0n, 1n, 100n, 90n, receiver]),
  "a Uniswap v2 swap": (receiver) =>
    call(POOL, "swapExactTokensForTokens(uint256, uint256, address[], address, uint256)", [
      100n,
      90n,
      [TOKEN, OTHER_TOKEN],
      receiver,
      maxUint256,
    ]),
  "a Uniswap v3 swap": (receiver) =>
    call(POOL, `exactInputSingle(${swapStruct} params)`, [
      [TOKEN, OTHER_TOKEN, 500, receiver, maxUint256, 100n, 90n, 0n],
    ]),
  "a Uniswap v3 swap over a path": (receiver) =>
    call(POOL, "exactInput((bytes, address, uint256, uint256) params)", [
      [`${TOKEN}0001f4${OTHER_TOKEN.slice(2)}`, receiver, 100n, 90n],
    ]),
  "Lido's submit": call(POOL, "submit(address)", [RECIPIENT]),
  "wrapping native": call(POOL, "deposit()"),
  "an NFT mint": call(POOL, "mint(uint256)", [1n]),
  "an NFT mint to an account": (receiver) => call(POOL, "mint(address, uint256)", [receiver, 1n]),
};

const around = (crediting: Call, ...rest: Call[]) =>
  check([approve(TOKEN, POOL, 100n), crediting, approve(TOKEN, POOL, 0n), ...rest, sweep(TOKEN)], {
    contracts: { ...CONTRACTS, trusted: [POOL] },
  });

describe("checkCalls: credited accounts", () => {
  for (const [name, crediting] of Object.entries(CREDITING)) {
    it(`${name}: rejects the router`, () => {
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
    it(`${name}: accepts the router before a sweep`, () => {
      const crediting = CREDITING[name];
      const toRouter = typeof crediting === "function" ? crediting(ROUTER) : crediting!;
      expect(found(around(toRouter, sweep(token)))).to.deep.equal([]);
    });
  }

  const CREDITED: readonly (readonly [name: string, crediting: Call, token: Address])[] = [
    [
      "a token that the call names",
      (CREDITING["a Uniswap v2 swap"] as (receiver: Address) => Call)(ROUTER),
      OTHER_TOKEN,
    ],
    ["a token that no call names", CREDITING["a Curve exchange"] as Call, OTHER_TOKEN],
    ["the target", call(POOL, "deposit()", [], "100"), POOL],
  ];
  for (const [name, crediting, token] of CREDITED) {
    const isFound = (...rest: Call[]): boolean =>
      found({ ...around(crediting, ...rest), ...(name === "the target" ? { destinationCurrency: NATIVE } : {}) }).some(
        ([code]) => code === "CREDITS_ROUTER",
      );
    it(`${name}: the transfer of one unit leaves the rest`, () => {
      expect(isFound(call(token, "transfer(address, uint256)", [RECIPIENT, 1n]))).to.equal(true);
      expect(isFound(sweep(token, RECIPIENT, 1n))).to.equal(true);
      expect(isFound(sweep(token))).to.equal(false);
    });

    it(`${name}: an unused approval does not reduce the balance`, () => {
      expect(isFound(approve(token, STRANGER, 1n))).to.equal(true);
      expect(isFound(approve(token, STRANGER, 1n), approve(token, STRANGER, 0n))).to.equal(true);
      expect(isFound({ to: STRANGER, data: "0x12345678", value: "0" }, approve(token, STRANGER, 1n))).to.equal(true);
    });
  }

  it("a transfer of a known amount spends the balance", () => {
    const wrapped = call(VAULT, "deposit()", [], "100");
    const native = { destinationCurrency: NATIVE, contracts: { ...CONTRACTS, trusted: [POOL] } } as const;
    const use = (amount: bigint) => [wrapped, approve(VAULT, POOL, amount), supply(VAULT, amount)];
    expect(found(check(use(100n), native))).to.deep.equal([]);
    expect(found(check(use(99n), native))).to.deep.equal([["CREDITS_ROUTER", 0]]);
  });

  it("mint() can mint the target's own token, as in Compound v2, if a later call sweeps it", () => {
    const findings = (...rest: Call[]) =>
      found(check([call(POOL, "mint()", [], "100"), ...rest], { destinationCurrency: NATIVE }));
    expect(findings(sweep(POOL))).to.deep.equal([]);
    expect(findings()).to.deep.equal([["CREDITS_ROUTER", 0]]);
    expect(findings(sweep(OTHER_TOKEN))).to.deep.equal([["CREDITS_ROUTER", 0]]);
  });

  it("a transfer with a call spends the delivered token", () => {
    const send = (amount: bigint, to: Address) => [
      call(TOKEN, "transferAndCall(address, uint256, bytes)", [to, amount, "0x"]),
    ];
    expect(found(check(send(100n, STRANGER)))).to.deep.equal([]);
    expect(found(check(send(99n, STRANGER)))).to.deep.equal([["LEFTOVER_TOKEN", undefined]]);
    expect(found(check(send(100n, TOKEN)))).to.deep.equal([["RECIPIENT_IS_TOKEN", 0]]);
  });

  it("deposit() can mint another token, as in liquid staking, if the calls do not use its target as a token", () => {
    const findings = (...rest: Call[]) =>
      found(check([call(POOL, "deposit()", [], "100"), ...rest], { destinationCurrency: NATIVE }));
    expect(findings(sweep(OTHER_TOKEN))).to.deep.equal([["CREDITS_CALLER", 0]]);
    expect(findings()).to.deep.equal([["CREDITS_ROUTER", 0]]);
    expect(findings(sweep(POOL))).to.deep.equal([]);
    expect(findings(call(POOL, "transfer(address, uint256)", [RECIPIENT, 40n]), sweep(OTHER_TOKEN))).to.deep.equal([
      ["CREDITS_ROUTER", 0],
    ]);
  });

  it("a proxy, or an approved account that is called next, can be the receiver", () => {
    const exchange = CREDITING["a Curve exchange"] as Call;
    const ping: Call = { to: STRANGER, data: "0x12345678", value: "0" };
    const execute = call(PROXY, "execute(address, uint256, uint256, uint256)", [RECIPIENT, 1n, 90n, maxUint256]);
    const codes = (...rest: Call[]) =>
      found({
        ...around(exchange, ...rest),
        contracts: { ...CONTRACTS, proxies: [{ address: PROXY, inputToken: OTHER_TOKEN }], trusted: [POOL, STRANGER] },
      });
    expect(codes(approve(OTHER_TOKEN, STRANGER, 5n), ping)).to.deep.equal([]);
    expect(codes(approve(OTHER_TOKEN, PROXY, maxUint256), execute, approve(OTHER_TOKEN, PROXY, 0n))).to.deep.equal([]);
  });

  it("a sweep does not cover an NFT", () => {
    expect(found(around(CREDITING["an NFT mint"] as Call, sweep(OTHER_TOKEN)))).to.deep.equal([["CREDITS_ROUTER", 1]]);
  });

  it("a swap to the placeholder for its caller credits the router", () => {
    const swap = CREDITING["a Uniswap v3 swap over a path"] as (receiver: Address) => Call;
    expect(found(around(swap("0x0000000000000000000000000000000000000001")))).to.deep.equal([["CREDITS_ROUTER", 1]]);
  });
});

describe("checkCalls: differences between router versions", () => {
  for (const { version, approvesAnyToken, keepsGuard, pairs } of ROUTERS as readonly RouterGeneration[]) {
    const router = pairs.cancun?.router ?? CONTRACTS.router;
    const codesOf = (facts: Parameters<typeof check>[1]): readonly string[] =>
      found(
        check([{ ...tokenViaCall(TOKEN, PROXY, execute(PROXY).data), to: router }], {
          contracts: { ...CONTRACTS, router },
          ...facts,
        }),
      ).map(([code]) => code);

    it(`cleanupErc20sViaCall in ${version} supports tokens that return no data: ${approvesAnyToken}`, () => {
      const codes = codesOf({ facts: { tokens: [{ address: TOKEN, approveReturnsNothing: true }] } });
      expect(codes.includes("VIA_CALL_NEEDS_ANSWER")).to.equal(!approvesAnyToken);
    });

    it(`cleanupErc20sViaCall in ${version} changes an allowance that must be zero first: ${approvesAnyToken}`, () => {
      const codes = codesOf({
        facts: {
          tokens: [{ address: TOKEN, refusesAllowanceChange: true }],
          allowances: [{ token: TOKEN, spender: PROXY, amount: 5n }],
        },
      });
      expect(codes.includes("ALLOWANCE_RESET_NEEDED")).to.equal(!approvesAnyToken);
    });

    it(`calls of ${version} are encoded for its version, whichever is named`, () => {
      const own = version.startsWith("3") ? "v3" : "v2.1";
      const codes = (...versions: readonly [encoded: "v3" | "v2.1", named: "v3" | "v2.1"]) => {
        const [routerVersion, named] = versions;
        const cleanup = cleanupErc20s({ router, routerVersion, cleanups: [{ token: TOKEN, recipient: RECIPIENT }] });
        return found(check([cleanup], { contracts: { ...CONTRACTS, router, routerVersion: named } })).map(
          ([code]) => code,
        );
      };
      const other = own === "v3" ? "v2.1" : "v3";
      expect([codes(own, own), codes(own, other)]).to.deep.equal([[], []]);
      expect([codes(other, own), codes(other, other)]).to.deep.equal([
        ["ROUTER_CALL_UNKNOWN"],
        ["ROUTER_CALL_UNKNOWN"],
      ]);
    });

    it(`a self-call in ${version} keeps the guard: ${keepsGuard}`, () => {
      const txs = [
        { ...sweepNative(), to: router },
        { to: STRANGER, data: "0x12345678", value: "0" },
        { ...sweep(TOKEN), to: router },
      ] as const;
      const codes = found(check(txs, { contracts: { ...CONTRACTS, router } })).map(([code]) => code);
      expect(codes.includes("UNTRUSTED_AFTER_SELF_CALL")).to.equal(!keepsGuard);
      const plan = (): Call[] =>
        planCalls({
          tradeType: "EXACT_INPUT",
          amount: 9n,
          router,
          destinationCurrency: TOKEN,
          recipient: RECIPIENT,
          actions: [
            { kind: "proxy", functionName: "executeNative", proxy: PROXY, recipient: RECIPIENT, deadline: 1n },
            { kind: "call", call: { to: STRANGER, data: "0x12345678", value: "0" } },
          ],
        }).txs;
      if (keepsGuard) expect(plan().length).to.equal(5);
      else expect(refusal(plan)).to.include({ code: "INVALID_INPUT", field: "actions[1]" });
    });
  }
});
