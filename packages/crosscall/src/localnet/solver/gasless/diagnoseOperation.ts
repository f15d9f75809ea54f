import { classifyRevert } from "@crosscall/protocol/reverts";
import type { DevChain, EvmCall } from "../../devchain/devChain.ts";
import { ranOutOfGas, traceCall } from "../../devchain/traceCall.ts";
import { findFailedOperation } from "../../market/gasless/failedOperation.ts";
import type { Diagnosis } from "../diagnoseFill.ts";
import type { SolverParts } from "../solverParts.ts";

/** Why a user operation in a fill would fail: the fill itself would not revert then. */
export async function diagnoseOperation(
  { solver }: Pick<SolverParts, "solver">,
  chain: DevChain,
  transaction: EvmCall,
): Promise<Diagnosis | undefined> {
  const { entryPoint } = chain.contracts;
  if (!transaction.data.toLowerCase().includes(entryPoint.slice(2).toLowerCase())) return undefined;
  const traced = await traceCall(chain.client, { from: solver.address, ...transaction });
  const failed = findFailedOperation(chain, traced)?.at(-1);
  if (failed === undefined) return undefined;
  if (ranOutOfGas(failed.error ?? "")) {
    return { failReason: "ACCOUNT_ABSTRACTION_GAS_LIMIT", details: "user operation: out of gas" };
  }
  const { failReason, description } = classifyRevert({ data: failed.output ?? "0x" });
  return { failReason, details: `user operation: ${description}` };
}
