import {
  type Account,
  type Address,
  type Chain,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseUnits,
  type PrivateKeyAccount,
  type PublicClient,
  type Transport,
  type WalletClient,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { arbitrum, base, mainnet, optimism, polygon } from "viem/chains";

import { localAccountList } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { type Localnet, localnet } from "../../../packages/crosscall/src/localnet/index.ts";
import { until } from "../../support/until.ts";
import type { Redirects } from "./redirectFetch.ts";

export const API_KEY = "crosscall-local";
export const BASE_USDC: Address = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const ARBITRUM_USDC: Address = "0xaf88d065e77c8cC2239327C5EDb3A432268e5831";
export const OPTIMISM_USDT: Address = "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58";
/** NFT contract whose tokens the batch example sells. */
const PENGU: Address = "0x01e6bd233f7021e4f5698a3ae44242b76a246c0a";

const LIVE_CHAINS: readonly Chain[] = [mainnet, optimism, polygon, base, arbitrum];

/** Runs one check of a program and records its result. */
export type Check = (name: string, act: () => unknown) => Promise<void>;

export interface SentTransaction {
  readonly chainId?: number;
  readonly to?: string;
  readonly data?: string;
  readonly value?: string;
}

/** Network that mimics mainnet, with funded wallets. */
export interface Stage {
  readonly network: Localnet;
  /** Maps URLs of live services to their replacements. */
  readonly redirects: Redirects;
  /** The chains as viem defines them, with the local nodes' URLs. */
  readonly chains: readonly Chain[];
  /** Different programs use different accounts, which hold dollars on every chain. */
  readonly accountOf: (name: string) => PrivateKeyAccount & { readonly privateKey: Hex };
  readonly clients: (
    account: Account,
    chainId: number,
  ) => { readonly wallet: WalletClient<Transport, Chain, Account>; readonly node: PublicClient };
  /** Sends a transaction from a quote and waits until it is mined. */
  readonly send: (account: Account, transaction: SentTransaction) => Promise<Hex>;
}

export async function openStage(): Promise<Stage> {
  const network = await localnet({
    like: "mainnet",
    chains: LIVE_CHAINS.map(({ id }) => ({ id, blockTimeMs: 0 })),
    tokens: [{ chainId: base.id, address: PENGU, symbol: "PENGU", decimals: 18, priceUsd: 0.01 }],
    apiKeys: [API_KEY],
    sponsoringApiKeys: [API_KEY],
    defaultApiKey: API_KEY,
    keepsRetired: true,
    svm: true,
  });
  const { user, spare } = network.accounts;
  for (const chain of network.chains) {
    for (const { address } of [user, ...spare]) {
      await chain.fund(address, chain.contracts.dollar, parseUnits("10000", 6));
      await chain.fund(address, chain.contracts.tether, parseUnits("10000", 6));
    }
  }
  const rpcUrlOf = (id: number): string => find(network.chains, id).rpcUrl;
  await find(network.chains, base.id).fund(user.address, PENGU, parseUnits("10000", 18));
  const chains = LIVE_CHAINS.map((chain) => ({ ...chain, rpcUrls: { default: { http: [rpcUrlOf(chain.id)] } } }));
  const clients: Stage["clients"] = (account, chainId) => {
    const options = { chain: find(chains, chainId), transport: http(), pollingInterval: 25 };
    return { wallet: createWalletClient({ account, ...options }), node: createPublicClient(options) as PublicClient };
  };
  return {
    network,
    redirects: { "https://api.relay.link": network.url, "https://mainnet.base.org": rpcUrlOf(base.id) },
    chains,
    accountOf(name) {
      const found = localAccountList.find((account) => account.name === name);
      if (found === undefined) throw new Error(`no account ${name}`);
      return { ...privateKeyToAccount(found.privateKey), privateKey: found.privateKey };
    },
    clients,
    async send(account, { chainId = 0, to, data = "0x", value = "0" }) {
      const { wallet, node } = clients(account, chainId);
      const hash = await wallet.sendTransaction({ to: to as Address, data: data as Hex, value: BigInt(value) });
      await node.waitForTransactionReceipt({ hash });
      return hash;
    },
  };
}

/** Returns a transaction that approves a spender. */
export function approval(chainId: number, token: string, spender: string, amount: bigint): SentTransaction {
  const args = [spender as Address, amount] as const;
  return { chainId, to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }) };
}

/** Polls a request until it is filled. */
export async function followToSuccess(read: () => Promise<{ readonly status: string }>): Promise<void> {
  await until(async () => {
    const { status } = await read();
    if (["failure", "refund", "refunded"].includes(status)) throw new Error(`the request ended as ${status}`);
    return status === "success";
  });
}

function find<Found extends { readonly id: number }>(all: readonly Found[], id: number): Found {
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no chain ${id}`);
  return found;
}
