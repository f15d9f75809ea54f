import { parseEvmAddress } from "../../chains/address.ts";
import { BPS_PER_WHOLE, parseAmount } from "../../core/amounts.ts";
import { parseProblems, type QuoteProblem } from "./quoteProblem.ts";
import type { QuoteRequest } from "./quoteRequest.ts";

export function amountProblems(amount: string): QuoteProblem[] {
  if (amount !== "0") return parseProblems("INVALID_REQUEST", amount, "amount", parseAmount);
  return [
    {
      errorCode: "AMOUNT_TOO_LOW",
      field: "amount",
      value: amount,
      reason: "nothing would be moved",
      hint: "Pass an amount above zero, in the smallest unit.",
    },
  ];
}

export function slippageProblems(slippageTolerance: string | undefined): QuoteProblem[] {
  if (slippageTolerance === undefined || isBps(slippageTolerance)) return [];
  return [
    {
      errorCode: "INVALID_SLIPPAGE_TOLERANCE",
      field: "slippageTolerance",
      value: slippageTolerance,
      reason: "it is a decimal string of basis points from 0 to 10000",
      hint: 'Give it in basis points, for example "50" for 0.5 %, or leave it out.',
    },
  ];
}

export function appFeeProblems(appFees: QuoteRequest["appFees"] = []): QuoteProblem[] {
  const problems = appFees.flatMap(({ recipient, fee }, index) => [
    ...parseProblems("INVALID_ADDRESS", recipient, `appFees[${index}].recipient`, parseEvmAddress),
    ...bpsProblems(fee, `appFees[${index}].fee`),
  ]);
  const sum = appFees.reduce((total, { fee }) => total + (isBps(fee) ? BigInt(fee) : 0n), 0n);
  if (sum > BPS_PER_WHOLE) {
    problems.push({
      errorCode: "INVALID_REQUEST",
      field: "appFees",
      value: appFees,
      reason: `the fees add up to ${sum} basis points, more than the whole`,
      hint: "Lower the fees so that they add up to at most 10000 basis points.",
    });
  }
  return problems;
}

function bpsProblems(value: string, field: string): QuoteProblem[] {
  if (isBps(value)) return [];
  return [
    {
      errorCode: "INVALID_REQUEST",
      field,
      value,
      reason: "it is a decimal string of basis points from 0 to 10000",
      hint: 'Give it in basis points, for example "100" for 1 %.',
    },
  ];
}

function isBps(text: string): boolean {
  return /^(0|[1-9]\d{0,4})$/u.test(text) && BigInt(text) <= BPS_PER_WHOLE;
}
