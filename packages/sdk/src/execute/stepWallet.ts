import type { Address, Client, Hex, SignedAuthorization } from "viem";

import type { PlannedTransaction } from "@crosscall/protocol/quote/rules";
import type { Verified, VerifiedStep } from "../verify/verifiedSteps.ts";

/** In wei: EIP-1559, or the gas price of older chains. */
export type GasFees =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint };

/** Complete, so that signing it twice gives the same bytes. */
export interface FinalTransaction {
  readonly step: VerifiedStep<PlannedTransaction>;
  readonly nonce: number;
  readonly gas: bigint;
  readonly fees: GasFees;
}

/** EIP-191: text or bytes. */
export type PlainMessage = string | { readonly raw: Hex };

/** EIP-712. */
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

/** What it signs or sends for a quote is of a type that only verification makes. */
export interface StepWallet {
  readonly address: Address;
  /** The wallet and its node. Every request ends, with the signal or after a limit. */
  readonly client: Client;
  /** Undefined if the wallet cannot sign without sending. */
  readonly signTransaction: ((transaction: FinalTransaction) => Promise<Hex>) | undefined;
  /** Undefined if the wallet cannot sign authorizations. */
  readonly signAuthorization: ((authorization: Authorization) => Promise<SignedAuthorization>) | undefined;
  /** Whether the wallet may take several calls at once (EIP-5792). */
  readonly mayBundle: boolean;
  /** The hash that the wallet returned, which may be of its own; undefined if it returned none. */
  sendTransaction(transaction: FinalTransaction): Promise<Hex | undefined>;
  signMessage(message: PlainMessage): Promise<Hex>;
  signTypedData(data: Verified<TypedData>): Promise<Hex>;
}
