import {
  type Account,
  type Address,
  type Chain,
  type Client,
  createClient,
  custom,
  formatTransactionRequest,
  type Hex,
  hexToBytes,
  type LocalAccount,
  numberToHex,
  type RpcTransactionRequest,
  type SignedAuthorization,
  type Transport,
  type WalletClient,
} from "viem";
import { signMessage, signTypedData } from "viem/actions";

import { isSameAddress, parseEvmAddress } from "@crosscall/protocol/chains";
import { InvalidInputError, MalformedDataError } from "@crosscall/protocol/core";
import type { PlannedTransaction } from "@crosscall/protocol/quote/rules";
import type { Verified, VerifiedStep } from "../verify/verifiedSteps.ts";
import { boundClient, type WaitLimits, withinPrompt } from "./node.ts";
import { switchChain } from "./switchChain.ts";
import { readSignature, readTransactionHash } from "./walletResponses.ts";

/** Fees in wei: EIP-1559 fees, or the gas price of older chains. */
export type GasFees =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint };

/** Complete transaction, which gives the same bytes each time it is signed. */
export interface FinalTransaction {
  readonly step: VerifiedStep<PlannedTransaction>;
  readonly nonce: number;
  readonly gas: bigint;
  readonly fees: GasFees;
}

/** EIP-191 message: text or bytes. */
export type PlainMessage = string | { readonly raw: Hex };

/** EIP-712. */
export interface TypedData {
  readonly domain: Record<string, unknown>;
  readonly types: Record<string, readonly { readonly name: string; readonly type: string }[]>;
  readonly primaryType: string;
  readonly value: Record<string, unknown>;
}

/** EIP-7702 authorization, which gives the account the delegate's code. */
export interface Authorization {
  readonly chainId: number;
  readonly address: Address;
  readonly nonce: number;
}

/** Wallet that signs and sends only types created by verification. */
export interface StepWallet {
  readonly address: Address;
  /** Client for the wallet and its node. Every request ends when the signal aborts or after a time limit. */
  readonly client: Client;
  /** Signs a transaction; undefined if the wallet cannot sign without sending. */
  readonly signTransaction: ((transaction: FinalTransaction) => Promise<Hex>) | undefined;
  /** Signs an authorization; undefined if the wallet cannot sign authorizations. */
  readonly signAuthorization: ((authorization: Authorization) => Promise<SignedAuthorization>) | undefined;
  /** Whether the wallet can support batches of calls (EIP-5792). */
  readonly mayBundle: boolean;
  /**
   * Sends a transaction. Returns the hash from the wallet, which can be the wallet's own id, or undefined without a
   * hash.
   */
  sendTransaction(transaction: FinalTransaction): Promise<Hex | undefined>;
  signMessage(message: PlainMessage): Promise<Hex>;
  signTypedData(data: Verified<TypedData>): Promise<Hex>;
}

/** Wallet that executes steps: a viem wallet client with an account, or an ethers v6 signer with a provider. */
export type ExecutionWallet = ViemWallet | EthersSigner;

export interface StepWallets {
  /** Switches the wallet's chain if needed. */
  on(chainId: number, from: string): Promise<StepWallet>;
  /** Returns the wallet that signs. Requires its account to be `from`, if passed. */
  signer(chainId: number, from?: string): StepWallet | undefined;
}

/**
 * Opens the wallets. `wallet` is used for chains that are not in `wallets`. Every request ends when the signal aborts
 * or after a time limit.
 */
export async function openWallets(
  wallet: ExecutionWallet | undefined,
  wallets: Readonly<Record<number, ExecutionWallet>> = {},
  limits: WaitLimits = {},
): Promise<StepWallets> {
  const fallback = wallet === undefined ? undefined : await openWallet(wallet, "wallet", limits);
  const byChain = new Map<number, StepWallet>();
  for (const [chainId, each] of Object.entries(wallets)) {
    byChain.set(Number(chainId), await openWallet(each, `wallets[${chainId}]`, limits));
  }
  const chains = [wallet, ...Object.values(wallets)].flatMap((each) => definedChain(each) ?? []);
  const find = (chainId: number): StepWallet | undefined => byChain.get(chainId) ?? fallback;
  const requireAccount = (chainId: number, { address }: StepWallet, from: string): void => {
    if (isSameAddress(from, address)) return;
    throw new InvalidInputError({
      field: byChain.has(chainId) ? `wallets[${chainId}].account` : "wallet.account",
      value: address,
      reason: `the quote is for ${from}`,
      hint: "Pass the wallet of that account, or request a quote for the wallet's account.",
    });
  };
  return {
    async on(chainId, from) {
      const found = find(chainId);
      if (found === undefined) {
        throw new InvalidInputError({
          field: `wallets[${chainId}]`,
          value: undefined,
          reason: `a step is performed on chain ${chainId}`,
          hint: `Pass a wallet for chain ${chainId}.`,
        });
      }
      requireAccount(chainId, found, from);
      await switchChain(found.client, chainId, { ...limits, chain: chains.find(({ id }) => id === chainId) });
      return found;
    },
    signer(chainId, from) {
      const found = find(chainId) ?? [...byChain.values()][0];
      if (found !== undefined && from !== undefined) requireAccount(chainId, found, from);
      return found;
    },
  };
}

export async function openWallet(wallet: ExecutionWallet, field: string, limits: WaitLimits = {}): Promise<StepWallet> {
  if ("getAddress" in wallet) return await fromEthersSigner(wallet, field, limits);
  const account = wallet.account as Account | undefined;
  if (account?.type === "json-rpc" || account?.type === "local") return fromViemWallet(wallet, limits);
  throw new InvalidInputError({
    field: `${field}.account`,
    value: account?.type,
    reason: "the wallet client requires an account that sends transactions",
    hint: "Pass `account` to createWalletClient. For a smart account, use its EIP-1193 provider as transport.",
  });
}

/** Returns a chain that can be added to a wallet. */
function definedChain(wallet: ExecutionWallet | undefined): Chain | undefined {
  const chain = wallet !== undefined && "chain" in wallet ? wallet.chain : undefined;
  return chain?.rpcUrls.default.http[0] === undefined ? undefined : chain;
}

/** viem wallet client with an account. */
export type ViemWallet = WalletClient<Transport, Chain | undefined, Account>;

/** Opens a viem wallet client. An account that holds its key signs before anything is sent. */
export function fromViemWallet(wallet: ViemWallet, limits: WaitLimits = {}): StepWallet {
  const { account } = wallet;
  const client = boundClient(wallet, limits);
  const local = account.type === "local" ? account : undefined;
  const signAuthorization = local?.signAuthorization;
  // Requests of the client have their own time limits.
  const sign = async (method: string, ask: () => Promise<Hex>): Promise<Hex> =>
    readSignature(client, account.address, await (local === undefined ? ask() : withinPrompt(method, limits, ask)));
  return {
    address: account.address,
    client,
    signTransaction:
      local === undefined
        ? undefined
        : (transaction) => withinPrompt("signTransaction", limits, () => signLocally(local, transaction)),
    signAuthorization:
      signAuthorization === undefined
        ? undefined
        : (authorization) => withinPrompt("signAuthorization", limits, () => signAuthorization(authorization)),
    mayBundle: local === undefined,
    async sendTransaction(transaction) {
      if (local !== undefined) {
        const signed = await withinPrompt("signTransaction", limits, () => signLocally(local, transaction));
        return readTransactionHash(await client.request({ method: "eth_sendRawTransaction", params: [signed] }));
      }
      // Does not use viem's action, which would prompt again with a different method after some errors.
      const request = toRpcTransaction(wallet, transaction);
      return readTransactionHash(await client.request({ method: "eth_sendTransaction", params: [request] }));
    },
    signMessage: (message) => sign("signMessage", () => signMessage(client, { account, message })),
    signTypedData: (data) => sign("signTypedData", () => signTypedData(client, { account, ...typedDataToSign(data) })),
  };
}

function signLocally(account: LocalAccount, { step, nonce, gas, fees }: FinalTransaction): Promise<Hex> {
  const { chainId, to, data, value } = step;
  const transaction = { chainId, to, data, value, nonce, gas };
  return "gasPrice" in fees
    ? account.signTransaction({ type: "legacy", ...transaction, ...fees })
    : account.signTransaction({ type: "eip1559", ...transaction, ...fees });
}

/** Includes the chain, so that a wallet that has since switched its chain rejects the transaction. */
function toRpcTransaction({ account, chain }: ViemWallet, { step, nonce, gas, fees }: FinalTransaction) {
  const { chainId, to, data, value } = step;
  const format = chain?.formatters?.transactionRequest?.format ?? formatTransactionRequest;
  const type = "gasPrice" in fees ? "legacy" : "eip1559";
  const parts = { account, type, to, data, value, nonce, gas, ...fees } as never;
  return { ...(format(parts, "sendTransaction") as RpcTransactionRequest), chainId: numberToHex(chainId) };
}

export interface EthersTransaction {
  readonly type: number;
  readonly from: string;
  readonly chainId: number;
  readonly nonce: number;
  readonly to: string;
  readonly data: string;
  readonly value: bigint;
  readonly gasLimit: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  readonly gasPrice?: bigint;
}

/**
 * Required part of an ethers v6 signer. Its provider must be a JSON-RPC provider (`JsonRpcProvider`,
 * `BrowserProvider`).
 */
export interface EthersSigner {
  readonly provider: object | null;
  getAddress(): Promise<string>;
  signTransaction(transaction: EthersTransaction): Promise<string>;
  sendTransaction(transaction: EthersTransaction): Promise<{ readonly hash: string }>;
  /** Returns the hash without waiting for the node. Available on signers of a wallet's provider. */
  sendUncheckedTransaction?(transaction: EthersTransaction): Promise<string>;
  signMessage(message: string | Uint8Array): Promise<string>;
  signTypedData(
    domain: Record<string, unknown>,
    types: Record<string, { name: string; type: string }[]>,
    value: Record<string, unknown>,
  ): Promise<string>;
}

/** Default polling interval in milliseconds. */
const POLLING_INTERVAL_MS = 1_000;

interface JsonRpcSender {
  send(method: string, parameters: readonly unknown[]): Promise<unknown>;
}

/** Opens an ethers signer. A signer that holds its key (`Wallet`) signs before anything is sent. */
async function fromEthersSigner(signer: EthersSigner, field: string, limits: WaitLimits = {}): Promise<StepWallet> {
  const { provider } = signer;
  if (!isJsonRpcSender(provider)) {
    throw new InvalidInputError({
      field: `${field}.provider`,
      value: provider === null ? null : typeof provider,
      reason: "it must be a JSON-RPC provider",
      hint: "Connect the signer to a JsonRpcProvider or a BrowserProvider.",
    });
  }
  const ask = <Result>(method: string, work: () => Promise<Result>): Promise<Result> =>
    withinPrompt(method, limits, work);
  const address = parseEvmAddress(await ask("getAddress", () => signer.getAddress()), `${field}.address`);
  const client = boundClient(clientOf(provider), limits);
  const toEthers = (transaction: FinalTransaction): EthersTransaction => toEthersTransaction(transaction, address);
  const sign = async (method: string, work: () => Promise<string>): Promise<Hex> =>
    readSignature(client, address, await ask(method, work));
  return {
    address,
    client,
    // Only a signer with a signing key can sign offline; other signers forward the request to their node.
    signTransaction:
      "signingKey" in signer
        ? async (transaction) =>
            (await ask("signTransaction", () => signer.signTransaction(toEthers(transaction)))) as Hex
        : undefined,
    signAuthorization: undefined,
    mayBundle: false,
    sendTransaction: async (transaction) =>
      readTransactionHash(await ask("sendTransaction", () => send(signer, toEthers(transaction)))),
    signMessage: (message) =>
      sign("signMessage", () => signer.signMessage(typeof message === "string" ? message : hexToBytes(message.raw))),
    signTypedData: (data) =>
      sign("signTypedData", () => {
        const { domain, types, primaryType, message } = typedDataToSign(data);
        // ethers determines the primary type and the type of the domain itself.
        const { EIP712Domain: _domain, ...others } = types;
        const used = Object.fromEntries(
          reachableTypes(others, primaryType).map((name) => [name, [...(others[name] ?? [])]]),
        );
        return signer.signTypedData(domain, used, message);
      }),
  };
}

/**
 * Sends a transaction without waiting for the node if possible: a signer of a wallet's provider would wait until its
 * node has the transaction, which never happens for contract accounts.
 */
function send(signer: EthersSigner, transaction: EthersTransaction): Promise<unknown> {
  return signer.sendUncheckedTransaction?.(transaction) ?? signer.sendTransaction(transaction);
}

/** Returns the primary type and its dependencies: ethers treats an unused type as another primary type. */
function reachableTypes(types: Record<string, readonly { type: string }[]>, primaryType: string): string[] {
  const found = new Set([primaryType]);
  for (const name of found) {
    for (const { type } of types[name] ?? []) {
      const base = type.replace(/\[.*$/u, "");
      if (base in types) found.add(base);
    }
  }
  return [...found];
}

function isJsonRpcSender(provider: object | null): provider is JsonRpcSender {
  return provider !== null && "send" in provider && typeof provider.send === "function";
}

function clientOf(provider: JsonRpcSender & { readonly pollingInterval?: unknown }): Client {
  const { pollingInterval } = provider;
  return createClient({
    transport: custom({
      request: ({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
        provider.send(method, params),
    }),
    pollingInterval: typeof pollingInterval === "number" ? pollingInterval : POLLING_INTERVAL_MS,
    cacheTime: 0,
  });
}

function toEthersTransaction({ step, nonce, gas, fees }: FinalTransaction, from: string): EthersTransaction {
  const { chainId, to, data, value } = step;
  return { type: "gasPrice" in fees ? 0 : 2, from, chainId, to, data, value, nonce, gasLimit: gas, ...fees };
}

/** Domain fields of EIP-712, in order. */
const DOMAIN_FIELDS = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
] as const;

/**
 * Returns the same data with a domain type derived from its domain. Ignores the data's own domain type, which could
 * omit the signature's chain and contract.
 *
 * @throws {@link MalformedDataError} when the domain has a field that EIP-712 does not define, or an invalid chain id
 */
function typedDataToSign({ domain, types, primaryType, value }: TypedData) {
  const { EIP712Domain: _given, ...own } = types;
  const given = Object.entries(domain).filter(([, field]) => field !== undefined && field !== null);
  const unknown = given.find(([name]) => DOMAIN_FIELDS.every((field) => field.name !== name));
  if (unknown !== undefined) throw malformed(unknown[0], "EIP-712 domains do not have this field");
  const ownDomain = Object.fromEntries(
    given.map(([name, field]) => [name, name === "chainId" ? readChain(field) : field]),
  );
  const domainType = DOMAIN_FIELDS.filter(({ name }) => name in ownDomain);
  const typesToSign: TypedData["types"] = { EIP712Domain: domainType, ...own };
  return { domain: ownDomain, types: typesToSign, primaryType, message: value };
}

/** Converts a chain id to a number, because a library would omit a text chain id from the domain's type. */
function readChain(chainId: unknown): number | bigint {
  try {
    const id = BigInt(chainId as string | number | bigint);
    if (id >= 0n) return id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : id;
  } catch {
    // Reported below.
  }
  throw malformed("chainId", "it is not a chain id");
}

function malformed(field: string, reason: string): MalformedDataError {
  return new MalformedDataError({ what: "the typed data to sign", path: `domain.${field}`, reason });
}

/** @throws {@link InvalidInputError} when the wallet does not hold the account's key */
export function requireAuthorizer({ signAuthorization }: StepWallet): NonNullable<StepWallet["signAuthorization"]> {
  if (signAuthorization !== undefined) return signAuthorization;
  throw new InvalidInputError({
    field: "wallet",
    value: undefined,
    reason: "it cannot sign EIP-7702 authorizations, which a gasless payment requires",
    hint: "Pass a viem wallet client with a local account.",
  });
}
