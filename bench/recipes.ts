// Gas of the plans of `planRecipe`, for each recipe family and way: `npm run bench:recipes`, with `-- --help` for options.
import { ZeroAddress, parseEther, parseUnits } from "ethers";
import { type Address, maxUint256 } from "viem";

import type { Stages } from "../packages/crosscall/src/terminal/stages.ts";
import { LOCAL_ROUTER_VERSIONS, type LocalRouterVersion } from "../packages/protocol/src/generations/routers.ts";
import {
  aaveV3Repay,
  aaveV3Supply,
  compoundV3Supply,
  erc4626Deposit,
  type PlannedCalls,
  planRecipe,
  uniswapV3Swap,
  unwrapNative,
  wrapNative,
} from "../packages/sdk/src/calls/index.ts";
import { createFills } from "../test/support/fills.ts";
import { addReserve, deployAaveV3 } from "../test/support/protocols/aaveV3.ts";
import { send } from "../test/support/protocols/published.ts";
import { addPool, deployUniswapV3 } from "../test/support/protocols/uniswapV3.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";
import { toTable } from "./table.ts";

const DOLLARS = parseUnits("1234.567891", 6);
const NATIVE = 51_234_567_890_123_456n;
const HUNDRED = 100;

/** A plan for a live amount. */
interface Case {
  readonly name: string;
  /** "proxy", or "program" with a kept unit. */
  readonly way: string;
  readonly planned: PlannedCalls;
  /** Delivered currency. */
  readonly currency: "dollars" | "native" | "wrapped";
  /** Contract that holds one unit of the input, as in steady use. */
  readonly holder: Address;
}

/** Gas of a whole transaction of the router, which already holds the delivered amount. */
interface Line {
  readonly name: string;
  readonly way: string;
  readonly router: LocalRouterVersion;
  readonly first: number;
  readonly second: number;
  readonly hundredth: number;
}

process.exitCode = await runBenchmark({
  name: "bench:recipes",
  description: "Measure the gas of the plans of each recipe family, by typed proxy and by program.",
  failure: "Exits with 1 if a fill fails.",
  measure,
});

async function measure(stages: Stages, signal: AbortSignal): Promise<Measured> {
  const lines: Line[] = [];
  for (const router of LOCAL_ROUTER_VERSIONS) {
    await stages.run(`Measure with router ${router}`, async ({ update }) => {
      for await (const line of measureRouter(router)) {
        signal.throwIfAborted();
        update(`${line.name} by ${line.way}`);
        lines.push(line);
      }
    });
  }
  return { ok: true, json: { lines }, text: describe(lines) };
}

function describe(lines: readonly Line[]): string {
  const whole = (gas: number): string => gas.toLocaleString("en-US");
  return toTable([
    ["recipe", "way", "router", "first", "second", "hundredth"],
    ...lines.map(({ name, way, router, ...gas }) => [name, way, router, ...Object.values(gas).map(whole)]),
  ]);
}

type Fills = Awaited<ReturnType<typeof createFills>>;

async function* measureRouter(version: LocalRouterVersion): AsyncGenerator<Line> {
  const fills = await createFills(undefined, version);
  const { networkHelpers, deployer, dollar, wrappedNative, router, fill } = fills;
  await networkHelpers.setBalance(deployer.address, parseEther("1000000"));
  await dollar.mint(deployer, parseUnits("10000000", 6));
  await wrappedNative.deposit({ value: parseEther("20000") });
  const deliver = { dollars: () => dollar.mint(router, DOLLARS), wrapped: () => fills.deliverWrapped(NATIVE) };

  const gasOf = async ({ planned, currency }: Case): Promise<number> => {
    if (currency !== "native") await deliver[currency]();
    const calls = planned.txs.map(({ to, data }) => ({ target: to, allowFailure: false, value: 0n, callData: data }));
    const receipt = await (await fill(calls, currency === "native" ? NATIVE : 0n)).wait();
    if (receipt === null) throw new Error("the fill was not mined");
    return Number(receipt.gasUsed);
  };

  for (const each of await listCases(fills)) {
    const snapshot = await networkHelpers.takeSnapshot();
    const token = each.currency === "dollars" ? dollar : wrappedNative;
    await token.connect(deployer).transfer(each.holder, 1n);
    const first = await gasOf(each);
    const second = await gasOf(each);
    for (let use = 3; use < HUNDRED; use += 1) await gasOf(each);
    yield { name: each.name, way: each.way, router: version, first, second, hundredth: await gasOf(each) };
    await snapshot.restore();
  }
}

/** Lists the plans, best way first. A plan by program keeps a unit on the executor, and states nothing about the token. */
async function listCases(fills: Fills): Promise<Case[]> {
  const { ethers, deployer, user, dollar, wrappedNative, router } = fills;
  const [usd, weth] = [await addressOf(dollar), await addressOf(wrappedNative)];
  const euro = await ethers.deployContract("LocalDollar");
  await euro.mint(deployer, parseUnits("10000000", 6));
  const eur = await addressOf(euro);
  const executor = await ethers.deployContract("PushExecutor");
  const programs = { executor: await addressOf(executor), livePuller: (await executor.livePuller()) as Address };
  const base = {
    tradeType: "EXACT_INPUT",
    router: await addressOf(router),
    recipient: user.address as Address,
    amount: 1n,
    minimumOut: 1n,
    deadline: maxUint256 >> 216n,
  } as const;
  const deploy = async (name: string, args: readonly unknown[]): Promise<Address> =>
    addressOf(await ethers.deployContract(name, [...args]));
  const typed = (proxy: Address) => ({ proxy, allowance: { refusesChange: false } });
  const byProgram = { programs, keepUnit: true };
  const both = (name: string, proxy: Address, plan: (way: object) => PlannedCalls): Case[] => [
    { name, way: "proxy", currency: "dollars", holder: proxy, planned: plan(typed(proxy)) },
    { name, way: "program", currency: "dollars", holder: programs.executor, planned: plan(byProgram) },
  ];

  const vault = await deploy("LocalVault", [usd, "Vault", "VLT"]);
  await dollar.approve(vault, 1n);
  await (await ethers.getContractAt("LocalVault", vault)).deposit(1n, deployer);

  const aave = await deployAaveV3(deployer);
  const pool = await addressOf(aave.pool);
  const reserve = await addReserve(deployer, aave, { asset: usd, symbol: "USD", decimals: 6, dollars: 1 });
  await addReserve(deployer, aave, { asset: weth, symbol: "ETH", decimals: 18, dollars: 2_000 });
  for (const token of [dollar, wrappedNative]) await token.connect(deployer).approve(pool, maxUint256);
  await send(aave.pool, "supply", usd, parseUnits("1000000", 6), deployer.address, 0);
  await send(aave.pool, "supply", weth, parseEther("1000"), user.address, 0);
  await send(aave.pool.connect(user), "borrow", usd, parseUnits("500000", 6), 2, 0, user.address);
  const aaveProxy = await deploy("AaveV3Proxy", [reserve.aToken, reserve.variableDebtToken, weth]);

  const comet = await deploy("CometStandIn", [usd, weth, parseEther("1000")]);
  const cometProxy = await deploy("CompoundV3Proxy", [comet, usd, ZeroAddress]);

  const uniswap = await deployUniswapV3(deployer, weth);
  const native = { token: weth, amount: parseEther("500") };
  await addPool(deployer, uniswap, 500, [{ token: usd, amount: parseUnits("1000000", 6) }, native]);
  await addPool(deployer, uniswap, 3_000, [native, { token: eur, amount: parseUnits("1000000", 6) }]);
  const swap = async (hops: 1 | 2): Promise<Case[]> => {
    const tokens = [usd, weth, eur].slice(0, hops + 1);
    const fees = [500, 3_000].slice(0, hops);
    const swapRouter = uniswap.swapRouter02 as Address;
    const proxy = await deploy("UniswapV3Proxy", [swapRouter, 1, tokens, fees, weth, false]);
    const args = { swapRouter, generation: "SwapRouter02", tokens, fees } as const;
    return both(`uniswapV3.swap, ${hops} pools`, proxy, (way) =>
      planRecipe({ ...base, recipe: uniswapV3Swap, args, ...way }),
    );
  };

  const wrapper = await deploy("WrappedNativeProxy", [weth]);
  const wrapping = { ...base, recipe: wrapNative, args: { wrappedNative: weth } } as const;
  const { minimumOut: _, ...unchecked } = wrapping;
  const supply = { recipe: aaveV3Supply, args: { pool, asset: usd, aToken: reserve.aToken as Address } } as const;
  return [
    ...both("erc4626.deposit", await deploy("Erc4626Proxy", [vault, ZeroAddress]), (way) =>
      planRecipe({ ...base, recipe: erc4626Deposit, args: { vault, asset: usd }, ...way }),
    ),
    ...both("aaveV3.supply", aaveProxy, (way) => planRecipe({ ...base, ...supply, ...way })),
    ...both("aaveV3.repay", aaveProxy, (way) => {
      const { minimumOut: _minimumOut, ...terms } = base;
      return planRecipe({ ...terms, recipe: aaveV3Repay, args: { pool, asset: usd }, ...way });
    }),
    ...both("compoundV3.supply", cometProxy, (way) => {
      const { minimumOut: _minimumOut, ...terms } = base;
      return planRecipe({ ...terms, recipe: compoundV3Supply, args: { comet, asset: usd }, ...way });
    }),
    ...(await swap(1)),
    ...(await swap(2)),
    {
      name: "wrappedNative.wrap",
      way: "proxy",
      currency: "native",
      holder: wrapper,
      planned: planRecipe({ ...wrapping, proxy: wrapper }),
    },
    {
      name: "wrappedNative.wrap",
      way: "router",
      currency: "native",
      holder: wrapper,
      planned: planRecipe(unchecked),
    },
    {
      name: "wrappedNative.unwrap",
      way: "proxy",
      currency: "wrapped",
      holder: wrapper,
      planned: planRecipe({ ...base, recipe: unwrapNative, args: { wrappedNative: weth }, ...typed(wrapper) }),
    },
  ];
}

async function addressOf(contract: { getAddress(): Promise<string> }): Promise<Address> {
  return (await contract.getAddress()) as Address;
}
