import { type Client, type Hex, createClient, custom, hexToBytes } from "viem";

import { parseEvmAddress } from "../../chains/address.ts";
import { InvalidInputError } from "../../core/errors.ts";
import type { FinalTransaction, StepWallet } from "./stepWallet.ts";

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
 * The part of an ethers v6 signer that is used. Its provider must be a JSON-RPC provider (`JsonRpcProvider`,
 * `BrowserProvider`).
 */
export interface EthersSigner {
  readonly provider: object | null;
  getAddress(): Promise<string>;
  signTransaction(transaction: EthersTransaction): Promise<string>;
  sendTransaction(transaction: EthersTransaction): Promise<{ readonly hash: string }>;
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

/** A signer that holds its key (`Wallet`) signs before anything is sent. */
export async function fromEthersSigner(signer: EthersSigner, field: string): Promise<StepWallet> {
  const { provider } = signer;
  if (!isJsonRpcSender(provider)) {
    throw new InvalidInputError({
      field: `${field}.provider`,
      value: provider === null ? null : typeof provider,
      reason: "it is not a JSON-RPC provider",
      hint: "Connect the signer to a JsonRpcProvider or a BrowserProvider.",
    });
  }
  const address = parseEvmAddress(await signer.getAddress(), `${field}.address`);
  const toEthers = (transaction: FinalTransaction): EthersTransaction => toEthersTransaction(transaction, address);
  return {
    address,
    client: clientOf(provider),
    // Only a signer with a signing key can sign offline; others pass the call to their node.
    signTransaction:
      "signingKey" in signer
        ? async (transaction) => (await signer.signTransaction(toEthers(transaction))) as Hex
        : undefined,
    signAuthorization: undefined,
    mayBundle: false,
    sendTransaction: async (transaction) => (await signer.sendTransaction(toEthers(transaction))).hash as Hex,
    signMessage: async (message) =>
      (await signer.signMessage(typeof message === "string" ? message : hexToBytes(message.raw))) as Hex,
    async signTypedData({ domain, types, primaryType, value }) {
      // ethers determines the primary type itself and rejects the domain type.
      const { EIP712Domain: _domain, ...others } = types;
      const used = Object.fromEntries(
        reachableTypes(others, primaryType).map((name) => [name, [...(others[name] ?? [])]]),
      );
      return (await signer.signTypedData(domain, used, value)) as Hex;
    },
  };
}

/** The primary type and its dependencies: ethers takes an unused type for another primary type. */
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

function toEthersTransaction({ gas, fees, ...transaction }: FinalTransaction, from: string): EthersTransaction {
  return { type: "gasPrice" in fees ? 0 : 2, from, ...transaction, gasLimit: gas, ...fees };
}
