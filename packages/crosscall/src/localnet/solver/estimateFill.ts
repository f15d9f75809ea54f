import {
  BaseError,
  decodeFunctionData,
  hexToNumber,
  HttpRequestError,
  InsufficientFundsError,
  TimeoutError,
} from "viem";

import { routerAbi } from "@crosscall/protocol/abi";
import type { FailReason } from "@crosscall/protocol/request";
import type { DevChain, EvmCall } from "../devchain/devChain.ts";
import { readBalance, traceCall } from "../devchain/readChain.ts";
import type { RequestRow } from "../store/requests/requests.ts";
import { transferThroughRouter } from "./fillTransaction.ts";
import type { Payer } from "./solverParts.ts";

/** Headroom over the estimate, because the state can change before inclusion. */
const GAS_MARGIN_PERCENT = 130n;

export type FillEstimate =
  /** Gas of a fill. `gas` is `used` with headroom. */
  | { readonly works: true; readonly gas: bigint; readonly used: bigint }
  | { readonly works: false; readonly failReason: FailReason; readonly error?: BaseError };

export async function estimateTransaction(parts: Payer, chain: DevChain, transaction: EvmCall): Promise<FillEstimate> {
  try {
    const used = await chain.client.estimateGas({ account: parts.solver.address, ...transaction });
    return { works: true, used, gas: withGasMargin(used) };
  } catch (error) {
    if (!(error instanceof BaseError) || isTransportFault(error)) throw error;
    const isPoor = error.walk((cause) => cause instanceof InsufficientFundsError) !== null;
    return { works: false, failReason: isPoor ? "SOLVER_BALANCE_TOO_LOW" : "EXECUTION_REVERTED", error };
  }
}

export interface EstimatedPayment {
  readonly transaction: EvmCall;
  readonly estimate: FillEstimate;
}

/** Estimates a transaction. If its recipient rejects a native transfer with call data, returns one without instead. */
export async function estimatePayment(parts: Payer, chain: DevChain, transaction: EvmCall): Promise<EstimatedPayment> {
  const estimate = await estimateTransaction(parts, chain, transaction);
  const routed = estimate.works ? undefined : transferThroughRouter(transaction, chain.contracts.router);
  if (routed === undefined) return { transaction, estimate };
  const other = await estimateTransaction(parts, chain, routed);
  return other.works ? { transaction: routed, estimate: other } : { transaction, estimate };
}

export async function canPay(parts: Payer, chain: DevChain, currency: string, amount: bigint): Promise<boolean> {
  return (await readBalance(chain, currency, parts.solver.address)) >= amount;
}

function withGasMargin(used: bigint): bigint {
  return (used * GAS_MARGIN_PERCENT) / 100n;
}

/** Returns whether the node failed to respond, which shows nothing about the transaction. */
function isTransportFault(error: BaseError): boolean {
  return error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null;
}

/** Maximum gas that the quoted fees cover, unless the request sets its own limit. */
const FILL_GAS_MAX = 10_000_000n;

export type GasLimit = { readonly gas: bigint } | { readonly excess: string };

/** Returns the gas limit: the request's own limit for its calls, if set, plus the gas of the rest of the fill. */
export async function limitGas(
  parts: Payer,
  chain: DevChain,
  request: RequestRow,
  transaction: EvmCall,
  { used, gas }: { readonly used: bigint; readonly gas: bigint },
): Promise<GasLimit> {
  const { calls } = request.order_data.output;
  const { txsGasLimit } = request.terms;
  if (txsGasLimit === undefined || calls.length === 0) {
    if (gas <= FILL_GAS_MAX) return { gas };
    return { excess: `the fill needs ${gas} gas, which is more than the limit of ${FILL_GAS_MAX}` };
  }
  const needed = await measureCalls(parts, chain, transaction, calls.length);
  if (needed > txsGasLimit)
    return { excess: `txs use ${needed} gas, which is more than the txsGasLimit of ${txsGasLimit}` };
  return { gas: withGasMargin(used - BigInt(needed)) + BigInt(txsGasLimit) };
}

/** Measures the gas of the order's calls in a fill at the current state. They come after the solver's own calls. */
async function measureCalls(
  { solver }: Payer,
  chain: DevChain,
  transaction: EvmCall,
  orderCalls: number,
): Promise<number> {
  const { functionName, args } = decodeFunctionData({ abi: routerAbi, data: transaction.data });
  const first = (functionName === "multicall" ? args[0].length : 0) - orderCalls;
  const { calls = [] } = await traceCall(chain.client, { from: solver.address, ...transaction });
  return calls.slice(first, first + orderCalls).reduce((sum, { gasUsed = "0x0" }) => sum + hexToNumber(gasUsed), 0);
}
