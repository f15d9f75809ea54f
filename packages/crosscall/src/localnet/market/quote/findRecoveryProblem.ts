import { isEvmNative, isSameAddress, parseEvmAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import type { ResolvedQuote } from "./resolveQuote.ts";

/** The rules of the live service for where a payment goes that is not filled; deposit addresses are on EVM chains here. */
export function findRecoveryProblem({ request, originNative }: ResolvedQuote): QuoteProblem | undefined {
  const { recoveryAddress, refundTo, useDepositAddress } = request;
  if (refundTo !== undefined && isEvmNative(refundTo) && useDepositAddress !== true) {
    return {
      errorCode: "INVALID_ADDRESS",
      field: "refundTo",
      value: refundTo,
      reason: "the address of the native currency stands for the payer at a deposit address only",
      hint: "Pass an address that you control, or set useDepositAddress.",
    };
  }
  if (recoveryAddress === undefined) return undefined;
  const field = "recoveryAddress";
  if (useDepositAddress !== true) {
    return {
      errorCode: "INVALID_REQUEST",
      field,
      value: recoveryAddress,
      reason: "only a deposit to an address can be recovered",
      hint: "Set useDepositAddress, or leave recoveryAddress out.",
    };
  }
  try {
    const address = parseEvmAddress(recoveryAddress, field);
    if (!isSameAddress(address, originNative.currency.address)) return undefined;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { errorCode: "INVALID_ADDRESS", field, value: recoveryAddress, reason: error.reason, hint: error.hint };
  }
  return {
    errorCode: "INVALID_ADDRESS",
    field,
    value: recoveryAddress,
    reason: "the address of the native currency cannot withdraw",
    hint: "Pass an address on the origin chain that you control.",
  };
}
