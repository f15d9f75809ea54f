import { type Address, type Hex, isHex, recoverMessageAddress } from "viem";

import { chainFamilyOf } from "@crosscall/protocol/chains";
import { InvalidInputError, MalformedDataError } from "@crosscall/protocol/core";
import { decodeFillContract, encodeOrderCall, hashOrder, type Order, OrderSchema } from "@crosscall/protocol/order";
import { isPresent, matchesSchema } from "@crosscall/protocol/schema";
import type { ReportDraft } from "./quoteReport.ts";
import { amountOf, isSameChain, isSameDestination, isSameOrigin, type QuoteTerms } from "./terms.ts";
import { leastOutput } from "./verifyDetails.ts";
import { isTrusted } from "./trust.ts";
import type { TrustedChain } from "./trustedChains.ts";

const DAY_SECONDS = 24 * 60 * 60;

/** Maximum lifetime of orders. The service's orders live for seven to eight days. */
const LIFETIME_SECONDS = 10 * DAY_SECONDS;

/** Maximum lifetime of orders with deposit addresses, which wait for a payment. */
const ADDRESS_LIFETIME_SECONDS = 366 * DAY_SECONDS;

/** Tolerance for differing clocks. */
const CLOCK_TOLERANCE_SECONDS = 300;

const AT = "protocol.v2";

/** Expected deposit of a quote. */
export interface OrderTerms {
  readonly orderId: Hex;
  /** The order's currency, which differs from the paid currency if a swap comes first. */
  readonly currency: string;
  readonly amount: bigint;
}

/**
 * Checks the order of a quote against the request.
 * @returns undefined if there is no order
 */
export async function verifyOrder(draft: ReportDraft, terms: QuoteTerms): Promise<OrderTerms | undefined> {
  const { quote, origin, destination } = terms;
  const { orderData, orderId, orderSignature, paymentDetails } = quote.protocol?.v2 ?? {};
  if (!isPresent(orderData)) {
    // The user's own transaction is the fill, unless the service fills after a payment.
    const isOwnFill = isSameChain(terms) && terms.request.useDepositAddress !== true;
    draft.check("ORDER_PRESENT", `${AT}.orderData`, isOwnFill, "an order", orderData);
    return undefined;
  }
  if (!isOrder(orderData)) {
    draft.check("ORDER_PRESENT", `${AT}.orderData`, false, "a complete order", orderData);
    return undefined;
  }
  const order = orderData;
  const hash = tryHash(order);
  draft.check("ORDER_ID", `${AT}.orderId`, hash !== undefined && hash === orderId?.toLowerCase(), hash, orderId);
  draft.check("ORDER_ID", `${AT}.orderData.version`, order.version === "v1", "v1", order.version);
  const solvers = origin?.solvers ?? [];
  draft.check("ORDER_SOLVER", `${AT}.orderData.solver`, isTrusted(solvers, order.solver), solvers, order.solver);
  // The hub credits the account derived from the chain and the solver.
  const solverChains = Object.values(terms.trust)
    .filter((chain) => isTrusted(chain.solvers, order.solver))
    .map(({ name }) => name);
  const { solverChainId } = order;
  draft.check(
    "ORDER_SOLVER",
    `${AT}.orderData.solverChainId`,
    solverChains.includes(solverChainId),
    solverChains,
    solverChainId,
  );
  // Only a solver knows the value of an input in another currency, so it must have signed the order.
  const isSwapped = order.inputs.some(
    ({ payment }) => !isSameOrigin(terms, payment.currency, terms.request.originCurrency),
  );
  if (isPresent(orderSignature) || isSwapped) {
    const signer = await tryRecover(hash, orderSignature ?? "");
    const isMet = signer !== undefined && isTrusted(solvers, signer);
    draft.check("ORDER_SIGNATURE", `${AT}.orderSignature`, isMet, solvers, signer ?? orderSignature);
  }
  const input = verifyInputs(draft, terms, order, origin);
  verifyOutput(draft, terms, order, destination);
  order.fees.forEach((fee, index) => {
    const allowed = (terms.request.appFees ?? []).map(({ recipient }) => recipient);
    draft.check(
      "ORDER_FEE",
      `${AT}.orderData.fees[${index}]`,
      isTrusted(allowed, fee.recipient),
      allowed,
      fee.recipient,
    );
  });
  if (input === undefined || hash === undefined) return undefined;
  const details = paymentDetails ?? {};
  draft.check(
    "PAYMENT_DETAILS",
    `${AT}.paymentDetails`,
    details.chainId === origin?.name &&
      isPresent(details.depository) &&
      isTrusted(origin?.depositories, details.depository) &&
      isSameOrigin(terms, details.currency, input.currency) &&
      amountOf(details.amount) === input.amount,
    { chainId: origin?.name, depository: origin?.depositories, currency: input.currency, amount: input.amount },
    details,
  );
  return { orderId: hash, ...input };
}

function isOrder(value: unknown): value is Order {
  return matchesSchema(OrderSchema, value);
}

function tryHash(order: Order): Hex | undefined {
  try {
    return hashOrder(order);
  } catch {
    return undefined;
  }
}

async function tryRecover(hash: Hex | undefined, signature: string): Promise<Address | undefined> {
  if (hash === undefined || !isHex(signature)) return undefined;
  try {
    return await recoverMessageAddress({ message: { raw: hash }, signature });
  } catch {
    return undefined;
  }
}

function verifyInputs(
  draft: ReportDraft,
  terms: QuoteTerms,
  order: Order,
  origin: TrustedChain | undefined,
): Omit<OrderTerms, "orderId"> | undefined {
  const { request, inputAmount, destination } = terms;
  const path = `${AT}.orderData.inputs`;
  const [input, ...others] = order.inputs;
  draft.check("ORDER_INPUT", path, input !== undefined && others.length === 0, "one input", order.inputs.length);
  if (input === undefined) return undefined;
  const { payment, refunds } = input;
  const at = `${path}[0]`;
  draft.check("ORDER_CHAIN", `${at}.payment.chainId`, payment.chainId === origin?.name, origin?.name, payment.chainId);
  const amount = amountOf(payment.amount) ?? 0n;
  const isDirect = isSameOrigin(terms, payment.currency, request.originCurrency);
  // A swap before the deposit pays another currency; the simulation shows the amount.
  if (isDirect) draft.check("ORDER_INPUT", `${at}.payment.amount`, amount === inputAmount, inputAmount, payment.amount);
  else draft.check("ORDER_INPUT", `${at}.payment.amount`, amount > 0n, "a swapped amount", payment.amount);
  // Settlement accepts no other weight for a single input.
  draft.check("ORDER_INPUT", `${at}.payment.weight`, amountOf(payment.weight) === 1n, 1n, payment.weight);
  draft.check("ORDER_REFUND", `${at}.refunds`, refunds.length > 0, "a refund", refunds.length);
  refunds.forEach((refund, index) => {
    const here = `${at}.refunds[${index}]`;
    const isOnOrigin = refund.chainId === origin?.name;
    const isMet = isOnOrigin || refund.chainId === destination?.name;
    draft.check("ORDER_CHAIN", `${here}.chainId`, isMet, [origin?.name, destination?.name], refund.chainId);
    const allowed = isOnOrigin ? [terms.refundTo] : [terms.refundTo, terms.recipient];
    const isSame = isOnOrigin ? isSameOrigin : isSameDestination;
    draft.check(
      "ORDER_REFUND",
      `${here}.recipient`,
      allowed.some((one) => isSame(terms, refund.recipient, one)),
      allowed,
      refund.recipient,
    );
    const currencies = isOnOrigin ? [payment.currency, request.originCurrency] : [request.destinationCurrency];
    draft.check(
      "ORDER_REFUND",
      `${here}.currency`,
      currencies.some((one) => isSame(terms, refund.currency, one)),
      currencies,
      refund.currency,
    );
    const least = amountOf(refund.minimumAmount) ?? 0n;
    // A refund never exceeds the deposit.
    const isPayable = !isOnOrigin || !isSameOrigin(terms, refund.currency, payment.currency) || least <= amount;
    draft.check("ORDER_REFUND", `${here}.minimumAmount`, isPayable, `at most ${amount}`, refund.minimumAmount);
    verifyDeadline(draft, terms, `${here}.deadline`, refund.deadline);
    verifyFillContract(draft, `${here}.extraData`, isOnOrigin ? origin : destination, refund.extraData);
  });
  return { currency: payment.currency, amount };
}

function verifyOutput(
  draft: ReportDraft,
  terms: QuoteTerms,
  { output }: Order,
  destination: TrustedChain | undefined,
): void {
  const { request, quote, recipient } = terms;
  const at = `${AT}.orderData.output`;
  draft.check("ORDER_CHAIN", `${at}.chainId`, output.chainId === destination?.name, destination?.name, output.chainId);
  const txs = request.txs ?? [];
  const minimum = output.payments
    .filter(({ currency }) => isSameDestination(terms, currency, request.destinationCurrency))
    .reduce((sum, payment) => sum + (amountOf(payment.minimumAmount) ?? 0n), 0n);
  const expected = output.payments
    .filter(({ currency }) => isSameDestination(terms, currency, request.destinationCurrency))
    .reduce((sum, payment) => sum + (amountOf(payment.expectedAmount) ?? 0n), 0n);
  const least = leastOutput(terms);
  draft.check("MINIMUM_OUTPUT", `${at}.payments`, minimum >= least, `at least ${least}`, minimum);
  const shown = amountOf(quote.details?.currencyOut?.minimumAmount);
  if (shown !== undefined) {
    draft.check("MINIMUM_OUTPUT", `${at}.payments`, minimum >= shown, `at least the quoted ${shown}`, minimum);
  }
  const quoted = amountOf(quote.details?.currencyOut?.amount);
  draft.check("ORDER_OUTPUT", `${at}.payments`, expected === quoted, quoted, expected);
  const { nativeCurrencies } = chainFamilyOf(request.destinationChainId);
  const isNative = (currency: string): boolean =>
    nativeCurrencies.some((native) => isSameDestination(terms, currency, native));
  const gas = output.payments
    .filter(({ currency }) => !isSameDestination(terms, currency, request.destinationCurrency) && isNative(currency))
    .reduce((sum, payment) => sum + (amountOf(payment.minimumAmount) ?? 0n), 0n);
  const { amount: topup } = quote.details?.currencyGasTopup ?? {};
  if (isPresent(topup)) {
    draft.check("ORDER_OUTPUT", "details.currencyGasTopup.amount", amountOf(topup) === gas, gas, topup);
  }
  output.payments.forEach((payment, index) => {
    // Calls are paid from the router. A payment in another currency is for gas and goes to the recipient.
    const isCallInput = txs.length > 0 && isSameDestination(terms, payment.currency, request.destinationCurrency);
    const payees = isCallInput ? (destination?.routers ?? []) : [recipient];
    const isMet = payees.some((one) => isSameDestination(terms, payment.recipient, one));
    draft.check("ORDER_OUTPUT", `${at}.payments[${index}].recipient`, isMet, payees, payment.recipient);
    const [most, least] = [amountOf(payment.expectedAmount), amountOf(payment.minimumAmount)];
    const isOrdered = most !== undefined && least !== undefined && least <= most;
    draft.check("ORDER_OUTPUT", `${at}.payments[${index}].minimumAmount`, isOrdered, `at most ${most}`, least);
  });
  const calls = tryEncode(txs);
  const seen = output.calls.map((call) => call.toLowerCase());
  const isSame = calls !== undefined && calls.length === seen.length && calls.every((call, i) => call === seen[i]);
  draft.check("ORDER_CALLS", `${at}.calls`, isSame, calls ?? "the calls of the request", seen);
  verifyDeadline(draft, terms, `${at}.deadline`, output.deadline);
  if (!chainFamilyOf(request.destinationChainId).takesCalls) return;
  verifyFillContract(draft, `${at}.extraData`, destination, output.extraData);
  if (txs.length === 0) return;
  // The calls run in the filling contract, and use the funds that the order delivers to it.
  const contract = tryDecode(output.extraData);
  output.payments.forEach((payment, index) => {
    if (!isSameDestination(terms, payment.currency, request.destinationCurrency)) return;
    const isOne = contract !== undefined && isSameDestination(terms, payment.recipient, contract);
    const path = `${at}.payments[${index}].recipient`;
    draft.check("ORDER_FILL_CONTRACT", path, isOne, contract ?? "the contract that fills", payment.recipient);
  });
}

function tryEncode(txs: NonNullable<QuoteTerms["request"]["txs"]>): readonly string[] | undefined {
  try {
    return txs.map((call) => encodeOrderCall(call).toLowerCase());
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

function verifyDeadline(draft: ReportDraft, { now, request }: QuoteTerms, path: string, deadline: number): void {
  const { ttl, useDepositAddress } = request;
  const usual = useDepositAddress === true ? ADDRESS_LIFETIME_SECONDS : LIFETIME_SECONDS;
  const latest = now + Math.max(ttl ?? 0, usual) + CLOCK_TOLERANCE_SECONDS;
  draft.check("ORDER_DEADLINE", path, deadline > now && deadline <= latest, `from ${now} to ${latest}`, deadline);
  if (ttl === undefined) return;
  // The service, not the order, enforces the ttl of a request.
  const asked = now + ttl + CLOCK_TOLERANCE_SECONDS;
  draft.warn("ORDER_DEADLINE", path, deadline <= asked, `at most ${asked}, the requested ttl`, deadline);
}

/** Checks the fill contract. The field is empty on chains without a router, and without calls. */
function verifyFillContract(
  draft: ReportDraft,
  path: string,
  chain: TrustedChain | undefined,
  extraData: string,
): void {
  if (extraData === "0x") return;
  const contract = tryDecode(extraData);
  draft.check(
    "ORDER_FILL_CONTRACT",
    path,
    contract !== undefined && isTrusted(chain?.routers, contract),
    chain?.routers,
    contract ?? extraData,
  );
}

function tryDecode(extraData: string): Address | undefined {
  try {
    return decodeFillContract(extraData);
  } catch (error) {
    if (error instanceof MalformedDataError) return undefined;
    throw error;
  }
}
