import type { QuoteProblem } from "@crosscall/sdk/internal/protocol/quote/quoteProblem";
import { type QuoteRequest, QuoteRequestSchema } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";

/**
 * Fields of the live service that this network does not support, with its behavior. `topupGasAmount` and `permitExpiry`
 * only matter with `topupGas` and `usePermit`, which are rejected.
 */
const UNSUPPORTED = {
  txsGasLimit: "sets no gas limit for txs",
  authorizationList: "fills with no EIP-7702 authorizations",
  additionalData: "has no Bitcoin chain",
  referrerAddress: "does nothing by referrerAddress",
  recoveryAddress: "withdraws nothing to a recovery address",
  refundOnOrigin: "refunds on the origin chain only",
  topupGas: "delivers no gas in addition to the output",
  enableTrueExactOutput: "pays a surplus to the recipient",
  explicitDeposit: "takes deposits by a contract call only",
  useFallbacks: "has no fallback routes",
  usePermit: "accepts no permits",
  latePaymentSlippageTolerance: "fills nothing after the order's deadline",
  gasLimitForDepositSpecifiedTxs: "runs no calls inside a deposit",
  forceSolverExecution: "lets the user execute same-chain requests",
  subsidizeRent: "has no rent",
  originGasOverhead: "executes no gasless origin transaction",
  depositFeePayer: "has no SVM chain",
  useSharedAccounts: "has no SVM chain",
  includeComputeUnitLimit: "has no SVM chain",
  overridePriceImpact: "always rejects a high price impact",
  disableSwapProviderPreference: "prefers no swap provider",
  fixedRate: "guarantees no rate",
  ttl: "gives every order the same deadline",
} as const satisfies Partial<Record<keyof QuoteRequest, string>>;

/** Values that request the default behavior. */
const DEFAULTS: Partial<Record<keyof QuoteRequest, unknown>> = { refundOnOrigin: true, explicitDeposit: true };

/**
 * The first field that this network would ignore. It is rejected, because it may change what happens to funds on the
 * live service.
 */
export function findUnsupportedField(request: QuoteRequest): QuoteProblem | undefined {
  for (const [field, value] of Object.entries(request)) {
    if (Object.hasOwn(UNSUPPORTED, field)) {
      const name = field as keyof typeof UNSUPPORTED;
      if (!isNeutral(name, value)) return unsupported(field, value, `this network ${UNSUPPORTED[name]}`);
    } else if (!Object.hasOwn(QuoteRequestSchema.properties, field)) {
      return unsupported(field, value, "is not a field of POST /quote/v2");
    }
  }
  if (request.useDepositAddress === true && request.tradeType !== "EXACT_INPUT") {
    return {
      errorCode: "UNSUPPORTED_EXECUTION_TYPE",
      field: "tradeType",
      value: request.tradeType,
      reason: "the amount that arrives at the deposit address determines the output",
      hint: "Use EXACT_INPUT, or quote without useDepositAddress.",
    };
  }
  const index = request.txs?.findIndex(({ originalTxValue }) => originalTxValue !== undefined) ?? -1;
  if (index < 0) return undefined;
  const value = request.txs?.[index]?.originalTxValue;
  return unsupported(`txs[${index}].originalTxValue`, value, "its effect is not documented");
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
