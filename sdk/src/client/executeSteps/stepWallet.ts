import type { Address, Client, Hex } from "viem";

/** What a transaction offers for its gas, in wei: EIP-1559, or the gas price of older chains. */
export type GasFees =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint };

/** A transaction with everything decided, so that signing it twice gives the same bytes. */
export interface FinalTransaction {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Gas limit. */
  readonly gas: bigint;
  readonly fees: GasFees;
}

/** A message to sign by EIP-191: text, or bytes. */
export type PlainMessage = string | { readonly raw: Hex };

/** Typed data to sign (EIP-712), as the service sends it. */
export interface TypedData {
  readonly domain: Record<string, unknown>;
  readonly types: Record<string, readonly { readonly name: string; readonly type: string }[]>;
  readonly primaryType: string;
  readonly value: Record<string, unknown>;
}

/** What steps need of any wallet. */
export interface StepWallet {
  readonly address: Address;
  /** The node that the wallet is connected to. */
  readonly client: Client;
  /** Signs without sending; undefined where the keys are elsewhere. */
  readonly signTransaction: ((transaction: FinalTransaction) => Promise<Hex>) | undefined;
  sendTransaction(transaction: FinalTransaction): Promise<Hex>;
  signMessage(message: PlainMessage): Promise<Hex>;
  signTypedData(data: TypedData): Promise<Hex>;
}
