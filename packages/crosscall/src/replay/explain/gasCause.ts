import type { FailReason } from "@crosscall/protocol/request";
import type { CallFrame } from "../callFrame.ts";
import type { FillTransaction } from "../encodeFill.ts";
import { traceTransaction } from "../traceTransaction.ts";
import type { Fork } from "../fork/fork.ts";
import type { FailedCondition } from "../verdict.ts";

/** Gas that Solidity's `transfer` and `send` leave to the recipient. */
const STIPEND = 2_300n;

export interface GasCause {
  readonly failReason: FailReason;
  readonly condition: FailedCondition | undefined;
}

/**
 * Distinguishes a gas limit that was too low from endless recursion or loops, by running the transaction with the whole block's
 * gas.
 *
 * @param limit gas limit of the transaction
 */
export async function explainGas(
  fork: Fork,
  transaction: FillTransaction,
  { frame, limit }: { readonly frame: CallFrame; readonly limit: bigint },
): Promise<GasCause> {
  if (frame.value > 0n && frame.gas <= STIPEND) {
    return { failReason: "TRANSFER_FAILED", condition: undefined };
  }
  if (limit < fork.environment.gasLimit) {
    const works = async (gas: bigint): Promise<boolean> => (await traceTransaction(fork, transaction, gas)).success;
    if (await works(fork.environment.gasLimit)) {
      const needed = await findSmallest(limit, fork.environment.gasLimit, works);
      return {
        failReason: "QUOTED_GAS_LIMIT_EXCEEDED",
        condition: { kind: "gas", needed, had: limit },
      };
    }
  }
  return { failReason: "SWAP_USES_TOO_MUCH_GAS", condition: undefined };
}

/** Bisects between a failing and a working number. */
async function findSmallest(
  fails: bigint,
  works: bigint,
  isWorking: (value: bigint) => Promise<boolean>,
): Promise<bigint> {
  if (works - fails <= 1n) return works;
  const middle = (fails + works) / 2n;
  return (await isWorking(middle)) ? findSmallest(fails, middle, isWorking) : findSmallest(middle, works, isWorking);
}
