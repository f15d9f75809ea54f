import { isEvmNative } from "@crosscall/protocol/chains";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { isSimulated } from "../../quotedChains.ts";
import { originGasOverheadOf } from "../requestTerms.ts";
import type { ResolvedQuote } from "../resolveQuote.ts";

/** Gas of a deposit with a permit, which the service sends. */
const PERMIT_GAS = 160_000n;

/** Gas of the deposit inside a call that the service sends, without the account's overhead. */
const EXECUTION_GAS = 90_000n;

/** Returns the gas that the service pays on the origin chain, without the overhead stated in the request. */
export function gaslessGas(request: QuoteRequest): bigint {
  if (request.usePermit === true) return PERMIT_GAS;
  return originGasOverheadOf(request) === 0n ? 0n : EXECUTION_GAS;
}

export function findPermitProblem(quote: ResolvedQuote): QuoteProblem | undefined {
  const { request, origin, destination, input } = quote;
  if (request.usePermit !== true) return undefined;
  const problem = (reason: string, hint: string): QuoteProblem => ({
    errorCode: "UNSUPPORTED_EXECUTION_TYPE",
    field: "usePermit",
    value: true,
    reason,
    hint,
  });
  if (isSimulated(origin)) return problem("permits exist on EVM chains only", "Omit usePermit.");
  if (request.useDepositAddress === true) {
    return problem("a deposit address is paid by a plain transfer", "Omit usePermit or useDepositAddress.");
  }
  if (isEvmNative(input.currency.address)) {
    return problem("native currency has no permits", "Pay with a token, or omit usePermit.");
  }
  if (origin.id !== destination.id) return undefined;
  if (request.subsidizeFees !== true) {
    return problem(
      "the fees of a same-chain permit must be sponsored",
      "Set subsidizeFees with a key that may sponsor, omit usePermit, or choose another destination chain.",
    );
  }
  const field = (["sponsoredFeeComponents", "maxSubsidizationAmount"] as const).find(
    (name) => request[name] !== undefined,
  );
  if (field !== undefined) {
    const reason = "the sponsor pays all fees of a same-chain permit";
    return { ...problem(reason, `Omit ${field}.`), field, value: request[field] };
  }
  if (request.tradeType !== "EXACT_INPUT") {
    const reason = "a same-chain permit requires a fixed input";
    return { ...problem(reason, "Use EXACT_INPUT, or omit usePermit."), field: "tradeType", value: request.tradeType };
  }
  return undefined;
}

/** Returns whether the solver sends a same-chain request for the user. */
export function isPermitExecution({ origin, destination, request }: ResolvedQuote): boolean {
  return origin.id === destination.id && request.usePermit === true;
}
