import { numberToHex } from "viem";

import type { FillTransaction } from "../encodeFill.ts";
import type { Fork } from "../fork/fork.ts";
import { readFrame } from "../readFrame.ts";

/** Whether a reverting transaction works with a gas price of zero, as in an estimate. */
export async function worksWithoutGasPrice(
  fork: Fork,
  { from, to, data, value }: FillTransaction,
  gas: bigint = fork.environment.gasLimit,
): Promise<boolean> {
  const call = { from, to, data, value: numberToHex(value), gas: numberToHex(gas), gasPrice: "0x0" };
  const raw = await fork.request("debug_traceCall", [call, "latest", { tracer: "callTracer" }]);
  return readFrame(raw).error === undefined;
}
