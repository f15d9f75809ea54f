import { type Address, type Hex, type LocalAccount, numberToHex } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import { localAccounts } from "../../localnet/devchain/accounts.ts";
import { createMutex } from "../../localnet/devchain/mutex.ts";
import { ProviderError } from "./providerError.ts";
import { createBundles } from "./sendCalls.ts";
import { sendSigned, signMessage, signPageTransaction, signTypedData } from "./signing.ts";
import { askNode, createWalletChains, toChainId, type WalletChain, type WalletRequest } from "./walletChains.ts";

/** Options of `injectWallet`. */
export interface WalletOptions {
  /** Chains that the wallet knows, such as `network.chains`. The first chain is active. */
  readonly chains: readonly WalletChain[];
  /** Accounts of the wallet; the first account is active. The network's user by default. */
  readonly accounts?: readonly LocalAccount[];
  /** Whether the page can use the accounts from the start; false by default, so that the page must request access. */
  readonly isConnected?: boolean;
  /**
   * Batches of calls (EIP-5792): `supported` by default, `ready` if the wallet upgrades the account with the first
   * batch, or `unsupported` for a wallet that does not have these methods.
   */
  readonly batches?: "supported" | "ready" | "unsupported";
  /** Name in the page's list of wallets (EIP-6963); `Local wallet` by default. */
  readonly name?: string;
}

/** A wallet in a page. The test controls it like a user. */
export interface InjectedWallet {
  /** The active account. */
  readonly address: Address;
  /** The active chain. */
  readonly chainId: number;
  /** Requests from the page, in order. */
  readonly requests: readonly WalletRequest[];
  /**
   * Rejects, with code 4001, the next request that needs approval. If `method` is set, rejects only a request for this
   * method.
   */
  rejectNext(method?: string): void;
  /**
   * Selects another chain in the wallet.
   *
   * @throws InvalidInputError if the wallet does not know the chain
   */
  switchChain(chainId: number): Promise<void>;
  /**
   * Selects another account in the wallet.
   *
   * @throws InvalidInputError if the wallet does not have the account
   */
  switchAccount(address: Address): Promise<void>;
  /** Removes the page's access to the accounts. */
  disconnect(): Promise<void>;
}

/** Passes an EIP-1193 event to the page. */
export type EmitEvent = (event: "accountsChanged" | "chainChanged", value: unknown) => Promise<void>;

export interface Wallet {
  readonly wallet: InjectedWallet;
  /** Handles a request from the page. */
  readonly handle: (request: WalletRequest) => Promise<unknown>;
}

export function createWallet(options: WalletOptions, emit: EmitEvent): Wallet {
  const { isConnected = false, batches = "supported" } = options;
  const accounts = [...(options.accounts ?? [localAccounts.user])];
  const [{ id: firstId } = { id: 0 }] = options.chains;
  if (firstId === 0) throw refusal("chains", options.chains, "must not be empty", "Pass network.chains.");
  if (accounts.length === 0)
    throw refusal("accounts", [], "must not be empty", "Omit `accounts` to use the network's user.");
  const chains = createWalletChains(options.chains, firstId);
  const bundles = createBundles(chains);
  // Handles one request at a time, like a wallet's user interface; transactions also need consecutive nonces.
  const inTurn = createMutex();
  const requests: WalletRequest[] = [];
  const rejections: (string | undefined)[] = [];
  let hasAccess = isConnected;

  const addresses = (): Address[] => (hasAccess ? accounts.map(({ address }) => address) : []);
  const activeAddress = (): Address => accounts[0]?.address ?? "0x";

  const approve = (method: string): void => {
    const index = rejections.findIndex((rejected) => rejected === undefined || rejected === method);
    if (index < 0) return;
    rejections.splice(index, 1);
    throw new ProviderError("userRejected", "The user rejected the request.");
  };
  const accountOf = (address: unknown): LocalAccount => {
    const account = accounts.find((each) => typeof address === "string" && sameAddress(each.address, address));
    if (account !== undefined && hasAccess) return account;
    throw new ProviderError("unauthorized", `The page has no access to the account ${String(address)}.`);
  };
  const connect = async (method: string): Promise<void> => {
    if (hasAccess) return;
    approve(method);
    hasAccess = true;
    await emit("accountsChanged", addresses());
  };
  const disconnect = async (): Promise<void> => {
    if (!hasAccess) return;
    hasAccess = false;
    await emit("accountsChanged", []);
  };
  const activate = async (chainId: number): Promise<null> => {
    if (chainId === chains.activeId) return null;
    chains.activate(chainId);
    await emit("chainChanged", numberToHex(chainId));
    return null;
  };
  const permissions = (): unknown[] =>
    hasAccess
      ? [{ parentCapability: "eth_accounts", caveats: [{ type: "restrictReturnedAccounts", value: addresses() }] }]
      : [];

  /** Handlers for requests that the user approves, one at a time. */
  const approved: Readonly<Record<string, (params: readonly unknown[], method: string) => Promise<unknown>>> = {
    async eth_requestAccounts(_params, method) {
      await connect(method);
      return addresses();
    },
    async wallet_requestPermissions(_params, method) {
      await connect(method);
      return permissions();
    },
    async wallet_switchEthereumChain([parameter], method) {
      const id = toChainId((parameter as { readonly chainId?: unknown } | undefined)?.chainId);
      chains.client(id);
      if (id !== chains.activeId) approve(method);
      return activate(id);
    },
    async wallet_addEthereumChain([parameter], method) {
      approve(method);
      return activate(await chains.add(parameter));
    },
    async wallet_watchAsset(_params, method) {
      approve(method);
      return Promise.resolve(true);
    },
    async personal_sign([message, address], method) {
      const account = accountOf(address);
      approve(method);
      return signMessage(account, message);
    },
    async eth_signTypedData_v4([address, data], method) {
      const account = accountOf(address);
      approve(method);
      return signTypedData(chains, account, data);
    },
    async eth_sendTransaction([transaction], method) {
      const account = accountOf((transaction as { readonly from?: unknown } | undefined)?.from);
      approve(method);
      return sendSigned(chains.client(), await signPageTransaction(chains, account, transaction));
    },
    ...(batches === "unsupported"
      ? {}
      : {
          async wallet_sendCalls([parameter], method) {
            const bundle = bundles.read(parameter);
            const { from = activeAddress() } = parameter as { readonly from?: unknown };
            const account = accountOf(from);
            approve(method);
            return bundles.send(account, bundle);
          },
        }),
  };

  /** Handlers for requests that the wallet responds to immediately. */
  const immediate: Readonly<Record<string, (params: readonly unknown[]) => Promise<unknown>>> = {
    eth_accounts: () => Promise.resolve(addresses()),
    eth_chainId: () => Promise.resolve(numberToHex(chains.activeId)),
    wallet_getPermissions: () => Promise.resolve(permissions()),
    async wallet_revokePermissions() {
      await disconnect();
      return null;
    },
    ...(batches === "unsupported"
      ? {}
      : {
          wallet_getCallsStatus: ([id]) => bundles.statusOf(id),
          wallet_showCallsStatus: () => Promise.resolve(null),
          async wallet_getCapabilities([address, chainIds]) {
            const account = accountOf(address);
            const asked = Array.isArray(chainIds) ? chainIds.map(toChainId) : options.chains.map(({ id }) => id);
            const entries = asked
              .filter((id) => chains.has(id))
              .map(async (id): Promise<[Hex, unknown]> => {
                const isReady = batches === "ready" && !(await bundles.isUpgraded(account.address, id));
                return [numberToHex(id), { atomic: { status: isReady ? "ready" : "supported" } }];
              });
            return Object.fromEntries(await Promise.all(entries));
          },
        }),
  };

  const wallet: InjectedWallet = {
    get address() {
      return activeAddress();
    },
    get chainId() {
      return chains.activeId;
    },
    requests,
    rejectNext(method) {
      rejections.push(method);
    },
    async switchChain(chainId) {
      if (!chains.has(chainId)) throw refusal("chainId", chainId, "is unknown to the wallet", "Add it to chains.");
      await activate(chainId);
    },
    async switchAccount(address) {
      const index = accounts.findIndex((account) => sameAddress(account.address, address));
      if (index < 0) throw refusal("address", address, "is not an account of the wallet", "Add it to accounts.");
      if (index === 0) return;
      accounts.unshift(...accounts.splice(index, 1));
      if (hasAccess) await emit("accountsChanged", addresses());
    },
    disconnect,
  };
  return {
    wallet,
    async handle(request) {
      requests.push(request);
      const { method, params } = request;
      const ask = Object.hasOwn(approved, method) ? approved[method] : undefined;
      if (ask !== undefined) return inTurn(() => ask(params, method));
      const answer = Object.hasOwn(immediate, method) ? immediate[method] : undefined;
      if (answer !== undefined) return answer(params);
      return askNode(chains.client(), request);
    },
  };
}

function sameAddress(left: Address, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function refusal(field: string, value: unknown, reason: string, hint: string): InvalidInputError {
  return new InvalidInputError({ field, value, reason, hint });
}
