import type { Address, Hex } from "viem";

import type { DevChain } from "../devchain/devChain.ts";
import type { DepositAddressRow } from "../store/depositAddresses.ts";
import type { StoreTransaction } from "../store/schema.ts";

export interface IncludedTransaction {
  readonly hash: Hex;
  readonly from: Address;
  readonly input: Hex;
}

/** A deposit on a simulated chain. By default, fields have the quoted values. */
export interface SimulatedDeposit {
  readonly txHash?: string;
  /** Smallest unit. */
  readonly amount?: string;
  readonly currency?: string;
  readonly depositor?: string;
}

export interface AddressBalance {
  readonly currency: string;
  /** Smallest unit. */
  readonly amount: bigint;
}

export interface AddressCheck {
  /** Balances found at the address, which are now deposited. */
  readonly found: readonly AddressBalance[];
  /** Errors of balances that could not be read. */
  readonly errors: readonly unknown[];
}

export interface Reports {
  userTransaction(chain: DevChain, transaction: IncludedTransaction): Promise<void>;
  /** Takes the payments at a deposit address, including those that no block announced. */
  depositAddress(chain: DevChain, address: DepositAddressRow, currencies: readonly string[]): Promise<AddressCheck>;
  /**
   * Records a deposit on a simulated chain.
   *
   * @param db transaction of the caller; a new one by default
   * @returns the hash of the deposit
   * @throws {@link RejectionError} before it writes, if the request is unknown, its origin is not simulated, or it has
   *   a deposit
   */
  simulatedDeposit(requestId: string, deposit: SimulatedDeposit, db?: StoreTransaction): Promise<string>;
}
