import type { ChainFamily } from "../../chains/families/chainFamily.ts";
import { chainFamilyOf, type KnownChain } from "../../chains/families/chainFamilyOf.ts";
import { parseProblems, type QuoteProblem } from "./quoteProblem.ts";
import type { QuoteRequest } from "./quoteRequest.ts";

/** Addresses and currencies must have the form of their chain (spec 2, sections 2.1 and 6). */
export function addressProblems(request: QuoteRequest, chains: readonly KnownChain[]): QuoteProblem[] {
  const origin = chainFamilyOf(request.originChainId, chains);
  const destination = chainFamilyOf(request.destinationChainId, chains);
  const { user, recipient, refundTo, originCurrency, destinationCurrency } = request;
  return [
    ...parseProblems("INVALID_ADDRESS", user, "user", origin.parseAccount),
    ...(recipient === undefined
      ? missingRecipientProblems(user, destination)
      : parseProblems("INVALID_RECIPIENT", recipient, "recipient", destination.parseAccount)),
    ...(refundTo === undefined ? [] : parseProblems("INVALID_ADDRESS", refundTo, "refundTo", origin.parseAccount)),
    ...parseProblems("INVALID_INPUT_CURRENCY", originCurrency, "originCurrency", origin.parseCurrency),
    ...parseProblems("INVALID_OUTPUT_CURRENCY", destinationCurrency, "destinationCurrency", destination.parseCurrency),
  ];
}

function missingRecipientProblems(user: string, destination: ChainFamily): QuoteProblem[] {
  if (parseProblems("INVALID_RECIPIENT", user, "user", destination.parseAccount).length === 0) return [];
  return [
    {
      errorCode: "INVALID_RECIPIENT",
      field: "recipient",
      value: undefined,
      reason: "the user of the origin chain cannot receive on the destination chain",
      hint: "Set recipient in the destination chain's format.",
    },
  ];
}
