// Gas of a fill with each typed proxy: `npm run bench:proxies`. Measures the whole transaction of a multicall that
// approves, acts and revokes the approval, for a recipient's first and second use.
import { type AddressLike, ZeroAddress, parseEther, parseUnits } from "ethers";

import { type FillCall, createFills } from "../test/support/fills.ts";
import { addReserve, deployAaveV3 } from "../test/support/protocols/aaveV3.ts";
import { send } from "../test/support/protocols/published.ts";
import { addPool, deployUniswapV3 } from "../test/support/protocols/uniswapV3.ts";

/** A kind of fill. */
interface Case {
  readonly name: string;
  readonly deliver: () => Promise<unknown>;
  readonly calls: () => Promise<FillCall[]>;
  readonly value?: bigint;
}

const DOLLARS = parseUnits("100", 6);
const NATIVE = parseEther("0.05");

const fills = await createFills(undefined, "3.0");
const { ethers, networkHelpers, deployer, user, router, dollar, wrappedNative, tokenCalls, nativeCalls, fill } = fills;
const usd = await dollar.getAddress();
const wrapped = await wrappedNative.getAddress();
const eur = await ethers.deployContract("LocalDollar");
await networkHelpers.setBalance(deployer.address, parseEther("100000"));
await dollar.mint(deployer, parseUnits("10000000", 6));
await eur.mint(deployer, parseUnits("10000000", 6));
await wrappedNative.deposit({ value: parseEther("10000") });

/** A fill in dollars. Proxies hold one unit of their input token, like deployed proxies. */
async function inDollars(name: string, proxy: AddressLike, functionName?: "repay"): Promise<Case> {
  await dollar.mint(proxy, 1n);
  return {
    name,
    deliver: () => dollar.mint(router, DOLLARS),
    calls: () => tokenCalls(usd, proxy, user, {}, functionName),
  };
}

async function inNative(name: string, proxy: AddressLike, functionName?: "repayNative"): Promise<Case> {
  await wrappedNative.transfer(proxy, 1n);
  return {
    name,
    deliver: () => Promise.resolve(),
    calls: () => nativeCalls(proxy, user, {}, functionName),
    value: NATIVE,
  };
}

async function vaultCases(): Promise<Case[]> {
  const vault = await ethers.deployContract("LocalVault", [dollar, "Vault", "VLT"]);
  await dollar.mint(deployer, 1n);
  await dollar.approve(vault, 1n);
  await vault.deposit(1n, deployer);
  return [await inDollars("ERC-4626 deposit", await ethers.deployContract("Erc4626Proxy", [vault, ZeroAddress]))];
}

async function wrappedCases(): Promise<Case[]> {
  const proxy = await ethers.deployContract("WrappedNativeProxy", [wrappedNative]);
  return [
    {
      name: "unwrap",
      deliver: () => fills.deliverWrapped(NATIVE),
      calls: () => tokenCalls(wrapped, proxy, user),
    },
    await inNative("wrap", proxy),
  ];
}

async function aaveCases(): Promise<Case[]> {
  const aave = await deployAaveV3(deployer);
  const cases: Case[] = [];
  for (const [asset, symbol, decimals, dollars] of [
    [usd, "USD", 6, 1],
    [wrapped, "ETH", 18, 2_000],
  ] as const) {
    const { aToken, variableDebtToken } = await addReserve(deployer, aave, { asset, symbol, decimals, dollars });
    const token = await fills.tokenAt(asset);
    const amount = parseUnits("1000", decimals);
    await token.approve(aave.pool, 2n * amount);
    await send(aave.pool, "supply", asset, amount, deployer.address, 0);
    await send(aave.pool, "supply", asset, amount, user.address, 0);
    const proxy = await ethers.deployContract("AaveV3Proxy", [aToken, variableDebtToken, wrapped]);
    const borrower = aave.pool.connect(user);
    await send(borrower, "borrow", asset, amount / 2n, 2, 0, user.address);
    if (asset === usd) cases.push(await inDollars("Aave supply", proxy), await inDollars("Aave repay", proxy, "repay"));
    else
      cases.push(
        await inNative("Aave supply, native", proxy),
        await inNative("Aave repay, native", proxy, "repayNative"),
      );
  }
  return cases;
}

async function uniswapCases(): Promise<Case[]> {
  const uniswap = await deployUniswapV3(deployer, wrapped);
  const million = (token: string) => ({ token, amount: parseUnits("1000000", 6) });
  const eurAddress = await eur.getAddress();
  await addPool(deployer, uniswap, 500, [million(usd), { token: wrapped, amount: parseEther("500") }]);
  await addPool(deployer, uniswap, 3_000, [million(eurAddress), { token: wrapped, amount: parseEther("500") }]);
  const cases: Case[] = [];
  for (const [name, swapRouter, generation] of [
    ["SwapRouter", uniswap.swapRouter, 0],
    ["SwapRouter02", uniswap.swapRouter02, 1],
  ] as const) {
    const deploy = (tokens: string[], fees: number[], givesNative = false) =>
      ethers.deployContract("UniswapV3Proxy", [swapRouter, generation, tokens, fees, wrapped, givesNative]);
    cases.push(
      await inDollars(`Uniswap ${name}, one pool`, await deploy([usd, wrapped], [500])),
      await inDollars(`Uniswap ${name}, one pool, to native`, await deploy([usd, wrapped], [500], true)),
      await inDollars(`Uniswap ${name}, two pools`, await deploy([usd, wrapped, eurAddress], [500, 3_000])),
      await inNative(`Uniswap ${name}, one pool, from native`, await deploy([wrapped, usd], [500])),
    );
  }
  return cases;
}

async function compoundCases(): Promise<Case[]> {
  const comet = await ethers.deployContract("CometStandIn", [dollar, wrappedNative, parseEther("1000")]);
  const base = await ethers.deployContract("CompoundV3Proxy", [comet, dollar, ZeroAddress]);
  const collateral = await ethers.deployContract("CompoundV3Proxy", [comet, wrappedNative, wrappedNative]);
  return [
    await inDollars("Compound stand-in, base", base),
    await inNative("Compound stand-in, native as collateral", collateral),
  ];
}

async function gasOf({ deliver, calls, value }: Case): Promise<bigint> {
  await deliver();
  const receipt = await (await fill(await calls(), value)).wait();
  if (receipt === null) throw new Error("the fill was not mined");
  return receipt.gasUsed;
}

const groups = [vaultCases, wrappedCases, aaveCases, uniswapCases, compoundCases];
console.log(`${"fill".padEnd(48)}${"first".padStart(10)}${"second".padStart(10)}`);
for (const group of groups) {
  for (const kind of await group()) {
    const first = await gasOf(kind);
    const second = await gasOf(kind);
    console.log(`${kind.name.padEnd(48)}${first.toString().padStart(10)}${second.toString().padStart(10)}`);
  }
}
