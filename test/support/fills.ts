import { expect } from "chai";
import { type AddressLike, Interface, MaxUint256, ZeroHash, resolveAddress } from "ethers";
import { network } from "hardhat";

import type { LocalRouterVersion } from "../../packages/protocol/src/generations/routers.ts";
import { sendToEachRouter } from "./eachRouter.ts";
import { deployWrappedNative } from "./protocols/wrappedNative.ts";

/** Call in a fill. */
export interface FillCall {
  readonly target: string;
  readonly allowFailure: boolean;
  readonly value: bigint;
  readonly callData: string;
}

/** Arguments of the call to `execute` except the recipient, and the kind of call. */
export interface Limits {
  readonly minimumIn?: bigint;
  readonly minimumOut?: bigint;
  readonly deadline?: bigint;
}

/** Functions of every proxy, and the additional function of Aave's proxy. */
export type ProxyFunction = "execute" | "executeNative" | "repay" | "repayNative";

const PROXIES = new Interface(
  ["execute", "executeNative", "repay", "repayNative"].map(
    (name) => `function ${name}(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)`,
  ),
);

/** Gas limit above the needs of any fill. An estimate would run each fill one more time. */
const GAS_LIMIT = 5_000_000n;

/** Local routers by version. */
const ROUTERS = { "3.0": "LocalRouter", "3.2": "LocalRouter32" } as const;

/** Setup with its own chain. */
interface Setup {
  readonly networkHelpers: { takeSnapshot(): Promise<{ restore(): Promise<void> }> };
}

/** Creates a setup on first use, and resets its chain to that state for each later test. */
export function fixture<Made extends Setup>(make: () => Promise<Made>): () => Promise<Made> {
  let first: Promise<{ readonly made: Made; readonly restore: () => Promise<void> }> | undefined;
  return async () => {
    if (first !== undefined) {
      const { made, restore } = await first;
      await restore();
      return made;
    }
    first = make().then(async (made) => {
      const snapshot = await made.networkHelpers.takeSnapshot();
      return { made, restore: () => snapshot.restore() };
    });
    return (await first).made;
  };
}

/**
 * Creates a chain with the service's router, a dollar token, wrapped native currency, and helpers to fill.
 *
 * @param name name of the Hardhat network; the default network if absent
 * @param version version of the router; if absent, each fill runs with every version
 */
export async function createFills(name?: string, version?: LocalRouterVersion) {
  const connection = await network.create(name);
  const { ethers, networkHelpers } = connection;
  const [deployer, user, stranger] = await ethers.getSigners();
  if (deployer === undefined || user === undefined || stranger === undefined) throw new Error("too few accounts");
  const routerAddress = await (await ethers.deployContract(ROUTERS[version ?? "3.0"])).getAddress();
  const router = await ethers.getContractAt("LocalRouter", routerAddress);
  const dollar = await ethers.deployContract("LocalDollar");
  const wrappedNative = await ethers.getContractAt("IWrappedNative", await deployWrappedNative(deployer));

  /** Returns the contract of any token, with an ABI of functions that all tokens have. */
  const tokenAt = (address: string) => ethers.getContractAt("IWrappedNative", address);

  const callTo = (target: string, callData: string): FillCall => ({ target, allowFailure: false, value: 0n, callData });

  const approve = async (token: AddressLike, spender: AddressLike, amount: bigint): Promise<FillCall> =>
    callTo(
      await resolveAddress(token),
      dollar.interface.encodeFunctionData("approve", [await resolveAddress(spender), amount]),
    );

  const encode = (
    name: ProxyFunction,
    recipient: string,
    { minimumIn = 1n, minimumOut = 1n, deadline = MaxUint256 }: Limits,
  ): string => PROXIES.encodeFunctionData(name, [recipient, minimumIn, minimumOut, deadline]);

  /** Returns the calls for a fill in a token: approve, act, and revoke the approval. */
  const tokenCalls = async (
    token: AddressLike,
    proxy: AddressLike,
    recipient: AddressLike,
    limits: Limits = {},
    name: ProxyFunction = "execute",
  ): Promise<FillCall[]> => [
    await approve(token, proxy, MaxUint256),
    callTo(await resolveAddress(proxy), encode(name, await resolveAddress(recipient), limits)),
    await approve(token, proxy, 0n),
  ];

  /** Returns the call for a fill in native currency, which sends the router's entire native balance to the proxy. */
  const nativeCalls = async (
    proxy: AddressLike,
    recipient: AddressLike,
    limits: Limits = {},
    name: ProxyFunction = "executeNative",
  ): Promise<FillCall[]> => {
    const data = encode(name, await resolveAddress(recipient), limits);
    const to = await resolveAddress(proxy);
    return [callTo(routerAddress, router.interface.encodeFunctionData("cleanupNativeViaCall", [0n, to, data]))];
  };

  /** Sends a fill. The router sends leftover native currency to the stranger, who must receive none. */
  const fill = (calls: readonly FillCall[], value = 0n, nftRecipient: AddressLike = user) => {
    const send = () => router.multicall([...calls], stranger, nftRecipient, ZeroHash, { value, gasLimit: GAS_LIMIT });
    return version === undefined ? sendToEachRouter(connection, routerAddress, send) : send();
  };

  /** Asserts that the router and the proxy keep nothing from a fill. */
  const expectEmpty = async (proxy: AddressLike, spender: AddressLike, ...tokens: string[]): Promise<void> => {
    for (const holder of [routerAddress, await resolveAddress(proxy)]) {
      expect(await ethers.provider.getBalance(holder), "native").to.equal(0n);
      for (const address of tokens) {
        const token = await tokenAt(address);
        expect(await token.balanceOf(holder), `balance of ${address}`).to.equal(0n);
      }
    }
    for (const address of tokens) {
      const token = await tokenAt(address);
      expect(await token.allowance(routerAddress, proxy), "allowance of the router").to.equal(0n);
      // Asserts the standing allowance of a contract without funds. Some tokens decrease the allowance.
      expect(await token.allowance(proxy, spender)).to.satisfy((left: bigint) => left === 0n || left > MaxUint256 / 2n);
    }
  };

  /** Delivers wrapped native currency to the router, as a solver does. */
  const deliverWrapped = async (amount: bigint): Promise<void> => {
    await wrappedNative.deposit({ value: amount });
    await wrappedNative.transfer(router, amount);
  };

  return {
    ethers,
    networkHelpers,
    deployer,
    user,
    stranger,
    router,
    dollar,
    wrappedNative,
    tokenAt,
    callTo,
    approve,
    tokenCalls,
    nativeCalls,
    fill,
    expectEmpty,
    deliverWrapped,
  };
}
