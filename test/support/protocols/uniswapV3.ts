import { BaseContract, MaxUint256, type Signer, ZeroAddress } from "ethers";

import { deployPublished, readAddress, send } from "./published.ts";

/** Uniswap v3 with both of its routers. */
export interface UniswapV3 {
  readonly factory: BaseContract;
  readonly positions: BaseContract;
  readonly quoter: BaseContract;
  readonly swapRouter: string;
  readonly swapRouter02: string;
}

/** One side of a pool: a token, and the amount that the deployer provides. */
export interface PoolSide {
  readonly token: string;
  readonly amount: bigint;
}

const CORE = "@uniswap/v3-core/artifacts/contracts";
const PERIPHERY = "@uniswap/v3-periphery/artifacts/contracts";
const ROUTERS = "@uniswap/swap-router-contracts/artifacts/contracts";

/** Tick spacing of each fee. The outermost ticks of a pool are multiples of it. */
const TICK_SPACINGS: Readonly<Record<number, number>> = { 500: 10, 3_000: 60, 10_000: 200 };
const MAX_TICK = 887_272;

export async function deployUniswapV3(deployer: Signer, wrappedNative: string): Promise<UniswapV3> {
  const factory = await deployPublished(deployer, `${CORE}/UniswapV3Factory.sol/UniswapV3Factory.json`);
  const positions = await deployPublished(
    deployer,
    `${PERIPHERY}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`,
    // The descriptor, which only draws images, is not needed.
    [factory, wrappedNative, ZeroAddress],
  );
  const swapRouter = await deployPublished(deployer, `${PERIPHERY}/SwapRouter.sol/SwapRouter.json`, [
    factory,
    wrappedNative,
  ]);
  const swapRouter02 = await deployPublished(deployer, `${ROUTERS}/SwapRouter02.sol/SwapRouter02.json`, [
    ZeroAddress,
    factory,
    positions,
    wrappedNative,
  ]);
  const quoter = await deployPublished(deployer, `${PERIPHERY}/lens/Quoter.sol/Quoter.json`, [factory, wrappedNative]);
  return {
    factory,
    positions,
    quoter,
    swapRouter: await swapRouter.getAddress(),
    swapRouter02: await swapRouter02.getAddress(),
  };
}

/**
 * Creates a pool with the ratio of the two amounts as its price, and with the deployer's liquidity over the entire
 * range.
 *
 * @returns the pool's address
 */
export async function addPool(
  deployer: Signer,
  { factory, positions }: UniswapV3,
  fee: number,
  sides: readonly [PoolSide, PoolSide],
): Promise<string> {
  const spacing = TICK_SPACINGS[fee];
  if (spacing === undefined) throw new RangeError(`no pool has the fee ${fee}`);
  const [side0, side1] = BigInt(sides[0].token) < BigInt(sides[1].token) ? sides : [sides[1], sides[0]];
  const price = squareRoot((side1.amount << 192n) / side0.amount);
  await send(positions, "createAndInitializePoolIfNecessary", side0.token, side1.token, fee, price);
  for (const { token, amount } of sides) {
    await send(new BaseContract(token, ["function approve(address,uint256)"], deployer), "approve", positions, amount);
  }
  const tick = Math.floor(MAX_TICK / spacing) * spacing;
  await send(positions, "mint", {
    token0: side0.token,
    token1: side1.token,
    fee,
    tickLower: -tick,
    tickUpper: tick,
    amount0Desired: side0.amount,
    amount1Desired: side1.amount,
    amount0Min: 0n,
    amount1Min: 0n,
    recipient: await deployer.getAddress(),
    deadline: MaxUint256,
  });
  return readAddress(factory, "getPool", side0.token, side1.token, fee);
}

/** Computes the square root with Newton's method, from above. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}
