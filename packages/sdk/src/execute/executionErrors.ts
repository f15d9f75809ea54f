import { CrosscallError } from "@crosscall/protocol/core";
import { type Currency, formatCurrencyAmount } from "@crosscall/protocol/common";

/** An account holds less than the steps need. Nothing was sent. */
export class InsufficientBalanceError extends CrosscallError {
  readonly code = "INSUFFICIENT_BALANCE";
  /** The chain of the account. */
  declare readonly chainId: number;
  /** The account that pays. */
  declare readonly account: string;
  /** Zero address for native currency. */
  declare readonly currency: string;
  /** Decimal, in the smallest unit; for native currency, value plus gas. */
  declare readonly needed: string;
  /** Decimal, in the smallest unit. */
  declare readonly found: string;

  constructor(parameters: {
    chainId: number;
    account: string;
    currency: Currency & { address: string };
    needed: bigint;
    found: bigint;
  }) {
    const { chainId, account, currency, needed, found } = parameters;
    const shown = (amount: bigint): string => formatCurrencyAmount(amount, currency);
    super(
      {
        message: `${account} has ${shown(found)} on chain ${chainId}, but the steps need ${shown(needed)}`,
        hint: `Send ${account} at least ${shown(needed - found)} more, or quote a smaller amount.`,
      },
      { chainId, account, currency: currency.address, needed: String(needed), found: String(found) },
    );
  }
}

/** No step approves, and the allowance is smaller than the deposit. Nothing was sent. */
export class InsufficientAllowanceError extends CrosscallError {
  readonly code = "INSUFFICIENT_ALLOWANCE";
  /** The chain of the account. */
  declare readonly chainId: number;
  /** The account that pays. */
  declare readonly account: string;
  /** The token of the deposit. */
  declare readonly currency: string;
  /** The contract that takes the deposit. */
  declare readonly spender: string;
  /** Decimal, in the smallest unit. */
  declare readonly needed: string;
  /** Decimal, in the smallest unit. */
  declare readonly found: string;

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
    super(
      {
        message: `${spender} may take ${shown(found)} from ${account} on chain ${chainId}, but the deposit needs ${shown(needed)}`,
        hint: "Quote again: the service adds an approval if the allowance is too small.",
      },
      { chainId, account, currency: currency.address, spender, needed: String(needed), found: String(found) },
    );
  }
}

/** A requested payment whose outcome is unknown. */
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
  /** Reason why the outcome is unknown. */
  readonly reason: string;
  readonly cause?: unknown;
}

/**
 * It is unknown whether an earlier payment of the request went through, or still can. A second one could pay twice, so
 * nothing was sent.
 */
export class PaymentUnresolvedError extends CrosscallError {
  readonly code = "PAYMENT_UNRESOLVED";
  /** The request whose payment is open. */
  declare readonly requestId: string;
  /** The `id` of the step that pays. */
  declare readonly stepId: string;
  /** The chain of the payment. */
  declare readonly chainId: number;
  /** The account that pays. */
  declare readonly account: string;
  /** Kind of the signed or sent payment; a batch is that of a gasless payment. */
  declare readonly what: "transaction" | "bundle" | "batch" | "permit";
  /** Transaction hash, bundle id, or nonce of the batch or permit; undefined if the wallet returned none. */
  declare readonly reference: string | undefined;
  /** Time of the wallet prompt, in Unix milliseconds. */
  declare readonly askedAtMs: number;
  /** Deadline of a signed permit or batch, in Unix seconds; undefined if none. */
  declare readonly payableUntil: number | undefined;

  constructor(payment: UnresolvedPayment) {
    const { requestId, stepId, chainId, account, what, reference, askedAtMs, payableUntil } = payment;
    const named = reference === undefined ? `a ${what}` : `${what} ${reference}`;
    const asked = new Date(askedAtMs).toISOString();
    super(
      {
        message: `the payment of request ${requestId} is unresolved: ${account} was prompted for ${named} on chain ${chainId} at ${asked}, and ${payment.reason}`,
        hint:
          payableUntil === undefined
            ? "Check the activity of the wallet. If the payment was sent, execute the same quote with the same journal later; if it was not, pass `payAgain: true`."
            : `Wait until ${new Date(payableUntil * 1_000).toISOString()}, or cancel nonce ${reference} of the ${what}. To pay at once and risk a second payment, pass \`payAgain: true\`.`,
        cause: payment.cause,
      },
      { requestId, stepId, chainId, account, what, reference, askedAtMs, payableUntil },
    );
  }
}

/** Another transaction of the account used the nonce of a step. */
export class TransactionReplacedError extends CrosscallError {
  readonly code = "TRANSACTION_REPLACED";
  /** The chain of the transaction. */
  declare readonly chainId: number;
  /** The nonce that the step was sent with. */
  declare readonly nonce: number;
  /** The transaction that used the nonce. */
  declare readonly replacementHash: string;

  constructor(parameters: { chainId: number; nonce: number; replacementHash: string }) {
    const { chainId, nonce, replacementHash } = parameters;
    super(
      {
        message: `transaction ${replacementHash} on chain ${chainId} took nonce ${nonce} and does something else than the step`,
        hint: "The step can no longer happen, and it paid nothing. Execute the same quote again for a new prompt, or request a new quote.",
      },
      { chainId, nonce, replacementHash },
    );
  }
}

/** The wallet accepted a batch of calls, but not all of them succeeded. */
export class BundleFailedError extends CrosscallError {
  readonly code = "BUNDLE_FAILED";
  /** The chain of the calls. */
  declare readonly chainId: number;
  /** The id that the wallet returned for the calls. */
  declare readonly bundleId: string;
  /** Status of EIP-5792: 400 if nothing was included, 500 if all of it reverted, 600 if a part of it did. */
  declare readonly status: number;
  /** Undefined if nothing was included. */
  declare readonly txHash: string | undefined;

  constructor(parameters: { chainId: number; bundleId: string; status: number; txHash: string | undefined }) {
    const { chainId, bundleId, status, txHash } = parameters;
    const isPartial = status >= 600;
    super(
      {
        message: `bundle ${bundleId} on chain ${chainId} failed with status ${status}${isPartial ? ": some of its calls succeeded" : ""}`,
        hint: isPartial
          ? "Check its transactions before you retry: the deposit may have succeeded."
          : "Nothing was paid. Quote again before you retry.",
      },
      { chainId, bundleId, status, txHash },
    );
  }
}

/** The user rejected a transaction or a signature in the wallet. Earlier transactions stay sent. */
export class UserRejectedError extends CrosscallError {
  readonly code = "USER_REJECTED";
  /** The `id` of the rejected step. */
  declare readonly stepId: string;

  constructor({ stepId, cause }: { stepId: string; cause: unknown }) {
    super(
      {
        message: `the user rejected step "${stepId}" in the wallet`,
        hint: "Execute the same quote with the same journal again when the user is ready to confirm.",
        cause,
      },
      { stepId },
    );
  }
}

/** A quote is older than the limit and cannot be replaced. Nothing was sent. */
export class StaleQuoteError extends CrosscallError {
  readonly code = "QUOTE_STALE";
  /** Age of the quote, in milliseconds. */
  declare readonly ageMs: number;
  /** The limit, in milliseconds. */
  declare readonly maxAgeMs: number;

  constructor(parameters: { ageMs: number; maxAgeMs: number }) {
    super(
      {
        message: `the quote is ${parameters.ageMs} ms old, but ${parameters.maxAgeMs} ms is the limit`,
        hint: "Quote again, or omit freshness.requotes to requote automatically.",
      },
      { ageMs: parameters.ageMs, maxAgeMs: parameters.maxAgeMs },
    );
  }
}

/** A fresh quote is worse than the previous one by more than the tolerance. Nothing was sent. */
export class QuoteWorsenedError extends CrosscallError {
  readonly code = "QUOTE_WORSENED";
  /** The amount that is worse: the minimum output, or the input. */
  declare readonly amount: "minimumOutput" | "input";
  /** Amount in the old quote. Decimal, in the smallest unit. */
  declare readonly quoted: string;
  /** Amount in the fresh quote. Decimal, in the smallest unit. */
  declare readonly offered: string;
  /** The tolerance, in basis points. */
  declare readonly toleranceBps: number;

  constructor(parameters: {
    amount: "minimumOutput" | "input";
    currency: Currency;
    quoted: bigint;
    offered: bigint;
    toleranceBps: number;
  }) {
    const { amount, currency, quoted, offered, toleranceBps } = parameters;
    const shown = (value: bigint): string => formatCurrencyAmount(value, currency);
    super(
      {
        message: `the ${amount} was ${shown(quoted)} when quoted and is ${shown(offered)} now, more than the tolerance of ${toleranceBps} bps`,
        hint: "Show the user the new price and execute a new quote, or raise toleranceBps.",
      },
      { amount, quoted: String(quoted), offered: String(offered), toleranceBps },
    );
  }
}

/** The node requests more gas, or a higher gas price, than the payment justifies. Nothing was signed. */
export class GasCostError extends CrosscallError {
  readonly code = "GAS_COST_TOO_HIGH";
  /** The chain of the transactions. */
  declare readonly chainId: number;
  /** Decimal, in wei for each unit of gas. Set if the price is too high. */
  declare readonly gasPrice?: string;
  /** The limit of `gasPrice`. Decimal, in wei. */
  declare readonly maximumGasPrice?: string;
  /** Cost of all steps on the chain. Decimal, in wei. Set if the cost is too high. */
  declare readonly gasCost?: string;
  /** The limit of `gasCost`. Decimal, in wei. */
  declare readonly maximumGasCost?: string;

  constructor(parameters: { chainId: number; limit: "gasPrice" | "gasCost"; found: bigint; maximum: bigint }) {
    const { chainId, limit, found, maximum } = parameters;
    const [what, name] =
      limit === "gasPrice" ? ["the gas price", "maximumGasPrice"] : ["the gas of the steps", "maximumGasCost"];
    super(
      {
        message: `${what} on chain ${chainId} is ${found} wei, but at most ${maximum} wei is allowed`,
        hint: `Compare the wallet's node with another one. If the price is right, wait, or raise limits.${name}.`,
      },
      { chainId, [limit]: String(found), [name]: String(maximum) },
    );
  }
}

/** The token rejects changes of a non-zero allowance, such as USDT on Ethereum. Nothing was sent. */
export class AllowanceResetError extends CrosscallError {
  readonly code = "ALLOWANCE_RESET_NEEDED";
  /** The chain of the account. */
  declare readonly chainId: number;
  /** The account that pays. */
  declare readonly account: string;
  /** The token. */
  declare readonly currency: string;
  /** The contract that the approval is for. */
  declare readonly spender: string;
  /** The allowance that the step approves. Decimal, in the smallest unit. */
  declare readonly needed: string;
  /** The current allowance. Decimal, in the smallest unit. */
  declare readonly found: string;

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
    super(
      {
        message: `${currency.address} on chain ${chainId} does not let ${account} change the allowance of ${spender} from ${shown(found)} to ${shown(needed)}`,
        hint: `Approve 0 for ${spender} first, then execute the same quote again.`,
      },
      { chainId, account, currency: currency.address, spender, needed: String(needed), found: String(found) },
    );
  }
}

/** A finding of a preflight. */
export interface PreflightFinding {
  /** Stable. */
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly reason: string;
  readonly hint: string;
}

/** The simulation of the quote fails, or shows effects that you did not request. Nothing was signed. */
export class PreflightFailedError extends CrosscallError {
  readonly code = "PREFLIGHT_FAILED";
  /** The request of the quote. */
  declare readonly requestId: string;
  /** Errors only. */
  declare readonly findings: readonly PreflightFinding[];

  constructor({ requestId, findings }: { readonly requestId: string; readonly findings: readonly PreflightFinding[] }) {
    super(
      {
        message: `the simulation of request ${requestId} fails: ${findings.map(({ code, reason }) => `${code}, ${reason}`).join("; ")}`,
        hint: findings[0]?.hint ?? "Sign nothing of this quote.",
      },
      { requestId, findings },
    );
  }
}
