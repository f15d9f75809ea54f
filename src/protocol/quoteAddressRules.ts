import { isHex } from "viem";

import { encodeAddress, parseEvmAddress } from "../chains/address.ts";
import { EXCHANGE_CHAIN_ID, SVM_CHAIN_ID } from "../chains/chainIds.ts";
import { InvalidInputError } from "../core/errors.ts";
import { type QuoteProblem, findParseProblem } from "./quoteProblem.ts";
import type { QuoteRequest } from "./quoteRequest.ts";

interface Notation {
  readonly family: string;
  readonly parse: (value: string, field: string) => unknown;
}

const EVM_NOTATION: Notation = { family: "evm", parse: parseEvmAddress };

/** How accounts and currencies are written on chains that are not EVM chains (spec 2, section 6). */
const OTHER_NOTATIONS: ReadonlyMap<number, Notation> = new Map([
  [SVM_CHAIN_ID, { family: "svm", parse: parseSvmAddress }],
  [EXCHANGE_CHAIN_ID, { family: "exchange", parse: parseIndex }],
]);

/** The first address or currency that its chain does not write like that (spec 2, sections 2.1 and 6). */
export function findAddressProblem(request: QuoteRequest): QuoteProblem | undefined {
  const origin = notationOf(request.originChainId);
  const destination = notationOf(request.destinationChainId);
  const { user, recipient, refundTo, originCurrency, destinationCurrency } = request;
  return (
    findParseProblem("INVALID_ADDRESS", user, "user", origin.parse) ??
    (recipient === undefined
      ? findMissingRecipient(origin, destination)
      : findParseProblem("INVALID_RECIPIENT", recipient, "recipient", destination.parse)) ??
    (refundTo === undefined ? undefined : findParseProblem("INVALID_ADDRESS", refundTo, "refundTo", origin.parse)) ??
    findParseProblem("INVALID_INPUT_CURRENCY", originCurrency, "originCurrency", origin.parse) ??
    findParseProblem("INVALID_OUTPUT_CURRENCY", destinationCurrency, "destinationCurrency", destination.parse)
  );
}

/** Whether accounts of a chain are EVM addresses, so that the router can make calls there. */
export function isEvmChain(chainId: number): boolean {
  return notationOf(chainId) === EVM_NOTATION;
}

function notationOf(chainId: number): Notation {
  return OTHER_NOTATIONS.get(chainId) ?? EVM_NOTATION;
}

function findMissingRecipient(origin: Notation, destination: Notation): QuoteProblem | undefined {
  if (origin.family === destination.family) return undefined;
  return {
    errorCode: "INVALID_RECIPIENT",
    field: "recipient",
    value: undefined,
    reason: "the user of the origin chain cannot receive on the destination chain",
    cure: "Give recipient as the destination chain writes its accounts.",
  };
}

function parseSvmAddress(value: string, field: string): unknown {
  if (!isHex(value)) return encodeAddress(value, field);
  throw new InvalidInputError({
    field,
    value,
    reason: "an SVM address is a base58 public key of 32 bytes, never an EVM address",
    cure: `Give ${field} in base58, with its case as it is.`,
  });
}

function parseIndex(value: string, field: string): unknown {
  if (/^(0|[1-9]\d*)$/u.test(value)) return value;
  throw new InvalidInputError({
    field,
    value,
    reason: "the exchange chain writes accounts and assets as decimal indexes",
    cure: `Give ${field} as the index that the exchange's lookup returns, for example "3".`,
  });
}
