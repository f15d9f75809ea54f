import { type Hex, numberToHex } from "viem";

import type { FillTransaction } from "./encodeFill.ts";
import type { Fork } from "./fork/fork.ts";

/**
 * Mines it in the fork's next block, at that block's base fee.
 *
 * @returns its hash
 */
export async function sendTransaction(
  fork: Fork,
  { from, to, data, value }: FillTransaction,
  gas: bigint = fork.environment.gasLimit,
): Promise<Hex> {
  await fork.prepareBlock();
  await fork.request("hardhat_impersonateAccount", [from]);
  const gasPrice = numberToHex(fork.environment.baseFeePerGas);
  const call = { from, to, data, value: numberToHex(value), gas: numberToHex(gas), gasPrice };
  const hash = (await fork.request("eth_sendTransaction", [call])) as Hex;
  await fork.request("hardhat_stopImpersonatingAccount", [from]);
  return hash;
}
