import { EVM_NATIVE_CURRENCY, isSameAddressOf } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { BPS_PER_WHOLE, parseAmount } from "@crosscall/protocol/encoding";
import { quotedInput, type QuoteRequest, requestIdOf } from "@crosscall/protocol/quote/rules";
import { type Quote, type QuoteFees, QuoteFeesSchema } from "@crosscall/protocol/quote";
import type { ServiceTrust } from "./trust.ts";
import type { TrustedChain } from "./trustedChains.ts";

/** The caller's limits in addition to the request. */
export interface QuoteLimits {
  /** Maximum payment, in the smallest unit of the origin currency. Used for requests with a fixed output. */
  readonly maximumInput?: bigint;
  /** Minimum output, in the smallest unit of the destination currency. */
  readonly minimumOutput?: bigint;
  /** Maximum loss of value from input to output, in basis points of the input's value in the quote. */
  readonly maximumImpactBps?: number;
  /**
   * Maximum amount of each fee in `quote.fees`, in the smallest unit of the fee's currency. A missing fee is rejected.
   */
  readonly maximumFees?: Readonly<Partial<Record<keyof QuoteFees, bigint>>>;
  /**
   * Maximum gas price of a transaction, in wei. Defaults to ten times the median of the last 20 blocks, but at least 20
   * gwei. Checked by `executeSteps`.
   */
  readonly maximumGasPrice?: bigint;
  /**
   * Maximum gas cost of all steps on a chain, in wei. Defaults to the payment's value (from the quote's USD values),
   * but at least 0.005 of the native currency. Checked by `executeSteps`.
   */
  readonly maximumGasCost?: bigint;
  /** Whether an approval may be unlimited. By default, an approval must be for exactly the paid amount. */
  readonly allowsUnlimitedApproval?: boolean;
}

/** Terms that are known before reading a quote. */
export interface QuoteTerms {
  readonly request: QuoteRequest;
  readonly quote: Quote;
  readonly limits: QuoteLimits;
  readonly requestId: string;
  readonly trust: ServiceTrust;
  readonly origin: TrustedChain | undefined;
  readonly destination: TrustedChain | undefined;
  readonly recipient: string;
  readonly refundTo: string;
  /** Amount in the origin currency's smallest unit. */
  readonly inputAmount: bigint;
  /** The request's slippage, or the default tolerance, in basis points of the payment. */
  readonly slippageBps: bigint;
  /** Unix seconds. */
  readonly now: number;
}

/** Tolerance if the service chooses the slippage. */
const CHOSEN_SLIPPAGE_BPS = 500n;

export interface ReadTermsParameters {
  readonly request: QuoteRequest;
  readonly quote: Quote;
  readonly trust: ServiceTrust;
  readonly limits: QuoteLimits;
  readonly now: number;
}

/**
 * @throws {@link InvalidInputError} when an amount of the request or a limit is invalid
 * @throws {@link MalformedDataError} when the quote has no requestId, or no input amount although the request fixes the
 * output
 */
export function readTerms({ request, quote, trust, limits, now }: ReadTermsParameters): QuoteTerms {
  requireLimits(limits);
  const { user, slippageTolerance } = request;
  return {
    request,
    quote,
    limits,
    requestId: requestIdOf(quote),
    trust,
    origin: trust[request.originChainId],
    destination: trust[request.destinationChainId],
    recipient: request.recipient ?? user,
    refundTo: request.refundTo ?? user,
    inputAmount: request.tradeType === "EXACT_INPUT" ? parseAmount(request.amount, "amount") : quotedInput(quote),
    slippageBps:
      slippageTolerance === undefined ? CHOSEN_SLIPPAGE_BPS : parseAmount(slippageTolerance, "slippageTolerance"),
    now,
  };
}

const FEE_NAMES: readonly string[] = Object.keys(QuoteFeesSchema.properties);

/**
 * Callers in JavaScript, or with limits from a file, can pass any value. A limit that is not a number would have no
 * effect.
 */
function requireLimits(limits: QuoteLimits): void {
  const { maximumFees = {}, maximumImpactBps: _impact, allowsUnlimitedApproval: _approval, ...amounts } = limits;
  requireAmounts("limits", amounts);
  requireAmounts("limits.maximumFees", maximumFees);
  for (const [name, value] of Object.entries(maximumFees)) {
    if (FEE_NAMES.includes(name)) continue;
    const hint = `Use one of: ${FEE_NAMES.join(", ")}.`;
    throw new InvalidInputError({ field: `limits.maximumFees.${name}`, value, reason: "it is not a quote fee", hint });
  }
}

function requireAmounts(at: string, amounts: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(amounts)) {
    if (value === undefined || (typeof value === "bigint" && value >= 0n)) continue;
    const hint = "Pass a non-negative bigint in the smallest unit.";
    throw new InvalidInputError({ field: `${at}.${name}`, value, reason: "it is not an amount", hint });
  }
}

/**
 * Returns the maximum input amount that the user may spend, in its smallest unit. An origin swap with a fixed output
 * takes more if the price changes.
 */
export function mostInput({ request, inputAmount, slippageBps }: MovingInput): bigint {
  const isFixed = request.tradeType === "EXACT_INPUT" || request.originChainId !== request.destinationChainId;
  return isFixed ? inputAmount : (inputAmount * (BPS_PER_WHOLE + slippageBps)) / BPS_PER_WHOLE + 1n;
}

type MovingInput = Pick<QuoteTerms, "request" | "inputAmount" | "slippageBps">;

export function isSameOrigin({ request }: QuoteTerms, a: string | null | undefined, b: string): boolean {
  return typeof a === "string" && isSameAddressOf(request.originChainId, a, b);
}

export function isSameDestination({ request }: QuoteTerms, a: string | null | undefined, b: string): boolean {
  return typeof a === "string" && isSameAddressOf(request.destinationChainId, a, b);
}

export function isSameChain({ request }: QuoteTerms): boolean {
  return request.originChainId === request.destinationChainId;
}

export function paysNative({ request }: QuoteTerms): boolean {
  return request.originCurrency.toLowerCase() === EVM_NATIVE_CURRENCY;
}

/** Reads a number from the service. Returns undefined if it is invalid. */
export function amountOf(text: string | null | undefined): bigint | undefined {
  return typeof text === "string" && /^(0|[1-9]\d*)$/u.test(text) ? BigInt(text) : undefined;
}
