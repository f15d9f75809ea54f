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
import { contractsOf, createPlanFills, DELIVERED, PLANNED, WAYS } from "../support/planFills.ts";

const DUST = 7n;
const APPROVE = toFunctionSelector("approve(address,uint256)");

type Chain = Awaited<ReturnType<typeof createPlanFills>>;

interface Deployed {
  readonly protocol: Address;
  /** The kit's typed proxy of the protocol. */
  readonly proxy?: Address;
}

/** Use of a recipe, by default with a protocol that accepts every function and has no typed proxy. */
interface Use {
  readonly recipe: AnyRecipe;
  readonly args: (protocol: Address, token: Address, user: Address) => object;
  /** Position of the amount in the call data; none if the protocol uses native currency or its own tokens. */
  readonly offset?: number;
  /** Whether the protocol credits its caller. */
  readonly creditsCaller?: true;
  readonly deploy?: (chain: Chain, token: Address) => Promise<Deployed>;
}

async function deployVault({ ethers, weth, addressOf }: Chain, token: Address): Promise<Deployed> {
  const protocol = await addressOf(await ethers.deployContract("LocalVault", [token, "Vault", "V"]));
  return { protocol, proxy: await addressOf(await ethers.deployContract("Erc4626Proxy", [protocol, weth])) };
}

async function deployWrapper({ ethers, weth, addressOf }: Chain): Promise<Deployed> {
  return { protocol: weth, proxy: await addressOf(await ethers.deployContract("WrappedNativeProxy", [weth])) };
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
  erc4626Deposit: { recipe: calls.erc4626Deposit, args: (vault, asset) => ({ vault, asset }), deploy: deployVault },
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
  // Takes less than the approved amount.
  nftMintWithToken: {
    recipe: calls.nftMintWithToken,
    args: (minter, token, user) => ({ minter, token, abi: buyAbi, functionName: "buy", args: [user, PLANNED - 1n] }),
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
    deploy: deployWrapper,
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

type Way = (typeof WAYS)[number] | "fixed" | "call";

function waysOf({ tradeTypes, liveWays }: AnyRecipe, isNative: boolean, hasProxy: boolean): readonly Way[] {
  const direct = liveWays.includes(isNative ? "nativeCall" : "transfer");
  const isPossible = (way: (typeof WAYS)[number]): boolean =>
    way === "proxy" ? hasProxy : !isNative && liveWays.includes("program");
  return [
    ...(tradeTypes.includes("EXACT_OUTPUT") ? (["fixed"] as const) : []),
    ...WAYS.filter(isPossible),
    ...(direct ? (["call"] as const) : []),
  ];
}

/** An unlimited allowance of each spender, or an allowance of one unit, an allowance of the executor, and dust. */
const ATTACKS = ["unlimited", "everything"] as const;

for (const version of ["3.0", "3.2"] as const) {
  describe(`recipe plans through router ${version} after a stranger left allowances and dust`, () => {
    const deploy = fixture(async () => {
      const chain = await createPlanFills(version);
      const tether = await chain.ethers.deployContract("LocalTether");
      return { ...chain, usdt: await chain.addressOf(tether) };
    });
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
      const use: Use = {
        recipe: calls.unwrapNative,
        args: (wrappedNative) => ({ wrappedNative }),
        deploy: deployWrapper,
      };
      const chain = await deploy();
      await attackEachWay(chain, use, chain.weth, false);
    });

    /** Runs a plan without facts after each attack, by every way of the recipe. */
    async function attackEachWay(chain: Chain, use: Use, token: Address, isNative: boolean): Promise<void> {
      const { ethers, networkHelpers, user, base, addressOf } = chain;
      const input = isNative ? zeroAddress : token;
      const recipient = use.creditsCaller === true ? zeroAddress : user;
      const standIn = async (): Promise<Deployed> => ({
        protocol: await addressOf(await ethers.deployContract("ProtocolStandIn", [input, use.offset ?? 0, recipient])),
      });
      const { protocol, proxy } = await (use.deploy?.(chain, token) ?? standIn());
      const state = await networkHelpers.takeSnapshot();
      const start = async (): Promise<void> => {
        await state.restore();
        if (!isNative) await mint(chain, token, base.router, DELIVERED);
      };
      for (const way of waysOf(use.recipe, isNative, proxy !== undefined)) {
        // Tokens that pass through the router. The plan sweeps no other tokens.
        const isCredited = use.creditsCaller === true && way !== "proxy";
        const tokens = [...(isNative ? [] : [token]), ...(isCredited ? [protocol] : [])];
        const plan = calls.planRecipe({
          ...base,
          recipe: use.recipe,
          args: use.args(protocol, token, user),
          amount: PLANNED,
          ...(use.recipe.minimum === "call" ? { minimumOut: 1n } : {}),
          tradeType: way === "fixed" ? "EXACT_OUTPUT" : "EXACT_INPUT",
          ...(way === "fixed" || way === "call" ? {} : contractsOf(chain, way, proxy ?? zeroAddress)),
        } as never);
        const run = async (): Promise<bigint> => {
          await chain.fill(plan, isNative ? PLANNED : 0n);
          return gainOf(chain, [protocol, token]);
        };
        await start();
        const expected = await run();
        for (const attack of ATTACKS) {
          await start();
          await leave(chain, { attack, plan, token, tokens, protocol, proxy, isNative });
          expect(await run(), `${way} after ${attack}`).to.satisfy((gain: bigint) => gain >= expected);
          await expectNothingKept(chain, { way, attack, plan, tokens, token, protocol, proxy });
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
        proxy,
        isNative,
      }: {
        readonly attack: (typeof ATTACKS)[number];
        readonly plan: { readonly txs: readonly Call[] };
        readonly token: Address;
        readonly tokens: readonly Address[];
        readonly protocol: Address;
        readonly proxy: Address | undefined;
        readonly isNative: boolean;
      },
    ): Promise<void> {
      const { ethers, networkHelpers, router, stranger, programs, base, approve } = chain;
      const { executor, livePuller } = programs;
      const proxies = proxy === undefined ? [] : [proxy];
      const all = [...spendersOf(plan.txs), executor, livePuller, protocol, PERMIT2_ADDRESS, ...proxies];
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
      for (const holder of [base.router, executor, livePuller, PERMIT2_ADDRESS, ...proxies]) {
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
        readonly attack: (typeof ATTACKS)[number];
        readonly plan: { readonly txs: readonly Call[] };
        readonly tokens: readonly Address[];
        readonly token: Address;
        readonly protocol: Address;
        readonly proxy: Address | undefined;
      },
    ): Promise<void> {
      const { way, attack, plan, tokens, token, protocol, proxy } = kept;
      const input = await tokenAt(token);
      expect(await ethers.provider.getBalance(base.router), "native of the router").to.equal(0n);
      for (const held of tokens) expect(await holds(held, base.router), "router").to.equal(0n);
      for (const spender of spendersOf(plan.txs)) {
        // They take tokens from their caller only.
        if (spender === proxy || spender === programs.livePuller) continue;
        expect(await input.allowance(base.router, spender), `${way}: allowance of the router`).to.equal(0n);
      }
      if (way === "proxy") {
        // A stranger's tokens stay, and add nothing to what the user receives.
        const dust = attack === "everything" ? DUST : 0n;
        for (const held of tokens) expect(await holds(held, proxy!), "proxy").to.equal(dust);
      }
      if (way !== "push" && way !== "pull") return;
      for (const held of tokens) expect(await holds(held, programs.executor), "executor").to.equal(0n);
      expect(await input.allowance(programs.executor, protocol), "allowance of the executor").to.equal(0n);
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
}

/** Accounts that calls approve. */
function spendersOf(txs: readonly Call[]): readonly Address[] {
  return txs
    .filter(({ data }) => data.startsWith(APPROVE))
    .map(({ data }) => decodeFunctionData({ abi: erc20Abi, data: data as Hex }).args[0]!);
}
