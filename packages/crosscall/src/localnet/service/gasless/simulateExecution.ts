import { BaseError } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { relayerAccount } from "../../devchain/accounts.ts";
import type { DevChain, EvmCall } from "../../devchain/devChain.ts";
import { type TracedCall, traceCall } from "../../devchain/traceCall.ts";
import { failedCalls, findFailedOperation } from "../../market/gasless/failedOperation.ts";
import { ExecuteRefusal } from "./executeRefusal.ts";
import { explainRevert } from "./explainRevert.ts";

/** `handleOps` of EntryPoint v0.6 and v0.7. */
const HANDLE_OPS = ["0x1fad948c", "0x765e827f"];

/** The request of a call. */
export interface ExecutedRequest {
  readonly requestId: string;
  /** The order that the call has to deposit for; absent on one chain. */
  readonly orderId?: string;
}

/**
 * Simulates a call for a user.
 *
 * @returns its gas
 * @throws {@link ExecuteRefusal} if the call, or a user operation in it, would revert, or it would not pay its request
 */
export async function simulateExecution(
  chain: DevChain,
  call: EvmCall,
  { requestId, orderId }: ExecutedRequest,
): Promise<bigint> {
  const from = relayerAccount.address;
  const gas = await estimate(chain, call);
  const traced = await traceCall(chain.client, { from, ...call });
  const failed = traced.error === undefined ? findFailedOperation(chain, traced) : failedCalls(traced);
  if (failed !== undefined) {
    const details = explainRevert(chain, failed);
    const { label, message } = details.revert;
    const hint = details.revert.type === "empty" ? operationHint(chain, call) : undefined;
    throw new ExecuteRefusal({ error: label, message: hint ?? message, requestId, details });
  }
  if (gas === undefined) throw new ExecuteRefusal({ error: "the gas of the call cannot be estimated", requestId });
  if (orderId !== undefined && !depositsFor(chain, traced, orderId)) {
    throw new ExecuteRefusal({ error: `the call deposits nothing for request ${requestId}`, requestId });
  }
  return gas;
}

/** What to change about user operations that are not for the chain's EntryPoint. */
export function operationHint(
  { contracts: { entryPoint } }: DevChain,
  { to, data }: Pick<EvmCall, "data" | "to">,
): string | undefined {
  const selector = data.slice(0, 10).toLowerCase();
  if (!HANDLE_OPS.includes(selector)) return undefined;
  if (selector === HANDLE_OPS[0]) return `Encode handleOps for EntryPoint v0.7, and send it to ${entryPoint}.`;
  return isSameAddress(to, entryPoint) ? undefined : `Send handleOps to the EntryPoint ${entryPoint}.`;
}

/** Undefined if the call, or a call inside, would fail at any gas limit. */
async function estimate(chain: DevChain, call: EvmCall): Promise<bigint | undefined> {
  try {
    return await chain.client.estimateGas({ account: relayerAccount.address, ...call });
  } catch (error) {
    if (error instanceof BaseError && error.walk(isFailure) !== null) return undefined;
    throw error;
  }
}

function isFailure(cause: unknown): boolean {
  if (!(cause instanceof BaseError)) return false;
  return cause.name === "ExecutionRevertedError" || /runs? out of gas/u.test(cause.details);
}

/** The id is the last argument of the depository's events. */
function depositsFor(chain: DevChain, { error, logs = [], calls = [] }: TracedCall, orderId: string): boolean {
  if (error !== undefined) return false;
  const id = orderId.slice(2).toLowerCase();
  const isDeposit = logs.some(
    ({ address, data }) => isSameAddress(address, chain.contracts.depository) && data.endsWith(id),
  );
  return isDeposit || calls.some((call) => depositsFor(chain, call, orderId));
}
