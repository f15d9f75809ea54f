import type { Address, Client, Hex, SignedAuthorization } from "viem";

/** In wei: EIP-1559, or the gas price of older chains. */
export type GasFees =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint };

/** Complete, so that signing it twice gives the same bytes. */
export interface FinalTransaction {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  readonly gas: bigint;
  readonly fees: GasFees;
}

/** EIP-191: text or bytes. */
export type PlainMessage = string | { readonly raw: Hex };

/** EIP-712, as the service sends it. */
export interface TypedData {
  readonly domain: Record<string, unknown>;
  readonly types: Record<string, readonly { readonly name: string; readonly type: string }[]>;
  readonly primaryType: string;
  readonly value: Record<string, unknown>;
}

/** EIP-7702: gives the account the code of the delegate. */
export interface Authorization {
  readonly chainId: number;
  readonly address: Address;
  readonly nonce: number;
}

export interface StepWallet {
  readonly address: Address;
  /** The wallet's node. */
  readonly client: Client;
  /** Undefined if the wallet cannot sign without sending. */
  readonly signTransaction: ((transaction: FinalTransaction) => Promise<Hex>) | undefined;
  /** Undefined if the wallet cannot sign authorizations. */
  readonly signAuthorization: ((authorization: Authorization) => Promise<SignedAuthorization>) | undefined;
  /** Whether the wallet may take several calls at once (EIP-5792). */
  readonly mayBundle: boolean;
  sendTransaction(transaction: FinalTransaction): Promise<Hex>;
  signMessage(message: PlainMessage): Promise<Hex>;
  signTypedData(data: TypedData): Promise<Hex>;
}
