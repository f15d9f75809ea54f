import type { QuoteProblem } from "@crosscall/protocol/quote";
import { type QuoteRequest, QuoteRequestSchema } from "@crosscall/protocol/quote/rules";

/** Fields of the live service that this network does not support, and what the network does instead. */
const UNSUPPORTED = {
  additionalData: "has no Bitcoin chain",
  referrerAddress: "ignores referrerAddress",
  refundOnOrigin: "refunds on the origin chain only",
  enableTrueExactOutput: "pays a surplus to the recipient",
  useFallbacks: "has no fallback routes",
  gasLimitForDepositSpecifiedTxs: "runs no calls inside a deposit",
  forceSolverExecution: "lets the user execute same-chain requests",
  subsidizeRent: "has no rent",
  depositFeePayer: "has no SVM chain",
  useSharedAccounts: "has no SVM chain",
  includeComputeUnitLimit: "has no SVM chain",
  overridePriceImpact: "always rejects a high price impact",
  disableSwapProviderPreference: "has no preferred swap provider",
} as const satisfies Partial<Record<keyof QuoteRequest, string>>;

/** Accepted values, because they request the default behavior. */
const DEFAULTS: Partial<Record<keyof QuoteRequest, unknown>> = { refundOnOrigin: true };

/** Documented values of a field without a schema on the live service. They make deposits go to the depository. */
const PROTOCOL_VERSIONS: readonly unknown[] = ["v2", "preferV2"];

/**
 * Finds the first field that this network would ignore. It is rejected, because on the live service it may affect
 * funds.
 */
export function findUnsupportedField(request: QuoteRequest): QuoteProblem | undefined {
  for (const [field, value] of Object.entries(request)) {
    if (Object.hasOwn(UNSUPPORTED, field)) {
      const name = field as keyof typeof UNSUPPORTED;
      if (!isNeutral(name, value)) return unsupported(field, value, `this network ${UNSUPPORTED[name]}`);
    } else if (field === "protocolVersion") {
      if (!PROTOCOL_VERSIONS.includes(value)) return unsupported(field, value, "this network only supports v2");
    } else if (!Object.hasOwn(QuoteRequestSchema.properties, field)) {
      const hint = `Correct or omit ${field}; /documentation lists the fields.`;
      return { errorCode: "UNSUPPORTED_FIELD", field, value, reason: "unknown field of POST /quote/v2", hint };
    }
  }
  const addressProblem = findAddressProblem(request);
  if (addressProblem !== undefined) return addressProblem;
  const index = request.txs?.findIndex(({ originalTxValue }) => originalTxValue !== undefined) ?? -1;
  if (index < 0) return undefined;
  const value = request.txs?.[index]?.originalTxValue;
  return unsupported(`txs[${index}].originalTxValue`, value, "its effect is not documented");
}

/** An open address takes any amount, so it cannot promise an exact output; a strict one serves one order. */
function findAddressProblem(request: QuoteRequest): QuoteProblem | undefined {
  const { useDepositAddress, strict, tradeType, maxSubsidizationAmount } = request;
  if (useDepositAddress !== true || tradeType === "EXACT_INPUT") return undefined;
  if (tradeType !== (strict === true ? "EXACT_OUTPUT" : "EXPECTED_OUTPUT")) {
    return {
      errorCode: "UNSUPPORTED_EXECUTION_TYPE",
      field: "tradeType",
      value: tradeType,
      reason: strict === true ? "a strict address has a fixed input or output" : "an open address takes any amount",
      hint: `Use EXACT_INPUT or ${strict === true ? "EXACT_OUTPUT" : "EXPECTED_OUTPUT"}, or quote without useDepositAddress.`,
    };
  }
  if (maxSubsidizationAmount === undefined) return undefined;
  return {
    errorCode: "UNSUPPORTED_EXECUTION_TYPE",
    field: "maxSubsidizationAmount",
    value: maxSubsidizationAmount,
    reason: "the input would depend on whether the cap covers all fees, which a deposit address cannot support",
    hint: "Use EXACT_INPUT, or omit maxSubsidizationAmount.",
  };
}

function isNeutral(field: keyof typeof UNSUPPORTED, value: unknown): boolean {
  if (field in DEFAULTS) return value === DEFAULTS[field];
  return (
    value === undefined ||
    value === false ||
    value === 0 ||
    value === "0" ||
    (Array.isArray(value) && value.length === 0)
  );
}

function unsupported(field: string, value: unknown, reason: string): QuoteProblem {
  return {
    errorCode: "UNSUPPORTED_FIELD",
    field,
    value,
    reason,
    hint: `Omit ${field} here; only the live service implements it.`,
  };
}
