import { parseEvmAddress } from "../chains/address.ts";
import { EXCHANGE_CHAIN_ID } from "../chains/chainIds.ts";
import type { ChainFamily } from "../chains/families/chainFamily.ts";
import { chainFamilyOf, type KnownChain } from "../chains/families/chainFamilyOf.ts";
import { BPS_PER_WHOLE, parseAmount } from "../encoding/amounts.ts";
import { namePublicContract } from "../generations/routers.ts";
import { listMismatches } from "../schema/checkSchema.ts";
import { callProblems } from "./quoteCallRules.ts";
import { parseProblems, problemIf, type QuoteProblem } from "./quoteProblem.ts";
import { type QuoteRequest, QuoteRequestSchema } from "./quoteRequest.ts";
import { sponsorshipProblems } from "./quoteSponsorshipRules.ts";

/**
 * Returns the first rule that a quote request breaks; see `findQuoteProblems`.
 *
 * @param chains entries of `GET /chains`, for undocumented chain ids
 * @returns the problem in the service's words, or `undefined` if the request is valid
 */
export function findQuoteProblem(request: unknown, chains: readonly KnownChain[] = []): QuoteProblem | undefined {
  return findQuoteProblems(request, chains)[0];
}

/**
 * Returns every rule that a quote request breaks, in this order: its shape; then, if the shape is valid, addresses and
 * currencies by chain family, amount, calls, slippage, app fees, sponsorship, deposit address, route. Accepts any value
 * and never throws. Addresses on chains of an unknown family are not checked.
 *
 * @param chains entries of `GET /chains`, for undocumented chain ids
 */
export function findQuoteProblems(request: unknown, chains: readonly KnownChain[] = []): QuoteProblem[] {
  const problems = listMismatches(QuoteRequestSchema, request).map(({ path, value, reason }) => {
    const field = path === "" ? "request" : path;
    const hint = `Correct ${field}: ${reason}.`;
    const isGasLimit = field === "gasLimitForDepositSpecifiedTxs";
    const errorCode = isGasLimit ? "INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS" : "INVALID_REQUEST";
    return { errorCode, field, value, reason, hint } as const;
  });
  return problems.length > 0 ? problems : ruleProblems(request as QuoteRequest, chains);
}

function ruleProblems(request: QuoteRequest, chains: readonly KnownChain[]): QuoteProblem[] {
  return [
    ...addressProblems(request, chains),
    ...publicRecipientProblems(request),
    ...amountProblems(request.amount),
    ...callProblems(request, chains),
    ...slippageProblems(request.slippageTolerance),
    ...appFeeProblems(request.appFees),
    ...sponsorshipProblems(request),
    ...depositAddressProblems(request),
    ...routeProblems(request),
  ];
}

/** Checks that addresses and currencies have their chain's format (spec 2, sections 2.1 and 6). */
function addressProblems(request: QuoteRequest, chains: readonly KnownChain[]): QuoteProblem[] {
  const origin = chainFamilyOf(request.originChainId, chains);
  const destination = chainFamilyOf(request.destinationChainId, chains);
  const { user, recipient, refundTo, originCurrency, destinationCurrency } = request;
  return [
    ...parseProblems("INVALID_ADDRESS", user, "user", origin.parseAccount),
    ...(recipient === undefined
      ? missingRecipientProblems(user, destination)
      : parseProblems("INVALID_ADDRESS", recipient, "recipient", destination.parseAccount)),
    ...(refundTo === undefined ? [] : parseProblems("INVALID_ADDRESS", refundTo, "refundTo", origin.parseAccount)),
    ...parseProblems("INVALID_INPUT_CURRENCY", originCurrency, "originCurrency", origin.parseCurrency),
    ...parseProblems("INVALID_OUTPUT_CURRENCY", destinationCurrency, "destinationCurrency", destination.parseCurrency),
  ];
}

/**
 * Rejects public contracts as recipients: anyone can take a router's balance, and an approval proxy keeps everything
 * that it receives.
 */
function publicRecipientProblems(request: QuoteRequest): QuoteProblem[] {
  const { user, recipient, refundTo, recoveryAddress, appFees = [] } = request;
  const fees = appFees.map((fee, index) => [`appFees[${index}].recipient`, fee.recipient] as const);
  const receivers = { user, recipient, refundTo, recoveryAddress, ...Object.fromEntries(fees) };
  return Object.entries(receivers).flatMap(([field, value]) => {
    const who = value === undefined ? undefined : namePublicContract(value);
    const reason = `it is ${who} of the service, where funds are lost`;
    return problemIf(
      who !== undefined,
      "INVALID_RECIPIENT",
      { [field]: value },
      reason,
      "Pass the user's own account.",
    );
  });
}

function missingRecipientProblems(user: string, destination: ChainFamily): QuoteProblem[] {
  return problemIf(
    parseProblems("INVALID_RECIPIENT", user, "user", destination.parseAccount).length > 0,
    "INVALID_RECIPIENT",
    { recipient: undefined },
    "the user's address on the origin chain is not valid on the destination chain",
    "Set recipient in the destination chain's format.",
  );
}

/**
 * Checks rules of the live service that are not in the specification: a deposit address allows no calls, and a strict
 * one requires a refund address. The service checks trade types.
 */
function depositAddressProblems({ useDepositAddress, strict, txs = [], refundTo }: QuoteRequest): QuoteProblem[] {
  if (useDepositAddress !== true) {
    return problemIf(
      strict === true,
      "INVALID_REQUEST",
      { strict },
      "strict requires a deposit address",
      "Set useDepositAddress, or omit strict.",
    );
  }
  return [
    ...problemIf(
      txs.length > 0,
      "EXTRA_TXS_NOT_SUPPORTED",
      { txs },
      "deposit addresses do not support calls",
      "Omit txs or useDepositAddress.",
    ),
    ...problemIf(
      strict === true && refundTo === undefined,
      "INVALID_REQUEST",
      { refundTo },
      "a strict deposit address refunds payments that do not match its order",
      "Set refundTo to an address on the origin chain.",
    ),
  ];
}

/** Checks the rules for swap sources, and for the features that the exchange chain supports. */
function routeProblems(request: QuoteRequest): QuoteProblem[] {
  const { includedOriginSwapSources } = request;
  const sources = includedOriginSwapSources ?? [];
  return [
    ...problemIf(
      includedOriginSwapSources !== undefined && sources.length === 0,
      "INVALID_REQUEST",
      { includedOriginSwapSources },
      "no swap source remains",
      "Pass at least one source, or omit the field to allow all.",
    ),
    ...sources.flatMap((source, index) =>
      problemIf(
        source.trim() === "" || sources.indexOf(source) !== index,
        "INVALID_REQUEST",
        { [`includedOriginSwapSources[${index}]`]: source },
        "swap sources must be distinct names",
        "Omit it.",
      ),
    ),
    ...transferAmountProblems(request),
  ];
}

/** Limits the amount of a withdrawal, because a JSON number (spec 2, section 2.1) is exact only up to 2^53 - 1. */
function transferAmountProblems({ originChainId, tradeType, amount }: QuoteRequest): QuoteProblem[] {
  if (originChainId !== EXCHANGE_CHAIN_ID || tradeType !== "EXACT_INPUT") return [];
  if (parseProblems("INVALID_REQUEST", amount, "amount", parseAmount).length > 0) return [];
  return problemIf(
    BigInt(amount) > BigInt(Number.MAX_SAFE_INTEGER),
    "INVALID_REQUEST",
    { amount },
    `a transfer on the exchange chain is limited to ${Number.MAX_SAFE_INTEGER} in the smallest unit`,
    "Withdraw it in parts.",
  );
}

function amountProblems(amount: string): QuoteProblem[] {
  if (amount !== "0") return parseProblems("INVALID_REQUEST", amount, "amount", parseAmount);
  const hint = "Pass an amount above zero, in the smallest unit.";
  return problemIf(true, "AMOUNT_TOO_LOW", { amount }, "the amount is zero", hint);
}

const NOT_BPS = "it must be a decimal string of basis points from 0 to 10000";

function slippageProblems(slippageTolerance: string | undefined): QuoteProblem[] {
  return problemIf(
    slippageTolerance !== undefined && !isBps(slippageTolerance),
    "INVALID_SLIPPAGE_TOLERANCE",
    { slippageTolerance },
    NOT_BPS,
    'Pass it in basis points, for example "50" for 0.5%, or omit it.',
  );
}

function appFeeProblems(appFees: QuoteRequest["appFees"] = []): QuoteProblem[] {
  const sum = appFees.reduce((total, { fee }) => total + (isBps(fee) ? BigInt(fee) : 0n), 0n);
  return [
    ...appFees.flatMap(({ recipient, fee }, index) => [
      ...parseProblems("INVALID_ADDRESS", recipient, `appFees[${index}].recipient`, parseEvmAddress),
      ...problemIf(
        !isBps(fee),
        "INVALID_REQUEST",
        { [`appFees[${index}].fee`]: fee },
        NOT_BPS,
        'Pass it in basis points, for example "100" for 1%.',
      ),
    ]),
    ...problemIf(
      sum > BPS_PER_WHOLE,
      "INVALID_REQUEST",
      { appFees },
      `the fees add up to ${sum} basis points, more than 10000`,
      "Lower the fees so that they add up to at most 10000 basis points.",
    ),
  ];
}

/** Whether a text is a number of basis points from 0 to 10000. */
export function isBps(text: string): boolean {
  return /^(0|[1-9]\d{0,4})$/u.test(text) && BigInt(text) <= BPS_PER_WHOLE;
}
