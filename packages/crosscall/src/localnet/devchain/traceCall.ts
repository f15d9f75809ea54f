import { type Address, type Client, formatTransactionRequest, type Hex, numberToHex } from "viem";

import type { EvmCall } from "./devChain.ts";
import { localNodeRequest } from "./localNode.ts";

/** A call of a trace, with the calls that it made. */
export interface TracedCall {
  readonly type?: string;
  readonly to?: Address;
  readonly input?: Hex;
  readonly output?: Hex;
  readonly error?: string;
  readonly revertReason?: string;
  readonly gasUsed?: Hex;
  readonly logs?: readonly { readonly address: Address; readonly data: Hex }[];
  readonly calls?: readonly TracedCall[];
}

/**
 * Simulates a call on a local node, and returns it with all calls inside.
 *
 * @param blockNumber the latest block if absent
 */
export async function traceCall(
  client: Client,
  call: EvmCall & { readonly from: Address },
  blockNumber?: bigint,
): Promise<TracedCall> {
  return (await localNodeRequest(client, "debug_traceCall", [
    formatTransactionRequest(call),
    blockNumber === undefined ? "latest" : numberToHex(blockNumber),
    { tracer: "callTracer", tracerConfig: { withLog: true } },
  ])) as TracedCall;
}

export function ranOutOfGas(error: string): boolean {
  return /out ?of ?gas|gas required exceeds/iu.test(error);
}
