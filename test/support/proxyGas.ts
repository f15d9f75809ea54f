import { type AddressLike, parseEther, parseUnits } from "ethers";

import { LOCAL_ROUTER_VERSIONS, type LocalRouterVersion } from "../../packages/protocol/src/generations/routers.ts";
import { type FillCall, type ProxyFunction, createFills } from "./fills.ts";
import { addReserve, deployAaveV3 } from "./protocols/aaveV3.ts";
import { send } from "./protocols/published.ts";
import { addPool, deployUniswapV3 } from "./protocols/uniswapV3.ts";

/** Gas usage by measurement name. */
export type GasFigures = Readonly<Record<string, string>>;

type Fills = Awaited<ReturnType<typeof createFillsOf>>;

/** Amounts that do not end in zeros, as real amounts do not. */
const DOLLARS = parseUnits("1234.567891", 6);
const NATIVE = 1_234_567_890_123_456_789n;

/** Measurement functions by snapshot name. */
const MEASUREMENTS = {
  AaveV3Proxy: measureAaveV3,
  CompoundV3Proxy: measureCompoundV3,
  UniswapV3Proxy: measureUniswapV3,
  WrappedNativeProxy: measureWrappedNative,
} as const;

/**
 * Measures the gas of fills through the proxies, as entire transactions, with the protocols' published code and
 * each router version. Measures the first use and the second use. The router already holds the tokens.
 *
 * @param network name of the Hardhat network
 */
export async function measureProxies(network: string): Promise<ReadonlyMap<string, GasFigures>> {
  const found = new Map<string, GasFigures>();
  for (const [name, measure] of Object.entries(MEASUREMENTS)) {
    let figures: GasFigures = {};
    for (const version of LOCAL_ROUTER_VERSIONS) {
      figures = { ...figures, ...(await measure(await createFillsOf(network, version))) };
    }
    found.set(name, figures);
  }
  return found;
}

async function createFillsOf(network: string, version: LocalRouterVersion) {
  return { ...(await createFills(network, version)), version };
}

async function measureAaveV3(fills: Fills): Promise<GasFigures> {
  const { ethers, networkHelpers, deployer, user, dollar, wrappedNative } = fills;
  await networkHelpers.setBalance(deployer.address, parseEther("2000000"));
  const [usd, wrapped] = [await dollar.getAddress(), await wrappedNative.getAddress()];
  const aave = await deployAaveV3(deployer);
  const usdReserve = await addReserve(deployer, aave, { asset: usd, symbol: "USD", decimals: 6, dollars: 1 });
  const ethReserve = await addReserve(deployer, aave, { asset: wrapped, symbol: "ETH", decimals: 18, dollars: 2_000 });
  const [usdProxy, ethProxy] = await Promise.all(
    [usdReserve, ethReserve].map(({ aToken, variableDebtToken }) =>
      ethers.deployContract("AaveV3Proxy", [aToken, variableDebtToken, wrapped]),
    ),
  );
  if (usdProxy === undefined || ethProxy === undefined) throw new Error("a proxy is missing");
  await dollar.mint(deployer, 2n ** 60n);
  await wrappedNative.deposit({ value: parseEther("1000") });
  for (const [token, amount] of [
    [dollar, 2n ** 60n],
    [wrappedNative, parseEther("1000")],
  ] as const) {
    await token.approve(aave.pool, amount);
    await send(aave.pool, "supply", token, amount, deployer.address, 0);
  }
  for (const [asset, amount] of [
    [usd, 10n * DOLLARS],
    [wrapped, 10n * NATIVE],
  ] as const) {
    await send(aave.pool, "borrow", asset, amount, 2, 0, deployer.address);
  }
  return {
    ...(await measureUses(fills, "execute", () => deliverDollars(fills, usdProxy, user, "execute"))),
    ...(await measureUses(fills, "executeNative", () => deliverNative(fills, ethProxy, user, "executeNative"))),
    ...(await measureUses(fills, "repay", () => deliverDollars(fills, usdProxy, deployer, "repay"))),
    ...(await measureUses(fills, "repayNative", () => deliverNative(fills, ethProxy, deployer, "repayNative"))),
  };
}

async function measureCompoundV3(fills: Fills): Promise<GasFigures> {
  const { ethers, user, dollar, wrappedNative } = fills;
  const comet = await ethers.deployContract("CometStandIn", [dollar, wrappedNative, parseEther("1000")]);
  const baseProxy = await ethers.deployContract("CompoundV3Proxy", [comet, dollar, wrappedNative]);
  const collateralProxy = await ethers.deployContract("CompoundV3Proxy", [comet, wrappedNative, wrappedNative]);
  return {
    ...(await measureUses(fills, "execute", () => deliverDollars(fills, baseProxy, user, "execute"))),
    ...(await measureUses(fills, "executeNative, collateral", () =>
      deliverNative(fills, collateralProxy, user, "executeNative"),
    )),
  };
}

async function measureUniswapV3(fills: Fills): Promise<GasFigures> {
  const { ethers, deployer, user, dollar, wrappedNative } = fills;
  const [usd, wrapped] = [await dollar.getAddress(), await wrappedNative.getAddress()];
  await dollar.mint(deployer, parseUnits("1000000", 6));
  await wrappedNative.deposit({ value: parseEther("500") });
  const uniswap = await deployUniswapV3(deployer, wrapped);
  await addPool(deployer, uniswap, 500, [
    { token: usd, amount: parseUnits("1000000", 6) },
    { token: wrapped, amount: parseEther("500") },
  ]);
  const deployProxy = (path: readonly string[], isNative: boolean) =>
    ethers.deployContract("UniswapV3Proxy", [uniswap.swapRouter02, 1, path, [500], wrapped, isNative]);
  const sell = await deployProxy([usd, wrapped], false);
  const sellForNative = await deployProxy([usd, wrapped], true);
  const buy = await deployProxy([wrapped, usd], false);
  return {
    ...(await measureUses(fills, "execute", () => deliverDollars(fills, sell, user, "execute"))),
    ...(await measureUses(fills, "execute, native output", () =>
      deliverDollars(fills, sellForNative, user, "execute"),
    )),
    ...(await measureUses(fills, "executeNative", () => deliverNative(fills, buy, user, "executeNative"))),
  };
}

async function measureWrappedNative(fills: Fills): Promise<GasFigures> {
  const { ethers, user, wrappedNative } = fills;
  const proxy = await ethers.deployContract("WrappedNativeProxy", [wrappedNative]);
  return {
    ...(await measureUses(fills, "execute", async () => {
      await fills.deliverWrapped(NATIVE);
      return { calls: withoutReset(await fills.tokenCalls(wrappedNative, proxy, user)) };
    })),
    ...(await measureUses(fills, "executeNative", () => deliverNative(fills, proxy, user, "executeNative"))),
  };
}

/** Calls of a fill, and the transaction's value in wei. */
interface Delivery {
  readonly calls: readonly FillCall[];
  readonly value?: bigint;
}

async function deliverDollars(
  fills: Fills,
  proxy: AddressLike,
  recipient: AddressLike,
  name: ProxyFunction,
): Promise<Delivery> {
  await fills.dollar.mint(fills.router, DOLLARS);
  return { calls: withoutReset(await fills.tokenCalls(fills.dollar, proxy, recipient, {}, name)) };
}

async function deliverNative(
  fills: Fills,
  proxy: AddressLike,
  recipient: AddressLike,
  name: ProxyFunction,
): Promise<Delivery> {
  return { calls: await fills.nativeCalls(proxy, recipient, {}, name), value: NATIVE };
}

/** Removes the call that revokes the approval, which a fill does not need. */
function withoutReset(calls: readonly FillCall[]): readonly FillCall[] {
  return calls.slice(0, -1);
}

/** @param deliver function that funds the router for one fill */
async function measureUses(fills: Fills, name: string, deliver: () => Promise<Delivery>): Promise<GasFigures> {
  const figures: Record<string, string> = {};
  for (const use of ["first", "second"]) {
    const { calls, value } = await deliver();
    // Interest and price records depend on elapsed time.
    await fills.networkHelpers.time.increase(60);
    const receipt = await (await fills.fill(calls, value)).wait();
    if (receipt?.status !== 1) throw new Error(`the ${use} use of ${name} failed`);
    figures[`${name} through router ${fills.version}, ${use} use`] = String(receipt.gasUsed);
  }
  return figures;
}
