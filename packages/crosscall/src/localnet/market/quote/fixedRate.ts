import { bpsOf, mulDiv, mulDivUp } from "@crosscall/protocol/encoding";
import { MAJOR_STABLECOINS, platformFee } from "@crosscall/protocol/fees";
import { executionFee, sponsorFees } from "@crosscall/protocol/quote/rules";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import { isInventory, type PricedCurrency, usdValue } from "../currencies.ts";
import { isSimulated, type QuotedChain } from "../quotedChains.ts";
import type { Price, PriceParameters } from "./priceQuote.ts";
import type { ResolvedQuote } from "./resolveQuote.ts";

/** A fixed rate. In whole units, the output is the input times `left`, divided by `right`. */
export interface FixedRate {
  readonly left: bigint;
  readonly right: bigint;
}

const RATE = /^(\d{1,9})(?:\.(\d{1,18}))?:(\d{1,9})(?:\.(\d{1,18}))?$/u;

/** Parses a rate such as `1:1.0005`; undefined if the text is not a rate. */
export function readFixedRate(text: string): FixedRate | undefined {
  const [, leftWhole, leftPart = "", rightWhole, rightPart = ""] = RATE.exec(text) ?? [];
  if (leftWhole === undefined || rightWhole === undefined) return undefined;
  const scaled = (whole: string, part: string): bigint => BigInt(whole + part.padEnd(18, "0"));
  const rate = { left: scaled(leftWhole, leftPart), right: scaled(rightWhole, rightPart) };
  return rate.left > 0n && rate.right > 0n ? rate : undefined;
}

type FixedQuote = Pick<ResolvedQuote, "request" | "origin" | "destination" | "input" | "output">;

/**
 * Finds a problem with a fixed rate. Fixed rates require stablecoins that the solver holds, and the integrator pays all
 * fees.
 */
export function findFixedRateProblem({ request, ...quote }: FixedQuote): QuoteProblem | undefined {
  const { fixedRate, maxSubsidizationAmount, sponsoredFeeComponents } = request;
  if (fixedRate === undefined) return undefined;
  if (readFixedRate(fixedRate) === undefined) {
    return {
      errorCode: "INVALID_REQUEST",
      field: "fixedRate",
      value: fixedRate,
      reason: "must be two positive decimal numbers separated by a colon",
      hint: 'Pass for example "1:1", or "1:1.0005" to deliver 0.05% less.',
    };
  }
  for (const [field, value] of Object.entries({ maxSubsidizationAmount, sponsoredFeeComponents })) {
    if (value === undefined) continue;
    return {
      errorCode: "INVALID_REQUEST",
      field,
      value,
      reason: "with a fixed rate, the integrator pays all fees",
      hint: `Omit ${field} or fixedRate.`,
    };
  }
  if (!isStable(quote.origin, quote.input)) return unstable("originCurrency", quote.input);
  if (!isStable(quote.destination, quote.output)) return unstable("destinationCurrency", quote.output);
  return undefined;
}

function isStable(chain: QuotedChain, { currency }: PricedCurrency): boolean {
  if (isSimulated(chain)) return false;
  return MAJOR_STABLECOINS.includes(currency.symbol) && isInventory(chain.contracts, currency.address);
}

function unstable(field: "originCurrency" | "destinationCurrency", { currency }: PricedCurrency): QuoteProblem {
  return {
    errorCode: "UNSUPPORTED_CURRENCY",
    field,
    value: currency.address,
    reason: `a fixed rate needs a stablecoin that the solver holds, not ${currency.symbol} of chain ${currency.chainId}`,
    hint: "Use USDC of a chain that this network runs, or omit fixedRate.",
  };
}

/** Prices a quote at a fixed rate. Returns undefined if the amount is too small to yield any output. */
export function priceAtFixedRate(parameters: PriceParameters, { left, right }: FixedRate): Price | undefined {
  const { amount, input, output, native, tradeType, fillCost, originGasUsdE18 = 0n, appFeeBps } = parameters;
  const [inputUnit, outputUnit] = [10n ** BigInt(input.currency.decimals), 10n ** BigInt(output.currency.decimals)];
  const isFromInput = tradeType === "EXACT_INPUT";
  const inputAmount = isFromInput ? amount : mulDivUp(amount, right * inputUnit, left * outputUnit);
  const expectedOutput = isFromInput ? mulDiv(amount, left * outputUnit, right * inputUnit) : amount;
  if (inputAmount === 0n || expectedOutput === 0n) return undefined;
  const inputUsd = usdValue(inputAmount, input);
  const fees = {
    swap: 0n,
    execution: executionFee({
      destinationGasUsdE18: usdValue(fillCost, native),
      gaslessOriginGasUsdE18: originGasUsdE18,
    }).totalUsdE18,
    platform: bpsOf(inputUsd, platformFee(input.currency, output.currency).bps),
    app: bpsOf(inputUsd, appFeeBps),
  };
  return {
    inputAmount,
    expectedOutput,
    minimumOutput: expectedOutput,
    fees,
    sponsored: sponsorFees(fees, { subsidizeFees: true }),
    passThroughUsdE18: 0n,
    originGasUsdE18,
    fixedRateUsdE18: usdValue(expectedOutput, output) - inputUsd,
  };
}
