import { parseAmount } from "@crosscall/protocol/encoding";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import { MICRO_USD_E18 } from "@crosscall/protocol/quote/rules";
import { amountWorth } from "../currencies.ts";
import { isSimulated } from "../quotedChains.ts";
import { deliversNative, type ResolvedQuote } from "./resolveQuote.ts";

/** In USD micro-units. */
const DEFAULT_TOPUP = "2000000";

type TopupQuote = Pick<ResolvedQuote, "request" | "destination" | "destinationNative" | "output">;

/** Returns the native currency that the recipient receives in addition to the output, in wei. */
export function gasTopupOf({ request, destinationNative }: TopupQuote): bigint {
  const { topupGas, topupGasAmount = DEFAULT_TOPUP } = request;
  if (topupGas !== true) return 0n;
  return amountWorth(parseAmount(topupGasAmount, "topupGasAmount") * MICRO_USD_E18, destinationNative);
}

export function findTopupProblem(quote: TopupQuote): QuoteProblem | undefined {
  const { topupGas, topupGasAmount } = quote.request;
  if (topupGas !== true) return undefined;
  if (topupGasAmount !== undefined && !/^[1-9]\d{0,17}$/u.test(topupGasAmount)) {
    return {
      errorCode: "INVALID_REQUEST",
      field: "topupGasAmount",
      value: topupGasAmount,
      reason: "must be a positive decimal number of USD micro-units",
      hint: 'Pass for example "2000000" for 2 US dollars, or omit it.',
    };
  }
  const reason = isSimulated(quote.destination)
    ? "gas can be delivered on EVM chains only"
    : deliversNative(quote)
      ? "the output is already the native currency"
      : undefined;
  if (reason === undefined) return undefined;
  return {
    errorCode: "UNSUPPORTED_EXECUTION_TYPE",
    field: "topupGas",
    value: true,
    reason,
    hint: "Omit topupGas, or choose a token on an EVM chain.",
  };
}
