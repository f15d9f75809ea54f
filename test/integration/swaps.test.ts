import { expect } from "chai";
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseEther,
  parseUnits,
  zeroAddress,
} from "viem";
import { readContract, sendTransaction, waitForTransactionReceipt, writeContract } from "viem/actions";

import { localAccounts } from "../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { chainClient, describeChain } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { ChainContracts } from "../../packages/crosscall/src/localnet/devchain/contracts.ts";
import type { EvmCall } from "../../packages/crosscall/src/localnet/devchain/devChain.ts";
import { startEdrChain } from "../../packages/crosscall/src/localnet/devchain/edr.ts";
import type { ChainNode } from "../../packages/crosscall/src/localnet/devchain/node.ts";
import { localPools } from "../../packages/crosscall/src/localnet/devchain/pools.ts";
import { chainTokens } from "../../packages/crosscall/src/localnet/devchain/tokens.ts";
import { prepareChain } from "../../packages/crosscall/src/localnet/devchain/prepareChain.ts";
import { findSwap } from "../../packages/crosscall/src/localnet/market/swaps/findSwap.ts";
import type { Swap, SwapChain } from "../../packages/crosscall/src/localnet/market/swaps/swap.ts";
import { exactInputCalls, exactOutputCalls } from "../../packages/crosscall/src/localnet/market/swaps/swapCalls.ts";
import { failureOf } from "./support/failureOf.ts";
import { routerAbi } from "../../packages/protocol/src/abi/service.generated.ts";

const CHAIN_ID = 31_430;
const RECIPIENT: Address = "0x1111111111111111111111111111111111111111";
// A gas estimate can be too low one second later, because a pool writes at most one observation per second.
const GAS_LIMIT = 1_000_000n;
const LEFTOVER: Address = "0x2222222222222222222222222222222222222222";

describe("swaps through the pools of a local chain", () => {
  let edr: ChainNode;
  let contracts: ChainContracts;
  let chain: SwapChain;
  before(async () => {
    edr = await startEdrChain(CHAIN_ID);
    contracts = await prepareChain(CHAIN_ID, edr.rpcUrl);
    const tokens = chainTokens(contracts);
    chain = { client: chainClient(CHAIN_ID, edr.rpcUrl), contracts, tokens, pools: localPools(contracts, tokens) };
  });
  after(() => edr.close());

  const wallet = () =>
    createWalletClient({
      account: localAccounts.solver,
      chain: describeChain(CHAIN_ID, edr.rpcUrl),
      transport: http(edr.rpcUrl),
      pollingInterval: 25,
    });
  const done = (hash: Hex) => waitForTransactionReceipt(wallet(), { hash });
  const balanceOf = (currency: Address, account: Address): Promise<bigint> =>
    currency === zeroAddress
      ? chain.client.getBalance({ address: account })
      : readContract(chain.client, { address: currency, abi: erc20Abi, functionName: "balanceOf", args: [account] });

  const currencies = (): Record<string, Address> => ({
    native: zeroAddress,
    dollar: contracts.dollar,
    tether: contracts.tether,
    wrapped: contracts.wrappedNative,
    token: contracts.token,
    fee: contracts.feeToken,
  });
  const named = (name: string): Address => currencies()[name] ?? zeroAddress;

  const find = async (amounts: { amountIn: bigint } | { amountOut: bigint }, input: string, output: string) => {
    const search = await findSwap({ chain, input: named(input), output: named(output), ...amounts });
    if (search.kind !== "found") throw new Error(`no swap of ${input} to ${output}: ${search.kind}`);
    return search.swap;
  };

  /** Runs the calls through the router as a fill does. The input is paid in the same transaction or earlier. */
  const run = async ({ input }: Swap, amountIn: bigint, calls: readonly EvmCall[]): Promise<void> => {
    if (input !== zeroAddress) {
      const args = [contracts.router, amountIn] as const;
      await done(await writeContract(wallet(), { address: input, abi: erc20Abi, functionName: "transfer", args }));
    }
    const data = encodeFunctionData({
      abi: routerAbi,
      functionName: "multicall",
      args: [
        calls.map(({ to, data, value }) => ({ target: to, allowFailure: false, value, callData: data })),
        LEFTOVER,
        LEFTOVER,
        "0x",
      ],
    });
    const value = calls.reduce((sum, call) => sum + call.value, 0n);
    await done(await sendTransaction(wallet(), { to: contracts.router, data, value, gas: GAS_LIMIT }));
  };

  const expectCleanRouter = async () => {
    for (const [name, currency] of Object.entries(currencies())) {
      expect(await balanceOf(currency, contracts.router), `${name} on the router`).to.equal(0n);
      if (currency === zeroAddress) continue;
      for (const spender of [contracts.uniswapRouter, contracts.sweeper]) {
        const args = [contracts.router, spender] as const;
        const allowance = await readContract(chain.client, {
          address: currency,
          abi: erc20Abi,
          functionName: "allowance",
          args,
        });
        expect(allowance, `allowance of ${name}`).to.equal(0n);
      }
    }
  };

  const pairs: readonly [input: string, output: string, amountIn: bigint, route: string][] = [
    ["native", "wrapped", parseEther("1"), "wrap"],
    ["wrapped", "native", parseEther("1"), "unwrap"],
    ["native", "dollar", parseEther("1"), "pools"],
    ["native", "token", parseEther("1"), "pools"],
    ["native", "fee", parseEther("1"), "pools"],
    ["native", "tether", parseEther("1"), "pools"],
    ["dollar", "native", parseUnits("1000", 6), "pools"],
    ["dollar", "tether", parseUnits("1000", 6), "pools"],
    ["tether", "token", parseUnits("1000", 6), "pools"],
    ["token", "dollar", parseEther("100"), "pools"],
    ["dollar", "fee", parseUnits("1000", 6), "pools"],
  ];
  for (const [input, output, amountIn, route] of pairs) {
    it(`of ${input} to ${output} deliver exactly the quoted amount`, async () => {
      const swap = await find({ amountIn }, input, output);
      expect(swap).to.deep.include({ amountIn, input: named(input), output: named(output) });
      expect(swap.route.kind).to.equal(route);
      const before = await balanceOf(named(output), RECIPIENT);
      await run(swap, amountIn, exactInputCalls(chain, swap, { recipient: RECIPIENT, minimumOut: swap.amountOut }));
      expect((await balanceOf(named(output), RECIPIENT)) - before).to.equal(swap.amountOut);
      await expectCleanRouter();
    });
  }

  for (const [input, output, amountOut] of [
    ["native", "token", parseEther("100")],
    ["native", "fee", parseEther("1000") + 1n],
    ["dollar", "tether", parseUnits("1000", 6)],
    ["dollar", "native", parseEther("1")],
    ["native", "wrapped", parseEther("1")],
  ] as const) {
    it(`of ${input} for an exact amount of ${output} deliver that amount and return the rest`, async () => {
      const swap = await find({ amountOut }, input, output);
      const isWrap = swap.route.kind === "wrap";
      const maximumIn = isWrap ? swap.amountIn : swap.amountIn + swap.amountIn / 100n;
      const leftover = input === "native" ? contracts.wrappedNative : named(input);
      const [arrived, left] = await Promise.all([balanceOf(named(output), RECIPIENT), balanceOf(leftover, LEFTOVER)]);
      const terms = { recipient: RECIPIENT, maximumIn, leftoverTo: LEFTOVER };
      await run(swap, maximumIn, exactOutputCalls(chain, swap, terms));
      expect((await balanceOf(named(output), RECIPIENT)) - arrived).to.equal(amountOut);
      expect((await balanceOf(leftover, LEFTOVER)) - left).to.equal(maximumIn - swap.amountIn);
      await expectCleanRouter();
    });
  }

  it("revert if less than the minimum would arrive", async () => {
    const swap = await find({ amountIn: parseEther("1") }, "native", "fee");
    const calls = exactInputCalls(chain, swap, { recipient: RECIPIENT, minimumOut: swap.amountOut + 1n });
    expect(await failureOf(run(swap, swap.amountIn, calls))).to.be.an("error");
  });

  it("work with Tether even if a stranger's call left an allowance from the router", async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [contracts.uniswapRouter, 1n] });
    const call = { target: contracts.tether, allowFailure: false, value: 0n, callData: data };
    await done(
      await writeContract(wallet(), {
        address: contracts.router,
        abi: routerAbi,
        functionName: "multicall",
        args: [[call], LEFTOVER, LEFTOVER, "0x"],
      }),
    );
    const swap = await find({ amountIn: 1_000_000n }, "tether", "dollar");
    await run(swap, 1_000_000n, exactInputCalls(chain, swap, { recipient: RECIPIENT, minimumOut: 1n }));
    await expectCleanRouter();
  });

  it("have no route for a token without a pool", async () => {
    const amountIn = parseEther("1");
    const search = (input: Address, output: Address) => findSwap({ chain, input, output, amountIn });
    expect(await search(contracts.feeToken, contracts.dollar)).to.deep.equal({ kind: "no-route" });
    expect(await search(zeroAddress, contracts.vault)).to.deep.equal({ kind: "no-route" });
    expect(await search(contracts.dollar, contracts.dollar)).to.deep.equal({ kind: "no-route" });
  });

  it("report insufficient liquidity, and an amount that is too small", async () => {
    const search = (amounts: { amountIn: bigint } | { amountOut: bigint }) =>
      findSwap({ chain, input: contracts.token, output: contracts.dollar, ...amounts });
    expect(await search({ amountOut: parseUnits("200000000", 6) })).to.deep.equal({ kind: "no-liquidity" });
    expect(await search({ amountIn: 1n })).to.deep.equal({ kind: "no-liquidity" });
  });
});
