import { type Hex, numberToHex } from "viem";

import type { FillTransaction } from "./encodeFill.ts";
import type { Execution } from "./execution.ts";
import type { BlockEnvironment } from "./fork/blockEnvironment.ts";
import { readFrame } from "./readFrame.ts";
import type { StateNode } from "./stateNode.ts";

/** How a node is asked for the trace of a fill. */
const CALL_TRACER = { tracer: "callTracer", tracerConfig: { withLog: true } } as const;

/** Runs a transaction on a node without keeping what it does. */
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
      // Without it the node asks the chain for the history of its fees.
      gasPrice: numberToHex(node.environment.baseFeePerGas),
    },
    "latest",
    CALL_TRACER,
  ]);
  return toExecution(raw);
}

/** The trace of a transaction that is in a block of the node. */
export async function traceIncluded(node: StateNode, hash: Hex): Promise<Execution> {
  return toExecution(await node.request("debug_traceTransaction", [hash, CALL_TRACER]));
}

function toExecution(raw: unknown): Execution {
  const frame = readFrame(raw);
  return { success: frame.error === undefined, gasUsed: frame.gasUsed, output: frame.output, frame };
}
