import { isEvmNative, isSameAddress, parseEvmAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import { isBps, type QuoteRequest } from "@crosscall/protocol/quote/rules";
import { BITCOIN_CODEC } from "@crosscall/protocol/vms";
import { isSimulated } from "../quotedChains.ts";
import { isSponsored } from "./buildDetails.ts";
import { findFixedRateProblem } from "./fixedRate.ts";
import { findTopupProblem } from "./gasTopup.ts";
import { type EvmQuote, isEvmQuote, type ResolvedQuote } from "./resolveQuote.ts";
import { isPermitExecution } from "./routes/gasless.ts";

/** Maximum length in bytes, because the database cannot index longer text. */
const REFERRER_MAX_BYTES = 1_000;

/** Maximum gas of the calls. With the rest of the fill, it stays within the gas limit of a transaction (EIP-7825). */
const TXS_GAS_MAX = 16_000_000;

/** Finds the first field about the fill that this network cannot support. */
export function findTermsProblem(quote: ResolvedQuote): QuoteProblem | undefined {
  const { request } = quote;
  return (
    findReferrerProblem(request) ??
    findSameChainTerm(quote) ??
    findOverheadProblem(quote) ??
    findGasProblem(request) ??
    findLateProblem(request) ??
    findTopupProblem(quote) ??
    findFixedRateProblem(quote)
  );
}

function findReferrerProblem({ referrer = "" }: QuoteRequest): QuoteProblem | undefined {
  if (Buffer.byteLength(referrer) <= REFERRER_MAX_BYTES) return undefined;
  return {
    errorCode: "INVALID_REQUEST",
    field: "referrer",
    value: `${referrer.slice(0, 20)}…`,
    reason: `must have at most ${REFERRER_MAX_BYTES} bytes`,
    hint: "Use a shorter tag.",
  };
}

/** Fields that only affect a solver's fill. */
const FILL_TERMS = [
  "ttl",
  "latePaymentSlippageTolerance",
  "originGasOverhead",
  "fixedRate",
  "topupGas",
  "authorizationList",
] as const satisfies readonly (keyof QuoteRequest)[];

function findSameChainTerm(quote: ResolvedQuote): QuoteProblem | undefined {
  const { request, origin, destination } = quote;
  if (!isEvmQuote(quote) || origin.id !== destination.id || request.useDepositAddress === true) return undefined;
  const field = FILL_TERMS.find((name) => isGiven(request[name]));
  if (field === undefined) return undefined;
  return {
    errorCode: "UNSUPPORTED_EXECUTION_TYPE",
    field,
    value: request[field],
    reason: "same-chain requests are executed by the user, so there is no fill",
    hint: `Omit ${field}, or choose another destination chain.`,
  };
}

/** Finds a problem with a call's overhead. The service sends calls for users only on EVM chains. */
function findOverheadProblem({ request, origin }: ResolvedQuote): QuoteProblem | undefined {
  const { originGasOverhead } = request;
  if (!isSimulated(origin) || !isGiven(originGasOverhead)) return undefined;
  return {
    errorCode: "UNSUPPORTED_EXECUTION_TYPE",
    field: "originGasOverhead",
    value: originGasOverhead,
    reason: `the service sends no calls on chain ${origin.id}`,
    hint: "Omit originGasOverhead, or choose an EVM origin chain.",
  };
}

function isGiven(value: unknown): boolean {
  const isNothing = value === undefined || value === false || Number(value) === 0;
  return !isNothing && !(Array.isArray(value) && value.length === 0);
}

function findGasProblem({ txsGasLimit }: QuoteRequest): QuoteProblem | undefined {
  if (txsGasLimit === undefined || txsGasLimit <= TXS_GAS_MAX) return undefined;
  return {
    errorCode: "INVALID_REQUEST",
    field: "txsGasLimit",
    value: txsGasLimit,
    reason: `it exceeds the maximum of ${TXS_GAS_MAX} gas`,
    hint: "Use a lower limit, or fewer calls.",
  };
}

function findLateProblem({ latePaymentSlippageTolerance: value }: QuoteRequest): QuoteProblem | undefined {
  if (value === undefined || isBps(value)) return undefined;
  return {
    errorCode: "INVALID_SLIPPAGE_TOLERANCE",
    field: "latePaymentSlippageTolerance",
    value,
    reason: "must be a decimal string of basis points from 0 to 10000",
    hint: 'Pass for example "500" for 5%, or omit it.',
  };
}

/**
 * Applies the live service's rules for where an unfilled payment goes. Only payments on EVM chains can be recovered
 * here.
 */
export function findRecoveryProblem({ request, originNative }: ResolvedQuote): QuoteProblem | undefined {
  const { recoveryAddress, refundTo, useDepositAddress } = request;
  if (refundTo !== undefined && isPayer(refundTo) && useDepositAddress !== true) {
    return {
      errorCode: "INVALID_ADDRESS",
      field: "refundTo",
      value: refundTo,
      reason: "the address of the native currency stands for the payer, and requires a deposit address",
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
      reason: "only deposits to a deposit address can be recovered",
      hint: "Set useDepositAddress, or omit recoveryAddress.",
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

/** Returns whether the refund address is that of a native currency, which stands for the payer of a deposit address. */
export function isPayer(refundTo: string): boolean {
  return isEvmNative(refundTo) || refundTo === BITCOIN_CODEC.nativeCurrency;
}

export function findSameChainProblem(quote: EvmQuote): QuoteProblem | undefined {
  const { request, input, output, txs, callValue } = quote;
  if (isSponsored(quote) && !isPermitExecution(quote)) {
    const field = request.subsidizeFees === true ? "subsidizeFees" : "sponsoredFeeComponents";
    return {
      errorCode: "UNSUPPORTED_EXECUTION_TYPE",
      field,
      value: request[field],
      reason: "same-chain requests are executed by the user, so there is no fill to sponsor",
      hint: `Omit ${field}, set usePermit, or choose another destination chain.`,
    };
  }
  if (txs.length > 0) {
    if (!isEvmNative(input.currency.address)) {
      return {
        errorCode: "UNSUPPORTED_EXECUTION_TYPE",
        field: "originCurrency",
        value: request.originCurrency,
        reason:
          "same-chain calls must be paid in the native currency, because the public router must not have token allowances",
        hint: "Pay in the native currency, or choose another destination chain.",
      };
    }
    if (callValue > 0n && !isEvmNative(output.currency.address)) {
      return {
        errorCode: "INVALID_EXTRA_TXS",
        field: "txs",
        value: callValue.toString(),
        reason: "same-chain requests cannot pay native values in addition to a token",
        hint: 'Set the values to "0", or ask for the native currency.',
      };
    }
    return undefined;
  }
  if (!isSameAddress(input.currency.address, output.currency.address)) return undefined;
  if (isSameAddress(quote.user, quote.recipient)) {
    return {
      errorCode: "UNSUPPORTED_ROUTE",
      field: "recipient",
      value: request.recipient,
      reason: "the request would send funds back to their owner",
      hint: "Choose another recipient, currency or chain.",
    };
  }
  return undefined;
}
