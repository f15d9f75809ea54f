import { type Client, createClient, custom, type Hex, hexToBytes } from "viem";

import { parseEvmAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { boundClient, type WaitLimits, withinPrompt } from "./boundClient.ts";
import type { FinalTransaction, StepWallet } from "./stepWallet.ts";
import { typedDataToSign } from "./typedDataToSign.ts";
import { readSignature, readTransactionHash } from "./walletAnswers.ts";

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
  /** Signers of a wallet's provider have it. It returns the hash without waiting for the node. */
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

/** A signer that holds its key (`Wallet`) signs before anything is sent. */
export async function fromEthersSigner(
  signer: EthersSigner,
  field: string,
  limits: WaitLimits = {},
): Promise<StepWallet> {
  const { provider } = signer;
  if (!isJsonRpcSender(provider)) {
    throw new InvalidInputError({
      field: `${field}.provider`,
      value: provider === null ? null : typeof provider,
      reason: "it is not a JSON-RPC provider",
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
    // Only a signer with a signing key can sign offline; others pass the call to their node.
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

/** A signer of a wallet's provider waits until its node has the transaction, which one of a contract account never has. */
function send(signer: EthersSigner, transaction: EthersTransaction): Promise<unknown> {
  return signer.sendUncheckedTransaction?.(transaction) ?? signer.sendTransaction(transaction);
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

function toEthersTransaction({ step, nonce, gas, fees }: FinalTransaction, from: string): EthersTransaction {
  const { chainId, to, data, value } = step;
  return { type: "gasPrice" in fees ? 0 : 2, from, chainId, to, data, value, nonce, gasLimit: gas, ...fees };
}
