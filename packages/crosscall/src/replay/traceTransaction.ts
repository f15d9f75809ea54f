import { type Hex, numberToHex } from "viem";

import type { FillTransaction } from "./encodeFill.ts";
import type { Execution } from "./execution.ts";
import type { BlockEnvironment } from "./fork/blockEnvironment.ts";
import { readFrame } from "./readFrame.ts";
import type { StateNode } from "./stateNode.ts";

const CALL_TRACER = { tracer: "callTracer", tracerConfig: { withLog: true } } as const;

export async function traceTransaction(
  node: StateNode & { readonly environment: Pick<BlockEnvironment, "gasLimit" | "baseFeePerGas"> },
  { from, to, data, value }: FillTransaction,
  gas: bigint = node.environment.gasLimit,
): Promise<Execution> {
  const raw = await node.request("debug_traceCall", [
    {
      from,
      to,
      data,
      value: numberToHex(value),
      gas: numberToHex(gas),
      // Otherwise the node reads the chain's fee history.
      gasPrice: numberToHex(node.environment.baseFeePerGas),
    },
    "latest",
    CALL_TRACER,
  ]);
  return toExecution(raw);
}

export async function traceIncluded(node: StateNode, hash: Hex): Promise<Execution> {
  return toExecution(await node.request("debug_traceTransaction", [hash, CALL_TRACER]));
}

function toExecution(raw: unknown): Execution {
  const frame = readFrame(raw);
  return { success: frame.error === undefined, gasUsed: frame.gasUsed, output: frame.output, frame };
}
