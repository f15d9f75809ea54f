import { type Account, type Chain, createWalletClient, custom, http, type Transport, type WalletClient } from "viem";

import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import {
  type ChainClient,
  chainClient,
  describeChain,
} from "../../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { startEdrChain } from "../../../../packages/crosscall/src/localnet/devchain/edr.ts";
import type { ChainNode } from "../../../../packages/crosscall/src/localnet/devchain/node.ts";

export const CHAIN_ID = 31_337;

/** Reverts every call. */
const REVERTING_CODE = "0x5f5ffd";

/** Chain in this process, with a wallet for the user. */
export interface TestChain {
  readonly client: ChainClient;
  readonly wallet: WalletClient<Transport, Chain, Account>;
  /** Returns a wallet with a node that fails this method. */
  walletWithout(method: string): WalletClient<Transport, Chain, Account>;
  /** Returns a wallet with a node that changes its responses. */
  walletWith(change: NodeChange): WalletClient<Transport, Chain, Account>;
  /** Returns the number of transactions that the user sent. */
  countSent(): Promise<number>;
  /** Sets whether transactions are included immediately, or only by `mine`. */
  setAutomine(isOn: boolean): Promise<void>;
  mine(): Promise<void>;
  /** Calls an RPC method on the node. */
  request(method: string, params: unknown[]): Promise<unknown>;
  /** Makes every call to an address revert. */
  breakContract(address: `0x${string}`): Promise<void>;
}

/** Returns a node's response to a method. `respond` returns the unchanged response. */
export type NodeChange = (method: string, respond: () => Promise<unknown>) => Promise<unknown>;

/** Starts a real chain for the calling suite. */
export function useChain(): TestChain {
  let edr: ChainNode;
  let client: ChainClient;
  const request = (method: string, params: unknown[]): Promise<unknown> =>
    (client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>)({ method, params });
  const walletOver = (transport: Transport): WalletClient<Transport, Chain, Account> =>
    createWalletClient({
      account: localAccounts.user,
      chain: describeChain(CHAIN_ID, edr.rpcUrl),
      transport,
      pollingInterval: 10,
    });
  const walletWith = (change: NodeChange): WalletClient<Transport, Chain, Account> => {
    const provider = {
      request: ({ method, params }: { method: string; params?: unknown[] }) =>
        change(method, () => request(method, params ?? [])),
    };
    return walletOver(custom(provider, { retryCount: 0 }));
  };
  before(async () => {
    edr = await startEdrChain(CHAIN_ID);
    client = chainClient(CHAIN_ID, edr.rpcUrl);
  });
  after(() => edr.close());
  return {
    get client() {
      return client;
    },
    get wallet() {
      return walletOver(http(edr.rpcUrl, { retryCount: 0 }));
    },
    walletWithout: (missing) =>
      walletWith((method, respond) => (method === missing ? Promise.reject(new Error("the node failed")) : respond())),
    walletWith,
    countSent: () => client.getTransactionCount({ address: localAccounts.user.address, blockTag: "pending" }),
    async setAutomine(isOn) {
      await request("evm_setAutomine", [isOn]);
    },
    async mine() {
      await request("evm_mine", []);
    },
    request,
    async breakContract(address) {
      await request("hardhat_setCode", [address, REVERTING_CODE]);
    },
  };
}
