import { expect } from "chai";
import { type AddressLike, parseUnits } from "ethers";
import type { Address } from "viem";

import type { Call } from "../../../packages/protocol/src/common/call.ts";
import type { LocalRouterVersion } from "../../../packages/protocol/src/generations/routers.ts";
import { createFills } from "../../support/fills.ts";

export const dollars = (amount: string): bigint => parseUnits(amount, 6);

/** The quoted amount. */
export const PLANNED = dollars("1000");

/** Amount that the solver delivers. */
export const DELIVERED = dollars("1234.567891");

/** Ways to use a live token amount. */
export const WAYS = ["proxy", "push", "pull"] as const;

/** Contracts that must have no balance and no allowance after a fill. */
export interface Emptied {
  /** The kit's typed proxies. */
  readonly proxies?: readonly Address[];
  readonly protocols?: readonly Address[];
}

/** Creates a chain with the kit's executor, and helpers to run a plan. */
export async function createPlanFills(version?: LocalRouterVersion) {
  const fills = await createFills(undefined, version);
  const { ethers, stranger, router, dollar, wrappedNative } = fills;
  const addressOf = async (contract: { getAddress(): Promise<string> }) => (await contract.getAddress()) as Address;
  const executor = await ethers.deployContract("PushExecutor");
  const programs = { executor: await addressOf(executor), livePuller: (await executor.livePuller()) as Address };
  const [routerAddress, usd, weth] = [await addressOf(router), await addressOf(dollar), await addressOf(wrappedNative)];
  const user = fills.user.address as Address;

  /** Runs a plan. The router sends leftover native currency to the stranger, who must receive none. */
  const fill = async ({ txs }: { readonly txs: readonly Call[] }, value = 0n): Promise<void> => {
    const before = await ethers.provider.getBalance(stranger.address);
    const calls = txs.map((tx) => ({ target: tx.to, allowFailure: false, value: BigInt(tx.value), callData: tx.data }));
    await fills.fill(calls, value, stranger);
    expect(await ethers.provider.getBalance(stranger.address), "native left").to.equal(before);
  };

  const holds = async (token: string, holder: AddressLike): Promise<bigint> =>
    (await fills.tokenAt(token)).balanceOf(holder);

  const expectNothingLeft = async (
    tokens: readonly string[],
    { proxies = [], protocols = [] }: Emptied,
  ): Promise<void> => {
    for (const holder of [routerAddress, programs.executor, programs.livePuller, ...proxies]) {
      expect(await ethers.provider.getBalance(holder), "native").to.equal(0n);
      for (const token of tokens) expect(await holds(token, holder), `${token} of ${holder}`).to.equal(0n);
    }
    for (const address of tokens) {
      const token = await fills.tokenAt(address);
      // The router's allowances for the puller and the proxies may remain: they take tokens from their caller only.
      for (const spender of protocols) {
        expect(await token.allowance(routerAddress, spender), "allowance of the router").to.equal(0n);
      }
      for (const spender of [programs.livePuller, ...proxies, ...protocols]) {
        expect(await token.allowance(programs.executor, spender), "allowance of the executor").to.equal(0n);
      }
    }
  };

  return {
    ...fills,
    signer: fills.user,
    user,
    programs,
    usd,
    weth,
    base: { router: routerAddress, recipient: user } as const,
    addressOf,
    fill,
    holds,
    expectNothingLeft,
  };
}

/** Returns the contracts that a live amount uses. */
export function contractsOf(
  { programs }: Awaited<ReturnType<typeof createPlanFills>>,
  way: (typeof WAYS)[number],
  proxy: Address,
) {
  return way === "proxy" ? { proxy } : { programs: { ...programs, by: way } };
}
