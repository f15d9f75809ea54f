import { decodeFunctionData, hexToNumber } from "viem";

import { routerAbi } from "@crosscall/protocol/abi";
import type { DevChain, EvmCall } from "../devchain/devChain.ts";
import { traceCall } from "../devchain/traceCall.ts";
import type { RequestRow } from "../store/tables/requestTables.ts";
import { withGasMargin } from "./estimateFill.ts";
import type { SolverParts } from "./solverParts.ts";

/** The quoted fees pay for no more, unless the request has a limit of its own. */
const FILL_GAS_MAX = 10_000_000n;

export type GasLimit = { readonly gas: bigint } | { readonly excess: string };

/** The calls' own limit, if the request has one, and what the fill needs around them. */
export async function limitGas(
  parts: Pick<SolverParts, "solver">,
  chain: DevChain,
  request: RequestRow,
  transaction: EvmCall,
  { used, gas }: { readonly used: bigint; readonly gas: bigint },
): Promise<GasLimit> {
  const { calls } = request.order_data.output;
  const { txsGasLimit } = request.terms;
  if (txsGasLimit === undefined || calls.length === 0) {
    if (gas <= FILL_GAS_MAX) return { gas };
    return { excess: `the fill needs ${gas} gas, more than the limit of ${FILL_GAS_MAX}` };
  }
  const needed = await measureCalls(parts, chain, transaction, calls.length);
  if (needed > txsGasLimit) return { excess: `txs use ${needed} gas, more than the txsGasLimit of ${txsGasLimit}` };
  return { gas: withGasMargin(used - BigInt(needed)) + BigInt(txsGasLimit) };
}

/** Gas of the order's calls in a fill, on the present state. They follow the solver's own calls. */
async function measureCalls(
  { solver }: Pick<SolverParts, "solver">,
  chain: DevChain,
  transaction: EvmCall,
  orderCalls: number,
): Promise<number> {
  const { functionName, args } = decodeFunctionData({ abi: routerAbi, data: transaction.data });
  const first = (functionName === "multicall" ? args[0].length : 0) - orderCalls;
  const { calls = [] } = await traceCall(chain.client, { from: solver.address, ...transaction });
  return calls.slice(first, first + orderCalls).reduce((sum, { gasUsed = "0x0" }) => sum + hexToNumber(gasUsed), 0);
}
