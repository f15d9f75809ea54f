import { parseEvmAddress } from "../../chains/address.ts";
import { parseAmount } from "../../core/amounts.ts";
import { type Call, parseCallData } from "../../protocol/common/call.ts";
import { parseProblems, type QuoteProblem } from "../../protocol/quote/quoteProblem.ts";

/** Problems in how a call is written. */
export function findFormProblems({ to, data, value }: Call): QuoteProblem[] {
  return [
    ...parseProblems("INVALID_EXTRA_TXS", to, "to", parseEvmAddress),
    ...parseProblems("INVALID_EXTRA_TXS", data, "data", parseCallData),
    ...parseProblems("INVALID_EXTRA_TXS", value, "value", parseAmount),
  ];
}
