import type { Address, Hex } from "viem";

import type { DevChain } from "../devchain/devChain.ts";

export interface IncludedTransaction {
  readonly hash: Hex;
  readonly from: Address;
  readonly input: Hex;
}

/** Fields default to the quoted values. */
export interface SimulatedDeposit {
  readonly txHash?: string;
  /** Smallest unit. */
  readonly amount?: string;
  readonly currency?: string;
  readonly depositor?: string;
}

export interface Reports {
  userTransaction(chain: DevChain, transaction: IncludedTransaction): Promise<void>;
  /**
   * Records a deposit on a simulated chain.
   *
   * @returns the hash of the deposit
   * @throws {@link RefusalError} if the request is unknown, its origin is not simulated, or it has a deposit
   */
  simulatedDeposit(requestId: string, deposit: SimulatedDeposit): Promise<string>;
}
