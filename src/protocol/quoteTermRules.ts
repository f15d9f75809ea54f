import { parseEvmAddress } from "../chains/address.ts";
import { BPS_PER_WHOLE, parseAmount } from "../core/amounts.ts";
import { type QuoteProblem, findParseProblem } from "./quoteProblem.ts";
import type { QuoteRequest } from "./quoteRequest.ts";

/** Whether the amount is one, and above zero. */
export function findAmountProblem(amount: string): QuoteProblem | undefined {
  const problem = findParseProblem("INVALID_REQUEST", amount, "amount", parseAmount);
  if (problem !== undefined || amount !== "0") return problem;
  return {
    errorCode: "AMOUNT_TOO_LOW",
    field: "amount",
    value: amount,
    reason: "nothing would be moved",
    cure: "Give an amount above zero, in the smallest unit.",
  };
}

/** Whether the slippage tolerance is basis points of a whole. */
export function findSlippageProblem(slippageTolerance: string | undefined): QuoteProblem | undefined {
  if (slippageTolerance === undefined || isBps(slippageTolerance)) return undefined;
  return {
    errorCode: "INVALID_SLIPPAGE_TOLERANCE",
    field: "slippageTolerance",
    value: slippageTolerance,
    reason: "it is a decimal string of basis points from 0 to 10000",
    cure: 'Give it in basis points, for example "50" for 0.5 %, or leave it out.',
  };
}

/** Whether the app fees go to EVM wallets, and are basis points that add up to a whole at most. */
export function findAppFeesProblem(appFees: QuoteRequest["appFees"] = []): QuoteProblem | undefined {
  for (const [index, { recipient, fee }] of appFees.entries()) {
    const problem = findParseProblem("INVALID_ADDRESS", recipient, `appFees[${index}].recipient`, parseEvmAddress);
    if (problem !== undefined) return problem;
    if (isBps(fee)) continue;
    return {
      errorCode: "INVALID_REQUEST",
      field: `appFees[${index}].fee`,
      value: fee,
      reason: "it is a decimal string of basis points from 0 to 10000",
      cure: 'Give it in basis points, for example "100" for 1 %.',
    };
  }
  const sum = appFees.reduce((total, { fee }) => total + BigInt(fee), 0n);
  if (sum <= BPS_PER_WHOLE) return undefined;
  return {
    errorCode: "INVALID_REQUEST",
    field: "appFees",
    value: appFees,
    reason: `the fees add up to ${sum} basis points, more than the whole`,
    cure: "Lower the fees so that they add up to at most 10000 basis points.",
  };
}

function isBps(text: string): boolean {
  return /^(0|[1-9]\d{0,4})$/u.test(text) && BigInt(text) <= BPS_PER_WHOLE;
}
