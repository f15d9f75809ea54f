import { expect } from "chai";
import { type Hex, maxUint256 } from "viem";

import {
  decodeCalls,
  encodeProgram,
  formatCalls,
  pushAndExecute,
} from "../../../../../packages/sdk/src/calls/index.ts";
import { OTHER_TOKEN, PROXY, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";
import {
  approve,
  call,
  executeCommands,
  EXECUTOR,
  OWN_BALANCE,
  POOL,
  PULLER,
  STRANGER,
  SWAP_ROUTER,
  swapCommand,
  sweep,
  sweepCommand,
} from "../check/fixtures.ts";

const options = {
  labels: { [ROUTER]: "router", [PROXY]: "proxy", [RECIPIENT]: "user", [POOL]: "pool", [EXECUTOR]: "executor" },
  tokens: [{ address: TOKEN, symbol: "USDC", decimals: 6 }],
};

function linesOf(...txs: Parameters<typeof decodeCalls>[0]): string[] {
  return formatCalls(decodeCalls(txs), options).split("\n");
}

describe("formatCalls", () => {
  it("prints labels for addresses, and amounts in units of their token", () => {
    expect(
      linesOf(
        approve(TOKEN, PROXY, 1_500_000n),
        approve(TOKEN, PROXY, maxUint256),
        approve(OTHER_TOKEN, STRANGER, 5n),
        sweep(TOKEN),
        call(POOL, "deposit()", [], "1500000000000000000"),
      ),
    ).to.deep.equal([
      "txs[0] USDC.approve(spender: proxy, amount: 1.5 USDC)",
      "txs[1] USDC.approve(spender: proxy, amount: the maximum)",
      `txs[2] ${OTHER_TOKEN}.approve(spender: ${STRANGER}, amount: 5)`,
      "txs[3] router.cleanupErc20s(tokens: [USDC], recipients: [user], amounts: [all], metadata: 0x)",
      "txs[4] pool.deposit() with 1.5 ETH",
    ]);
  });

  it("prints structs with member names", () => {
    const struct = "(address, address, uint24, address, uint256, uint256, uint160)";
    expect(
      linesOf(
        call(POOL, `exactInputSingle(${struct} params)`, [[TOKEN, OTHER_TOKEN, 500, RECIPIENT, 1_000_000n, 2n, 0n]]),
      ),
    ).to.deep.equal([
      `txs[0] pool.exactInputSingle(params: {tokenIn: USDC, tokenOut: ${OTHER_TOKEN}, fee: 500, recipient: user, amountIn: 1 USDC, amountOutMinimum: 2, sqrtPriceLimitX96: 0})`,
    ]);
  });

  it("prints commands of the universal router, with the amount of its balance and those that may fail", () => {
    const [code, ...check] = sweepCommand(TOKEN, RECIPIENT, 1_000_000n);
    const swap = swapCommand({ payerIsUser: false, amountIn: OWN_BALANCE, minimumOut: 2n });
    expect(linesOf(executeCommands([swap, [code | 0x80, ...check]])).slice(1)).to.deep.equal([
      `  0 ${SWAP_ROUTER}.V3_SWAP_EXACT_IN(recipient: user, amountIn: its balance, amountOutMinimum: 2, path: ${TOKEN.toLowerCase()}0001f4${OTHER_TOKEN.slice(2).toLowerCase()}, payerIsUser: false)`,
      `  1 ${SWAP_ROUTER}.SWEEP(token: USDC, recipient: user, amountMinimum: 1 USDC), may fail`,
    ]);
  });

  it("prints inner calls indented, with the steps of programs", () => {
    const program = encodeProgram(
      {
        recipient: RECIPIENT,
        tokens: [{ token: TOKEN }, { token: "native" }],
        steps: [{ target: POOL, data: "0x12345678" }],
      },
      { executor: EXECUTOR, livePuller: PULLER, router: ROUTER },
    );
    const lines = linesOf(...pushAndExecute({ router: ROUTER, executor: EXECUTOR, program }));
    expect(lines[0]).to.match(/^txs\[0\] router\.cleanupErc20s\(/u);
    expect(lines[1]).to.equal(
      "txs[1] router.cleanupNativeViaCall(amount: 0.000000000000000001 ETH, to: router, data: 0x)",
    );
    expect(lines[2]).to.equal("  0 router with 0.000000000000000001 ETH");
    expect(lines[3]).to.match(/^txs\[2\] router\.cleanupNativeViaCall\(amount: all, to: executor, data: 0x/u);
    expect(lines[4]).to.equal("  0 executor.execute(program: below) with all ETH");
    expect(lines.slice(5)).to.deep.equal([
      "    for user, without a deadline, all or nothing",
      "    in: at least 1 of USDC",
      "    in: at least 1 of native",
      "    1. pool.0x12345678",
    ]);
  });

  it("prints calls to known protocols in programs, and notes a missing deadline", () => {
    const { data } = call(POOL, "supply(address asset, uint256 amount, address onBehalfOf, uint16 code)", [
      TOKEN,
      7n,
      RECIPIENT,
      0,
    ]);
    const program = encodeProgram(
      { recipient: RECIPIENT, tokens: [{ token: TOKEN }], steps: [{ target: POOL, data: data as Hex }] },
      { executor: EXECUTOR, livePuller: PULLER, router: ROUTER },
    );
    const lines = linesOf(...pushAndExecute({ router: ROUTER, executor: EXECUTOR, program }));
    expect(lines.at(-1)).to.equal("  1. pool.supply(USDC, 7, user, 0)");

    const args = [RECIPIENT, 1n, 1n, maxUint256];
    const signature = "execute(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)";
    expect(linesOf(call(PROXY, signature, args))[0]).to.match(/minimumOut: 1, deadline: none\)$/u);
  });

  it("prints data that cannot be decoded as bytes", () => {
    const word = "11".repeat(32);
    expect(
      linesOf(
        { to: POOL, data: `0x12345678${word}`, value: "0" },
        { to: TOKEN, data: "0x095ea7b3", value: "0" },
        { to: RECIPIENT, data: "0x", value: "5" },
        { to: RECIPIENT, data: "0x", value: "0" },
        { to: "a\nb", data: "0x1", value: "many" },
        { ...approve(TOKEN, PROXY, 0n), data: `${approve(TOKEN, PROXY, 0n).data}ff` },
      ),
    ).to.deep.equal([
      "txs[0] pool.0x12345678",
      `  0: 0x${word}`,
      "txs[1] USDC.0x095ea7b3, which does not match approve(address,uint256)",
      "txs[2] user with 0.000000000000000005 ETH",
      "txs[3] user without value",
      'txs[4] "a\\nb" "0x1", its data is not hex of whole bytes with "many"',
      "txs[5] USDC.approve(spender: proxy, amount: 0 USDC) and 0xff",
    ]);
  });
});
