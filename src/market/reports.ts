import type { Address, Hex } from "viem";

import type { DevChain } from "../devchain/devChain.ts";

/** A transaction that is in a block. */
export interface IncludedTransaction {
  readonly hash: Hex;
  readonly from: Address;
  readonly input: Hex;
}

/** A deposit that is reported and not made. Omitted fields default to the quoted values. */
export interface SimulatedDeposit {
  readonly txHash?: string;
  /** Smallest unit. */
  readonly amount?: string;
  readonly currency?: string;
  readonly depositor?: string;
}

/** What callers report to the service, for the solver to act on. */
export interface Reports {
  /** Ends the request that an included transaction of its user executes, if any. */
  userTransaction(chain: DevChain, transaction: IncludedTransaction): Promise<void>;
  /**
   * Records a deposit on a chain that is not run. The request then proceeds like any other.
   *
   * @returns the hash of the deposit
   * @throws {@link RefusalError} when the request is unknown, its origin chain is run, or it already has a deposit
   */
  simulatedDeposit(requestId: string, deposit: SimulatedDeposit): Promise<string>;
}
