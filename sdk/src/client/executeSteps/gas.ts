import { type Client, Eip1559FeesNotSupportedError } from "viem";
import { estimateFeesPerGas, estimateGas, getGasPrice } from "viem/actions";

import type { PlannedTransaction } from "../../protocol/quote/planSteps.ts";
import type { GasFees } from "./stepWallet.ts";

/** Maximum ratio of the quote's fee to the node's. */
const FEE_BOUND = 2n;

/** For a transaction that cannot be estimated before an earlier step. */
const GAS_WITHOUT_ESTIMATE = 500_000n;

/** The node's fees, or the quote's if they are higher within bounds. */
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

/** In wei. */
export function highestFee(fees: GasFees): bigint {
  return "gasPrice" in fees ? fees.gasPrice : fees.maxFeePerGas;
}

/**
 * The higher of estimate and quote; the estimate plus a quarter if the quote has none, since a swap may need more in a
 * later block.
 */
export async function chooseGas(client: Client, planned: PlannedTransaction): Promise<bigint> {
  const { from: account, to, data, value, gas } = planned;
  const estimate = await estimateGas(client, { account, to, data, value });
  if (gas === undefined) return (estimate * 5n) / 4n;
  return estimate > gas ? estimate : gas;
}

/** Also for a transaction that depends on an earlier one. */
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
