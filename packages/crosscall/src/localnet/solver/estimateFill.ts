import { BaseError, HttpRequestError, InsufficientFundsError, TimeoutError } from "viem";

import type { FailReason } from "@crosscall/protocol/request";
import type { DevChain, EvmCall } from "../devchain/devChain.ts";
import { readBalance } from "../devchain/readChain.ts";
import type { SolverParts } from "./solverParts.ts";

/** Headroom over the estimate: the state may change until inclusion. */
const GAS_MARGIN_PERCENT = 130n;

export type FillEstimate =
  /** `gas` has headroom over `used`. */
  | { readonly works: true; readonly gas: bigint; readonly used: bigint }
  | { readonly works: false; readonly failReason: FailReason; readonly error?: BaseError };

export async function estimateTransaction(
  parts: Pick<SolverParts, "solver">,
  chain: DevChain,
  transaction: EvmCall,
): Promise<FillEstimate> {
  try {
    const used = await chain.client.estimateGas({ account: parts.solver.address, ...transaction });
    return { works: true, used, gas: withGasMargin(used) };
  } catch (error) {
    if (!(error instanceof BaseError) || isTransportFault(error)) throw error;
    const isPoor = error.walk((cause) => cause instanceof InsufficientFundsError) !== null;
    return { works: false, failReason: isPoor ? "SOLVER_BALANCE_TOO_LOW" : "EXECUTION_REVERTED", error };
  }
}

export async function canPay(
  parts: Pick<SolverParts, "solver">,
  chain: DevChain,
  currency: string,
  amount: bigint,
): Promise<boolean> {
  return (await readBalance(chain, currency, parts.solver.address)) >= amount;
}

export function withGasMargin(used: bigint): bigint {
  return (used * GAS_MARGIN_PERCENT) / 100n;
}

/** A node that does not respond says nothing about the transaction. */
function isTransportFault(error: BaseError): boolean {
  return error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null;
}
