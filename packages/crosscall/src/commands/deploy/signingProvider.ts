import type { EIP1193Provider, RequestArguments } from "@nomicfoundation/ignition-core";
import { BaseError, type Hex, type PrivateKeyAccount, RpcRequestError, type TransactionSerializable } from "viem";

import { throwIfAborted } from "@crosscall/protocol/core";
import type { Target } from "../../options/target.ts";

interface SigningProviderParameters {
  readonly account: PrivateKeyAccount;
  readonly signal: AbortSignal;
  /** Called with the hash of each accepted transaction. */
  readonly onSent: (hash: Hex) => void;
}

/**
 * Returns a provider that signs with a key in this process, so that the node never sees the key. All requests end when
 * the signal fires.
 */
export function createSigningProvider(
  target: Target,
  { account, signal, onSent }: SigningProviderParameters,
): EIP1193Provider {
  const request = async (method: string, params: unknown): Promise<unknown> => {
    throwIfAborted(signal, "the deployment");
    try {
      // Does not retry, because Ignition has its own retries and must see a rejection at once.
      const call = target.client.request as (call: unknown, options: unknown) => Promise<unknown>;
      return await call({ method, params }, { retryCount: 0 });
    } catch (error) {
      throw toRpcError(error);
    }
  };
  return {
    async request({ method, params }: RequestArguments): Promise<unknown> {
      if (method === "eth_accounts") return [account.address];
      if (method !== "eth_sendTransaction") return request(method, params);
      const [transaction] = params as [RpcTransaction];
      const signed = await account.signTransaction(toSerializable(transaction, target.chainId));
      const hash = (await request("eth_sendRawTransaction", [signed])) as Hex;
      onSent(hash);
      return hash;
    },
  };
}

/** Transaction from Ignition. */
interface RpcTransaction {
  readonly to: Hex;
  readonly data: Hex;
  readonly value: Hex;
  readonly nonce: Hex;
  readonly gas: Hex;
  readonly gasPrice?: Hex;
  readonly maxFeePerGas?: Hex;
  readonly maxPriorityFeePerGas?: Hex;
}

function toSerializable(transaction: RpcTransaction, chainId: number): TransactionSerializable {
  const { to, data, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const common = {
    chainId,
    to,
    data,
    value: BigInt(transaction.value),
    nonce: Number(transaction.nonce),
    gas: BigInt(transaction.gas),
  };
  if (maxFeePerGas === undefined) return { ...common, type: "legacy", gasPrice: BigInt(gasPrice ?? 0) };
  return {
    ...common,
    type: "eip1559",
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? 0),
  };
}

/** Returns the node's message, which Ignition parses, without the URL. */
function toRpcError(error: unknown): unknown {
  if (!(error instanceof BaseError)) return error;
  const cause = error.walk((inner) => inner instanceof RpcRequestError);
  const { details, shortMessage } = error;
  return Object.assign(
    new Error(details === "" ? shortMessage : details),
    cause instanceof RpcRequestError ? { code: cause.code, data: cause.data } : {},
  );
}
