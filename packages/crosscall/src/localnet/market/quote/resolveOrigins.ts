import { isSameAddress } from "@crosscall/protocol/chains";
import { parseAmount } from "@crosscall/protocol/encoding";
import { parseProblems, type QuoteProblem } from "@crosscall/protocol/quote";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { amountWorth } from "../currencies.ts";
import type { ChainReader, Pricer } from "../market.ts";
import { isSimulated, requireQuotedChain } from "../quotedChains.ts";
import { rejectField, rejectIf, rejectProblem } from "../rejection.ts";
import { sumUsd } from "./inputsOf.ts";
import { findTransferFee, parseQuoteAccount, type QuotedInput, requireCurrency } from "./resolveQuote.ts";

export interface RequestedOrigin {
  readonly chainId: number;
  readonly currency: string;
  /** Smallest unit. */
  readonly amount: string;
  /** Depositor; the request's user by default. */
  readonly user?: string;
}

/** Request of `POST /execute/swap/multi-input`. */
export interface OriginsRequest extends Omit<QuoteRequest, "originChainId" | "originCurrency" | "amount"> {
  readonly origins: readonly RequestedOrigin[];
  /** Output in the smallest unit, unless the input is exact. */
  readonly amount?: string;
}

export interface ResolvedOrigins {
  /** The same request with one origin, which pays the total. */
  readonly request: QuoteRequest;
  /** Inputs; undefined if there is one. */
  readonly offers: readonly QuotedInput[] | undefined;
}

/** Fields whose effect is only defined for one deposit. */
const ONE_DEPOSIT_ONLY = [
  "useDepositAddress",
  "usePermit",
  "fixedRate",
  "latePaymentSlippageTolerance",
] as const satisfies readonly (keyof QuoteRequest)[];

/**
 * Converts a request with a list of origins. Several origins are priced as one deposit of the total in the currency of
 * the first origin that is not on the destination chain.
 *
 * @throws {@link RejectionError} naming the first invalid field
 */
export function resolveOrigins(market: Pricer & ChainReader, { origins, ...body }: OriginsRequest): ResolvedOrigins {
  const inputs = origins.map((origin, index) => resolveOrigin(market, body, origin, `origins[${index}]`));
  const [only, ...others] = inputs;
  if (only === undefined) throw rejectField("origins", origins, "is empty", "Pass at least one origin.");
  const isExactInput = body.tradeType === "EXACT_INPUT";
  if (!isExactInput && body.amount === undefined) {
    throw rejectField(
      "amount",
      undefined,
      "is missing: it is the amount of the output",
      "Pass the amount of the output.",
    );
  }
  const toRequest = ({ origin, input }: QuotedInput, total: bigint): QuoteRequest => ({
    ...body,
    originChainId: origin.id,
    originCurrency: input.currency.address,
    amount: isExactInput ? total.toString() : (body.amount ?? ""),
  });
  if (others.length === 0) {
    const request = toRequest(only, only.amount);
    const payer = origins[0]?.user;
    const offers = undefined;
    return { offers, request: payer === undefined ? request : { ...request, ...partiesOf(body, payer) } };
  }
  rejectIf(findSeveralProblem(body, inputs));
  const primary = inputs.find(({ origin }) => origin.id !== body.destinationChainId);
  if (primary === undefined) {
    throw rejectProblem({
      errorCode: "UNSUPPORTED_ROUTE",
      field: "origins",
      value: origins.map(({ chainId }) => chainId),
      reason: "are all on the destination chain",
      hint: "Include an origin on another chain, or request a same-chain quote for each currency.",
    });
  }
  return { request: toRequest(primary, amountWorth(sumUsd(inputs), primary.input)), offers: inputs };
}

function partiesOf({ user, recipient = user }: Pick<QuoteRequest, "user" | "recipient">, payer: string) {
  return { user: payer, recipient };
}

function resolveOrigin(
  { chains, currencies }: Pricer & ChainReader,
  { user, refundTo }: Pick<QuoteRequest, "user" | "refundTo">,
  requested: RequestedOrigin,
  path: string,
): QuotedInput {
  const origin = requireQuotedChain(chains, requested.chainId, `${path}.chainId`);
  const field = `${path}.currency`;
  const input = requireCurrency(currencies, origin, requested.currency, field, "INVALID_INPUT_CURRENCY");
  rejectIf(findTransferFee(input, field));
  rejectIf(findAmountProblem(requested.amount, `${path}.amount`));
  const payer = requested.user ?? user;
  const payerField = requested.user === undefined ? "user" : `${path}.user`;
  return {
    origin,
    input,
    user: parseQuoteAccount(chains, origin, payer, payerField),
    refundTo:
      refundTo === undefined
        ? parseQuoteAccount(chains, origin, payer, payerField)
        : parseQuoteAccount(chains, origin, refundTo, "refundTo"),
    amount: BigInt(requested.amount),
  };
}

function findAmountProblem(amount: string, field: string): QuoteProblem | undefined {
  const errorCode = "INVALID_REQUEST";
  if (amount !== "0") return parseProblems(errorCode, amount, field, parseAmount)[0];
  return {
    errorCode,
    field,
    value: amount,
    reason: "the amount is zero",
    hint: "Omit the origin, or pass its amount.",
  };
}

function findSeveralProblem(request: Partial<QuoteRequest>, inputs: readonly QuotedInput[]): QuoteProblem | undefined {
  const simulated = inputs.findIndex(({ origin }) => isSimulated(origin));
  if (simulated !== -1) {
    return {
      errorCode: "UNSUPPORTED_ROUTE",
      field: `origins[${simulated}].chainId`,
      value: inputs[simulated]?.origin.id,
      reason: "several origins must be EVM chains",
      hint: "Request a separate quote for this origin.",
    };
  }
  const repeated = inputs.findIndex((input, index) =>
    inputs.slice(0, index).some((before) => isSameInput(before, input)),
  );
  if (repeated !== -1) {
    return {
      errorCode: "INVALID_REQUEST",
      field: `origins[${repeated}]`,
      value: inputs[repeated]?.input.currency.address,
      reason: "has the chain and currency of an earlier origin",
      hint: "Pass each currency of a chain once, with the total amount.",
    };
  }
  const field = ONE_DEPOSIT_ONLY.find((name) => request[name] !== undefined && request[name] !== false);
  if (field === undefined) return undefined;
  return {
    errorCode: "UNSUPPORTED_EXECUTION_TYPE",
    field,
    value: request[field],
    reason: "requires a request with one origin",
    hint: `Omit ${field}, or request a quote for each origin.`,
  };
}

function isSameInput(one: QuotedInput, other: QuotedInput): boolean {
  return one.origin.id === other.origin.id && isSameAddress(one.input.currency.address, other.input.currency.address);
}
