import { CrosscallError } from "../../core/errors.ts";
import type { Currency } from "../../protocol/common/currency.ts";
import { formatCurrencyAmount } from "../../protocol/common/formatCurrencyAmount.ts";

/** An account holds less than the steps need. Nothing was sent. */
export class InsufficientBalanceError extends CrosscallError {
  readonly code = "INSUFFICIENT_BALANCE";
  /** The chain of the account. */
  readonly chainId: number;
  /** The account that pays. */
  readonly account: string;
  /** Zero address for native currency. */
  readonly currency: string;
  /** Decimal, in the smallest unit; for native currency, value plus gas. */
  readonly needed: string;
  /** Decimal, in the smallest unit. */
  readonly found: string;

  constructor(parameters: {
    chainId: number;
    account: string;
    currency: Currency & { address: string };
    needed: bigint;
    found: bigint;
  }) {
    const { chainId, account, currency, needed, found } = parameters;
    const shown = (amount: bigint): string => formatCurrencyAmount(amount, currency);
    super({
      message: `${account} has ${shown(found)} on chain ${chainId}, but the steps need ${shown(needed)}`,
      hint: `Send ${account} at least ${shown(needed - found)} more, or quote a smaller amount.`,
    });
    this.chainId = chainId;
    this.account = account;
    this.currency = currency.address;
    this.needed = String(needed);
    this.found = String(found);
  }
}

/** No step approves, and the allowance is smaller than the deposit. Nothing was sent. */
export class InsufficientAllowanceError extends CrosscallError {
  readonly code = "INSUFFICIENT_ALLOWANCE";
  /** The chain of the account. */
  readonly chainId: number;
  /** The account that pays. */
  readonly account: string;
  /** The token of the deposit. */
  readonly currency: string;
  /** The contract that takes the deposit. */
  readonly spender: string;
  /** Decimal, in the smallest unit. */
  readonly needed: string;
  /** Decimal, in the smallest unit. */
  readonly found: string;

  constructor(parameters: {
    chainId: number;
    account: string;
    currency: Currency & { address: string };
    spender: string;
    needed: bigint;
    found: bigint;
  }) {
    const { chainId, account, currency, spender, needed, found } = parameters;
    const shown = (amount: bigint): string => formatCurrencyAmount(amount, currency);
    super({
      message: `${spender} may take ${shown(found)} from ${account} on chain ${chainId}, but the deposit needs ${shown(needed)}`,
      hint: "Quote again: the service adds an approval where the allowance is too small.",
    });
    this.chainId = chainId;
    this.account = account;
    this.currency = currency.address;
    this.spender = spender;
    this.needed = String(needed);
    this.found = String(found);
  }
}

/** A payment that was asked for, and whose outcome is unknown. */
export interface UnresolvedPayment {
  readonly requestId: string;
  readonly stepId: string;
  readonly chainId: number;
  readonly account: string;
  readonly what: PaymentUnresolvedError["what"];
  /** Transaction hash, bundle id, or nonce of the batch or permit; undefined if the wallet returned none. */
  readonly reference: string | undefined;
  readonly askedAtMs: number;
  /** Unix time in seconds. */
  readonly payableUntil?: number | undefined;
  /** Why the outcome is unknown. */
  readonly reason: string;
  readonly cause?: unknown;
}

/**
 * It is unknown whether an earlier payment of the request was made, or can still be made. A second payment could pay twice, so
 * nothing was sent.
 */
export class PaymentUnresolvedError extends CrosscallError {
  readonly code = "PAYMENT_UNRESOLVED";
  /** The request whose payment is open. */
  readonly requestId: string;
  /** The `id` of the step that pays. */
  readonly stepId: string;
  /** The chain that is paid on. */
  readonly chainId: number;
  /** The account that pays. */
  readonly account: string;
  /** What was signed or sent; a batch is the one of a gasless payment. */
  readonly what: "transaction" | "bundle" | "batch" | "permit";
  /** Transaction hash, bundle id, or nonce of the batch or permit; undefined if the wallet returned none. */
  readonly reference: string | undefined;
  /** When the wallet was asked: Unix time in milliseconds. */
  readonly askedAtMs: number;
  /** Until when a signed permit or batch can be used: Unix time in seconds; undefined if it has no deadline. */
  readonly payableUntil: number | undefined;

  constructor(payment: UnresolvedPayment) {
    const { requestId, stepId, chainId, account, what, reference, askedAtMs, payableUntil } = payment;
    const named = reference === undefined ? `a ${what}` : `${what} ${reference}`;
    const asked = new Date(askedAtMs).toISOString();
    super({
      message: `the payment of request ${requestId} is unresolved: ${account} was asked for ${named} on chain ${chainId} at ${asked}, and ${payment.reason}`,
      hint:
        payableUntil === undefined
          ? "Look at the activity of the wallet. If the payment was sent, execute the same quote with the same journal later; if it was not, pass `payAgain: true`."
          : `Wait until ${new Date(payableUntil * 1_000).toISOString()}, or cancel nonce ${reference} of the ${what}. To pay at once and risk a second payment, pass \`payAgain: true\`.`,
      cause: payment.cause,
    });
    this.requestId = requestId;
    this.stepId = stepId;
    this.chainId = chainId;
    this.account = account;
    this.what = what;
    this.reference = reference;
    this.askedAtMs = askedAtMs;
    this.payableUntil = payableUntil;
  }
}

/** Another transaction of the account used the nonce of a step. */
export class TransactionReplacedError extends CrosscallError {
  readonly code = "TRANSACTION_REPLACED";
  /** The chain of the transaction. */
  readonly chainId: number;
  /** The nonce that the step was sent with. */
  readonly nonce: number;
  /** The transaction that used the nonce. */
  readonly replacementHash: string;

  constructor(parameters: { chainId: number; nonce: number; replacementHash: string }) {
    const { chainId, nonce, replacementHash } = parameters;
    super({
      message: `transaction ${replacementHash} on chain ${chainId} took nonce ${nonce} and does something else than the step`,
      hint: "The step cannot happen anymore, and it paid nothing. Execute the same quote again to be prompted again, or request a new quote.",
    });
    this.chainId = chainId;
    this.nonce = nonce;
    this.replacementHash = replacementHash;
  }
}

/** The wallet accepted a batch of calls, but not all of them succeeded. */
export class BundleFailedError extends CrosscallError {
  readonly code = "BUNDLE_FAILED";
  /** The chain of the calls. */
  readonly chainId: number;
  /** The id that the wallet returned for the calls. */
  readonly bundleId: string;
  /** Of EIP-5792: 400 if nothing was included, 500 if all of it reverted, 600 if a part of it did. */
  readonly status: number;
  /** Undefined if nothing was included. */
  readonly txHash: string | undefined;

  constructor(parameters: { chainId: number; bundleId: string; status: number; txHash: string | undefined }) {
    const { chainId, bundleId, status, txHash } = parameters;
    const isPartial = status >= 600;
    super({
      message: `bundle ${bundleId} on chain ${chainId} failed with status ${status}${isPartial ? ": some of its calls were made" : ""}`,
      hint: isPartial
        ? "Look at its transactions before another try: the deposit may have been made."
        : "Nothing was paid. Quote again before another try.",
    });
    this.chainId = chainId;
    this.bundleId = bundleId;
    this.status = status;
    this.txHash = txHash;
  }
}

/** The user rejected a transaction or a signature in the wallet. Earlier transactions stay sent. */
export class UserRejectedError extends CrosscallError {
  readonly code = "USER_REJECTED";
  /** The `id` of the step that was rejected. */
  readonly stepId: string;

  constructor({ stepId, cause }: { stepId: string; cause: unknown }) {
    super({
      message: `the user rejected step "${stepId}" in the wallet`,
      hint: "Execute the same quote with the same journal again when the user is ready to confirm.",
      cause,
    });
    this.stepId = stepId;
  }
}

/** A quote is older than the limit and must not be replaced. Nothing was sent. */
export class StaleQuoteError extends CrosscallError {
  readonly code = "QUOTE_STALE";
  /** Age of the quote, in milliseconds. */
  readonly ageMs: number;
  /** The limit, in milliseconds. */
  readonly maxAgeMs: number;

  constructor(parameters: { ageMs: number; maxAgeMs: number }) {
    super({
      message: `the quote is ${parameters.ageMs} ms old, but ${parameters.maxAgeMs} ms is the limit`,
      hint: "Quote again, or leave freshness.requotes out so that it is done here.",
    });
    this.ageMs = parameters.ageMs;
    this.maxAgeMs = parameters.maxAgeMs;
  }
}

/** A fresh quote is worse than the previous one by more than the tolerance. Nothing was sent. */
export class QuoteWorsenedError extends CrosscallError {
  readonly code = "QUOTE_WORSENED";
  /** The amount that is worse: the minimum output, or the input. */
  readonly amount: "minimumOutput" | "input";
  /** In the old quote. Decimal, in the smallest unit. */
  readonly quoted: string;
  /** In the fresh quote. Decimal, in the smallest unit. */
  readonly offered: string;
  /** The tolerance, in basis points. */
  readonly toleranceBps: number;

  constructor(parameters: {
    amount: "minimumOutput" | "input";
    currency: Currency;
    quoted: bigint;
    offered: bigint;
    toleranceBps: number;
  }) {
    const { amount, currency, quoted, offered, toleranceBps } = parameters;
    const shown = (value: bigint): string => formatCurrencyAmount(value, currency);
    super({
      message: `the ${amount} was ${shown(quoted)} when quoted and is ${shown(offered)} now, more than the tolerance of ${toleranceBps} bps`,
      hint: "Show the user the new price and execute a new quote, or give a wider toleranceBps.",
    });
    this.amount = amount;
    this.quoted = String(quoted);
    this.offered = String(offered);
    this.toleranceBps = toleranceBps;
  }
}
