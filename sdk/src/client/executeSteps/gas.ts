import { type Client, Eip1559FeesNotSupportedError } from "viem";
import { estimateFeesPerGas, estimateGas, getGasPrice } from "viem/actions";

import type { PlannedTransaction } from "./planSteps.ts";
import type { GasFees } from "./stepWallet.ts";

/** A quote may ask for more than the node's present fee, but for no more than this many times of it. */
const FEE_BOUND = 2n;

/** What a transaction is taken to need where no estimate can be had yet, because a step before it must come first. */
const GAS_WITHOUT_ESTIMATE = 500_000n;

/** What to offer for a unit of gas: the node's present fees, or the quote's where these are higher and within reason. */
export async function chooseFees(client: Client, planned: PlannedTransaction): Promise<GasFees> {
  try {
    const present = await estimateFeesPerGas(client, { chain: client.chain, type: "eip1559" });
    return {
      maxFeePerGas: atMostTwice(planned.maxFeePerGas, present.maxFeePerGas),
      maxPriorityFeePerGas: atMostTwice(planned.maxPriorityFeePerGas, present.maxPriorityFeePerGas),
    };
  } catch (error) {
    if (!(error instanceof Eip1559FeesNotSupportedError)) throw error;
    return { gasPrice: await getGasPrice(client) };
  }
}

/** The most that a unit of gas may cost, in wei. */
export function highestFee(fees: GasFees): bigint {
  return "gasPrice" in fees ? fees.gasPrice : fees.maxFeePerGas;
}

/**
 * The gas limit: the node's estimate, or the quote's where that is higher. Where the quote states none, the estimate and a
 * quarter more: it is of the present block, and a swap may need more in a later one.
 *
 * @throws viem's errors when the transaction would revert
 */
export async function chooseGas(client: Client, planned: PlannedTransaction): Promise<bigint> {
  const { from: account, to, data, value, gas } = planned;
  const estimate = await estimateGas(client, { account, to, data, value });
  if (gas === undefined) return (estimate * 5n) / 4n;
  return estimate > gas ? estimate : gas;
}

/** The gas that a transaction will need, where it may still depend on another one. */
export async function foreseeGas(client: Client, planned: PlannedTransaction): Promise<bigint> {
  if (planned.gas !== undefined) return planned.gas;
  try {
    return await chooseGas(client, planned);
  } catch {
    return GAS_WITHOUT_ESTIMATE;
  }
}

function atMostTwice(quoted: bigint | undefined, present: bigint): bigint {
  if (quoted === undefined || quoted <= present) return present;
  return quoted < present * FEE_BOUND ? quoted : present * FEE_BOUND;
}
