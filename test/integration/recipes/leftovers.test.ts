import { expect } from "chai";
import {
  type Address,
  decodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  parseAbi,
  toFunctionSelector,
  zeroAddress,
} from "viem";

import type { Call } from "../../../packages/protocol/src/common/call.ts";
import * as calls from "../../../packages/sdk/src/calls/index.ts";
import type { AnyRecipe } from "../../../packages/sdk/src/calls/recipes/recipe.ts";
import { PERMIT2_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import { fixture } from "../../support/fills.ts";
import { createPlanFills, DELIVERED, PLANNED } from "../support/planFills.ts";

const DUST = 7n;
const APPROVE = toFunctionSelector("approve(address,uint256)");

/** Use of a recipe with a protocol that accepts every function. */
interface Use {
  readonly recipe: AnyRecipe;
  readonly args: (protocol: Address, token: Address, user: Address) => object;
  /** Position of the amount in the call data; none if the protocol uses native currency or its own tokens. */
  readonly offset?: number;
  /** Whether the protocol credits its caller. */
  readonly creditsCaller?: true;
  /** Whether the protocol is the wrapped native token. */
  readonly wraps?: true;
}

const market = (loanToken: Address, collateralToken: Address) => ({
  loanToken,
  collateralToken,
  oracle: zeroAddress,
  irm: zeroAddress,
  lltv: 0n,
});
const curve = { i: 0, j: 1, indexType: "int128" } as const;
const buyAbi = parseAbi(["function buy(address to, uint256 price) payable"]);
const path = (protocol: Address, token: Address) => ({ tokens: [token, protocol], fees: [500] });

const TOKEN_USES: Readonly<Record<string, Use>> = {
  erc4626Deposit: { recipe: calls.erc4626Deposit, args: (vault, asset) => ({ vault, asset }), offset: 4 },
  aaveV3Supply: { recipe: calls.aaveV3Supply, args: (pool, asset) => ({ pool, asset, aToken: pool }), offset: 36 },
  aaveV3Repay: { recipe: calls.aaveV3Repay, args: (pool, asset) => ({ pool, asset }), offset: 36 },
  compoundV3Supply: { recipe: calls.compoundV3Supply, args: (comet, asset) => ({ comet, asset }), offset: 68 },
  uniswapV2Swap: {
    recipe: calls.uniswapV2Swap,
    args: (swapRouter, token) => ({ swapRouter, tokens: [token, swapRouter] }),
    offset: 4,
  },
  "uniswapV3Swap, first": {
    recipe: calls.uniswapV3Swap,
    args: (swapRouter, token) => ({ swapRouter, generation: "SwapRouter", ...path(swapRouter, token) }),
    offset: 164,
  },
  "uniswapV3Swap, second": {
    recipe: calls.uniswapV3Swap,
    args: (swapRouter, token) => ({ swapRouter, generation: "SwapRouter02", ...path(swapRouter, token) }),
    offset: 132,
  },
  morphoBlueSupply: {
    recipe: calls.morphoBlueSupply,
    args: (morpho, token) => ({ morpho, market: market(token, morpho) }),
    offset: 164,
  },
  morphoBlueSupplyCollateral: {
    recipe: calls.morphoBlueSupplyCollateral,
    args: (morpho, token) => ({ morpho, market: market(morpho, token) }),
    offset: 164,
  },
  morphoBlueRepay: {
    recipe: calls.morphoBlueRepay,
    args: (morpho, token) => ({ morpho, market: market(token, morpho) }),
    offset: 164,
  },
  curveExchange: {
    recipe: calls.curveExchange,
    args: (pool, tokenIn) => ({ ...curve, pool, tokenIn, tokenOut: pool, hasReceiver: true }),
    offset: 68,
  },
  curveAddLiquidity: {
    recipe: calls.curveAddLiquidity,
    args: (pool, token) => ({
      pool,
      token,
      index: 1,
      coins: 2,
      lpToken: pool,
      hasReceiver: true,
      amounts: "fixed",
    }),
    offset: 36,
  },
  lidoWrap: { recipe: calls.lidoWrap, args: (wstEth, stEth) => ({ stEth, wstEth }), offset: 4, creditsCaller: true },
  nftMintWithToken: {
    recipe: calls.nftMintWithToken,
    args: (minter, token, user) => ({ minter, token, abi: buyAbi, functionName: "buy", args: [user, PLANNED] }),
    offset: 36,
  },
  universalRouterSwap: {
    recipe: calls.universalRouterSwap,
    args: (universalRouter, token) => ({ universalRouter, tokens: [token, universalRouter] }),
  },
};

const NATIVE_USES: Readonly<Record<string, Use>> = {
  wrapNative: {
    recipe: calls.wrapNative,
    args: (wrappedNative) => ({ wrappedNative }),
    creditsCaller: true,
    wraps: true,
  },
  lidoSubmit: { recipe: calls.lidoSubmit, args: (stEth) => ({ stEth }), creditsCaller: true },
  lidoSubmitAndWrap: { recipe: calls.lidoSubmitAndWrap, args: (wstEth) => ({ wstEth }), creditsCaller: true },
  nftMintWithNative: {
    recipe: calls.nftMintWithNative,
    args: (minter, _token, user) => ({ minter, abi: buyAbi, functionName: "buy", args: [user, PLANNED] }),
  },
  uniswapV2Swap: {
    recipe: calls.uniswapV2Swap,
    args: (swapRouter, weth) => ({ swapRouter, tokens: [weth, swapRouter], native: "input" }),
  },
  universalRouterSwap: {
    recipe: calls.universalRouterSwap,
    args: (universalRouter, weth) => ({ universalRouter, tokens: [weth, universalRouter], native: "input" }),
  },
};

type Way = "fixed" | "push" | "pull" | "call";

function waysOf({ tradeTypes, liveWays }: AnyRecipe, isNative: boolean): readonly Way[] {
  const direct = liveWays.includes(isNative ? "nativeCall" : "transfer");
  return [
    ...(tradeTypes.includes("EXACT_OUTPUT") ? (["fixed"] as const) : []),
    ...(!isNative && liveWays.includes("program") ? (["push", "pull"] as const) : []),
    ...(direct ? (["call"] as const) : []),
  ];
}

/** An unlimited allowance of each spender, or an allowance of one unit, an allowance of the executor, and dust. */
const ATTACKS = ["unlimited", "everything"] as const;

describe("recipe plans after a stranger left allowances and dust", () => {
  const deploy = fixture(async () => {
    const chain = await createPlanFills();
    const tether = await chain.ethers.deployContract("LocalTether");
    return { ...chain, tether, usdt: await chain.addressOf(tether) };
  });
  type Chain = Awaited<ReturnType<typeof deploy>>;

  for (const [name, use] of Object.entries(TOKEN_USES)) {
    for (const token of ["dollar", "tether"] as const) {
      it(`deliver everything by ${name} with ${token}`, async () => {
        const chain = await deploy();
        await attackEachWay(chain, use, token === "dollar" ? chain.usd : chain.usdt, false);
      });
    }
  }

  for (const [name, use] of Object.entries(NATIVE_USES)) {
    it(`deliver everything by ${name} with native currency`, async () => {
      const chain = await deploy();
      await attackEachWay(chain, use, chain.weth, true);
    });
  }

  it("deliver everything by unwrapNative", async () => {
    const use: Use = { recipe: calls.unwrapNative, args: (wrappedNative) => ({ wrappedNative }), wraps: true };
    const chain = await deploy();
    await attackEachWay(chain, use, chain.weth, false);
  });

  /** Runs a plan without facts after each attack, by every way of the recipe. */
  async function attackEachWay(chain: Chain, use: Use, token: Address, isNative: boolean): Promise<void> {
    const { ethers, networkHelpers, user, programs, base, addressOf } = chain;
    const input = isNative ? zeroAddress : token;
    const recipient = use.creditsCaller === true ? zeroAddress : user;
    const protocol =
      use.wraps === true
        ? chain.weth
        : await addressOf(await ethers.deployContract("ProtocolStandIn", [input, use.offset ?? 0, recipient]));
    // Tokens that pass through the router. The plan sweeps no other tokens.
    const tokens = [...(isNative ? [] : [token]), ...(use.creditsCaller === true ? [protocol] : [])];
    const state = await networkHelpers.takeSnapshot();
    const start = async (): Promise<void> => {
      await state.restore();
      if (!isNative) await mint(chain, token, base.router, DELIVERED);
    };
    for (const way of waysOf(use.recipe, isNative)) {
      const plan = calls.planRecipe({
        ...base,
        recipe: use.recipe,
        args: use.args(protocol, token, user),
        amount: PLANNED,
        ...(use.recipe.minimum === "call" ? { minimumOut: 1n } : {}),
        tradeType: way === "fixed" ? "EXACT_OUTPUT" : "EXACT_INPUT",
        ...(way === "push" || way === "pull" ? { programs: { ...programs, by: way } } : {}),
      } as never);
      const run = async (): Promise<bigint> => {
        await chain.fill(plan, isNative ? PLANNED : 0n);
        return gainOf(chain, [protocol, token]);
      };
      await start();
      const expected = await run();
      for (const attack of ATTACKS) {
        await start();
        await leave(chain, { attack, plan, token, tokens, protocol, isNative });
        expect(await run(), `${way} after ${attack}`).to.satisfy((gain: bigint) => gain >= expected);
        await expectNothingKept(chain, { way, tokens, token, protocol });
      }
    }
  }

  /** Leaves allowances of the router, tokens, native currency, or an allowance of the executor. */
  async function leave(
    chain: Chain,
    {
      attack,
      plan,
      token,
      tokens,
      protocol,
      isNative,
    }: {
      readonly attack: (typeof ATTACKS)[number];
      readonly plan: { readonly txs: readonly Call[] };
      readonly token: Address;
      readonly tokens: readonly Address[];
      readonly protocol: Address;
      readonly isNative: boolean;
    },
  ): Promise<void> {
    const { ethers, networkHelpers, router, stranger, programs, base, approve } = chain;
    const { executor, livePuller } = programs;
    const all = [...spendersOf(plan.txs), executor, livePuller, protocol, PERMIT2_ADDRESS];
    const spenders = new Set(all.map((spender) => getAddress(spender)));
    const amount = attack === "unlimited" ? 2n ** 256n - 1n : 1n;
    const approvals = await Promise.all([...spenders].map((spender) => approve(token, spender, amount)));
    await router.connect(stranger).multicall(approvals, stranger, stranger, "0x");
    if (attack === "unlimited") return;
    if (!isNative) {
      const signer = await ethers.getImpersonatedSigner(executor);
      await networkHelpers.setBalance(executor, 10n ** 18n);
      await (await chain.tokenAt(token)).connect(signer).getFunction("approve").send(protocol, 1n);
    }
    for (const holder of [base.router, executor, livePuller, PERMIT2_ADDRESS]) {
      for (const swept of tokens) await mint(chain, swept, holder, DUST);
      // A fill in a token leaves the router's native currency to `refundTo`.
      if (isNative || holder !== base.router) await networkHelpers.setBalance(holder, DUST);
    }
  }

  /** The user's tokens and native currency, which have the same value in these plans. */
  async function gainOf(chain: Chain, tokens: readonly Address[]): Promise<bigint> {
    const held = await Promise.all(tokens.map((token) => chain.holds(token, chain.user)));
    return held.reduce((sum, amount) => sum + amount, await chain.ethers.provider.getBalance(chain.user));
  }

  async function expectNothingKept(
    { ethers, base, programs, holds, tokenAt }: Chain,
    kept: {
      readonly way: Way;
      readonly tokens: readonly Address[];
      readonly token: Address;
      readonly protocol: Address;
    },
  ): Promise<void> {
    const { way, tokens, token, protocol } = kept;
    expect(await ethers.provider.getBalance(base.router), "native of the router").to.equal(0n);
    for (const held of tokens) expect(await holds(held, base.router), "router").to.equal(0n);
    if (way !== "push" && way !== "pull") return;
    for (const held of tokens) expect(await holds(held, programs.executor), "executor").to.equal(0n);
    const allowance = await (await tokenAt(token)).allowance(programs.executor, protocol);
    expect(allowance, "allowance of the executor").to.equal(0n);
  }

  async function mint({ ethers, weth, wrappedNative }: Chain, token: Address, to: string, amount: bigint) {
    if (token === weth) {
      await wrappedNative.deposit({ value: amount });
      await wrappedNative.transfer(to, amount);
    } else {
      await (await ethers.getContractAt("LocalDollar", token)).mint(to, amount);
    }
  }
});

/** Accounts that calls approve. */
function spendersOf(txs: readonly Call[]): readonly Address[] {
  return txs
    .filter(({ data }) => data.startsWith(APPROVE))
    .map(({ data }) => decodeFunctionData({ abi: erc20Abi, data: data as Hex }).args[0]!);
}
