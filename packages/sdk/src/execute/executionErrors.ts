import { CrosscallError } from "@crosscall/protocol/core";
import { type Currency, formatCurrencyAmount } from "@crosscall/protocol/common";

/** Amounts of an account that are too low, in the currency's smallest unit. */
interface Shortfall {
  readonly chainId: number;
  readonly account: string;
  readonly currency: Currency & { readonly address: string };
  readonly needed: bigint;
  readonly found: bigint;
}

/** Replaces the currency by its address. */
function fieldsOf<Fields extends Shortfall>(shortfall: Fields) {
  return { ...shortfall, currency: shortfall.currency.address };
}

/** An account holds less than the steps need. Nothing was sent. */
export class InsufficientBalanceError extends CrosscallError {
  readonly code = "INSUFFICIENT_BALANCE";
  /** Chain of the account. */
  declare readonly chainId: number;
  /** Account that pays. */
  declare readonly account: string;
  /** Address of the currency; the zero address for native currency. */
  declare readonly currency: string;
  /** Required amount, in the smallest unit (decimal); for native currency, value plus gas. */
  declare readonly needed: string;
  /** Balance, in the smallest unit (decimal). */
  declare readonly found: string;

  constructor(shortfall: Shortfall) {
    const { chainId, account, currency, needed, found } = shortfall;
    const shown = (amount: bigint): string => formatCurrencyAmount(amount, currency);
    super(
      {
        message: `${account} has ${shown(found)} on chain ${chainId}, but the steps need ${shown(needed)}`,
        hint: `Send ${account} at least ${shown(needed - found)} more, or quote a smaller amount.`,
      },
      fieldsOf(shortfall),
    );
  }
}

/** No step approves the deposit, and the allowance is too low. Nothing was sent. */
export class InsufficientAllowanceError extends CrosscallError {
  readonly code = "INSUFFICIENT_ALLOWANCE";
  /** Chain of the account. */
  declare readonly chainId: number;
  /** Account that pays. */
  declare readonly account: string;
  /** Token of the deposit. */
  declare readonly currency: string;
  /** Contract that takes the deposit. */
  declare readonly spender: string;
  /** Required allowance, in the smallest unit (decimal). */
  declare readonly needed: string;
  /** Current allowance, in the smallest unit (decimal). */
  declare readonly found: string;

  constructor(shortfall: Shortfall & { readonly spender: string }) {
    const { chainId, account, currency, spender, needed, found } = shortfall;
    const shown = (amount: bigint): string => formatCurrencyAmount(amount, currency);
    super(
      {
        message: `${spender} can take ${shown(found)} from ${account} on chain ${chainId}, but the deposit needs ${shown(needed)}`,
        hint: "Quote again: the service adds an approval if the allowance is too low.",
      },
      fieldsOf(shortfall),
    );
  }
}

/** Requested payment with an unknown outcome. */
export interface UnresolvedPayment {
  readonly requestId: string;
  readonly stepId: string;
  readonly chainId: number;
  readonly account: string;
  readonly what: PaymentUnresolvedError["what"];
  /** Transaction hash, bundle id, or nonce of the batch or permit; undefined if the wallet returned none. */
  readonly reference: string | undefined;
  readonly askedAtMs: number;
  /** Unix time in seconds until which the payment can be made. */
  readonly payableUntil?: number | undefined;
  /** Reason why the outcome is unknown. */
  readonly reason: string;
  readonly cause?: unknown;
}

/**
 * It is unknown whether an earlier payment of the request was made, or can still be made. A second payment could pay
 * twice, so nothing was sent.
 */
export class PaymentUnresolvedError extends CrosscallError {
  readonly code = "PAYMENT_UNRESOLVED";
  /** Id of the request with the unresolved payment. */
  declare readonly requestId: string;
  /** The `id` of the step that pays. */
  declare readonly stepId: string;
  /** Chain of the payment. */
  declare readonly chainId: number;
  /** Account that pays. */
  declare readonly account: string;
  /** Kind of the signed or sent payment. A batch is a gasless payment. */
  declare readonly what: "transaction" | "bundle" | "batch" | "permit";
  /** Transaction hash, bundle id, or nonce of the batch or permit; undefined if the wallet returned none. */
  declare readonly reference: string | undefined;
  /** Time of the wallet prompt, in Unix milliseconds. */
  declare readonly askedAtMs: number;
  /** Deadline of a signed permit or batch, in Unix seconds; undefined if none. */
  declare readonly payableUntil: number | undefined;

  constructor({ reason, cause, ...payment }: UnresolvedPayment) {
    const { requestId, chainId, account, what, reference, payableUntil } = payment;
    const named = reference === undefined ? `a ${what}` : `${what} ${reference}`;
    const asked = new Date(payment.askedAtMs).toISOString();
    super(
      {
        message: `the payment of request ${requestId} is unresolved: ${account} was prompted for ${named} on chain ${chainId} at ${asked}, and ${reason}`,
        hint:
          payableUntil === undefined
            ? "Check the wallet's activity. If the payment was sent, execute the same quote with the same journal again. Otherwise, pass `payAgain: true`."
            : `Wait until ${new Date(payableUntil * 1_000).toISOString()}, or cancel nonce ${reference} of the ${what}. To pay now and risk a second payment, pass \`payAgain: true\`.`,
        cause,
      },
      { payableUntil, ...payment },
    );
  }
}

/** Another transaction of the account used the nonce of a step. */
export class TransactionReplacedError extends CrosscallError {
  readonly code = "TRANSACTION_REPLACED";
  /** Chain of the transaction. */
  declare readonly chainId: number;
  /** Nonce of the step's transaction. */
  declare readonly nonce: number;
  /** Hash of the transaction that used the nonce. */
  declare readonly replacementHash: string;

  constructor(parameters: { chainId: number; nonce: number; replacementHash: string }) {
    const { chainId, nonce, replacementHash } = parameters;
    super(
      {
        message: `transaction ${replacementHash} on chain ${chainId} used nonce ${nonce}, but does not perform the step`,
        hint: "The step paid nothing: execute the same quote with the same journal again, or request a new quote.",
      },
      parameters,
    );
  }
}

/** A wallet accepted a batch of calls, but some of them failed. */
export class BundleFailedError extends CrosscallError {
  readonly code = "BUNDLE_FAILED";
  /** Chain of the calls. */
  declare readonly chainId: number;
  /** Id that the wallet returned for the calls. */
  declare readonly bundleId: string;
  /** EIP-5792 status: 400 if nothing was included, 500 if all calls reverted, 600 if some reverted. */
  declare readonly status: number;
  /** Hash of the transaction; undefined if nothing was included. */
  declare readonly txHash: string | undefined;

  constructor(parameters: { chainId: number; bundleId: string; status: number; txHash: string | undefined }) {
    const { chainId, bundleId, status } = parameters;
    const isPartial = status >= 600;
    super(
      {
        message: `bundle ${bundleId} on chain ${chainId} failed with status ${status}${isPartial ? ": some of its calls succeeded" : ""}`,
        hint: isPartial
          ? "Check the bundle's transactions before you retry: the deposit may have succeeded."
          : "Nothing was paid. Quote again before you retry.",
      },
      parameters,
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
        hint: "When the user is ready to confirm, execute the same quote with the same journal again.",
        cause,
      },
      { stepId },
    );
  }
}

/** The quote is older than the limit and cannot be replaced. Nothing was sent. */
export class StaleQuoteError extends CrosscallError {
  readonly code = "QUOTE_STALE";
  /** Age of the quote, in milliseconds. */
  declare readonly ageMs: number;
  /** Limit in milliseconds. */
  declare readonly maxAgeMs: number;

  constructor(parameters: { ageMs: number; maxAgeMs: number }) {
    super(
      {
        message: `the quote is ${parameters.ageMs} ms old, but the limit is ${parameters.maxAgeMs} ms`,
        hint: "Quote again, or omit freshness.requotes to requote automatically.",
      },
      parameters,
    );
  }
}

/** A new quote is worse than the previous quote by more than the tolerance. Nothing was sent. */
export class QuoteWorsenedError extends CrosscallError {
  readonly code = "QUOTE_WORSENED";
  /** Amount that is worse: the minimum output, or the input. */
  declare readonly amount: "minimumOutput" | "input";
  /** Amount in the old quote, in the smallest unit (decimal). */
  declare readonly quoted: string;
  /** Amount in the new quote, in the smallest unit (decimal). */
  declare readonly offered: string;
  /** Tolerance in basis points. */
  declare readonly toleranceBps: number;

  constructor({
    currency,
    ...fields
  }: {
    amount: "minimumOutput" | "input";
    currency: Currency;
    quoted: bigint;
    offered: bigint;
    toleranceBps: number;
  }) {
    const { amount, quoted, offered, toleranceBps } = fields;
    const shown = (value: bigint): string => formatCurrencyAmount(value, currency);
    super(
      {
        message: `the ${amount} changed from ${shown(quoted)} to ${shown(offered)}, more than the tolerance of ${toleranceBps} bps`,
        hint: "Show the user the new price and execute a new quote, or increase toleranceBps.",
      },
      fields,
    );
  }
}

/** The node requires more gas, or a higher gas price, than the payment justifies. Nothing was signed. */
export class GasCostError extends CrosscallError {
  readonly code = "GAS_COST_TOO_HIGH";
  /** Chain of the transactions. */
  declare readonly chainId: number;
  /** Gas price in wei (decimal). Set if the gas price is too high. */
  declare readonly gasPrice?: string;
  /** Limit of `gasPrice` in wei (decimal). */
  declare readonly maximumGasPrice?: string;
  /** Cost of all steps on the chain in wei (decimal). Set if the cost is too high. */
  declare readonly gasCost?: string;
  /** Limit of `gasCost` in wei (decimal). */
  declare readonly maximumGasCost?: string;

  constructor(parameters: { chainId: number; limit: "gasPrice" | "gasCost"; found: bigint; maximum: bigint }) {
    const { chainId, limit, found, maximum } = parameters;
    const [what, name] =
      limit === "gasPrice" ? ["the gas price", "maximumGasPrice"] : ["the gas of the steps", "maximumGasCost"];
    super(
      {
        message: `${what} on chain ${chainId} is ${found} wei, but at most ${maximum} wei is allowed`,
        hint: `Compare the wallet's node with another node. If the price is right, wait, or increase limits.${name}.`,
      },
      { chainId, [limit]: found, [name]: maximum },
    );
  }
}

/** The token, for example USDT on Ethereum, rejects changes to a non-zero allowance. Nothing was sent. */
export class AllowanceResetError extends CrosscallError {
  readonly code = "ALLOWANCE_RESET_NEEDED";
  /** Chain of the account. */
  declare readonly chainId: number;
  /** Account that pays. */
  declare readonly account: string;
  /** The token. */
  declare readonly currency: string;
  /** Spender of the approval. */
  declare readonly spender: string;
  /** Allowance that the step approves, in the smallest unit (decimal). */
  declare readonly needed: string;
  /** Current allowance, in the smallest unit (decimal). */
  declare readonly found: string;

  constructor(shortfall: Shortfall & { readonly spender: string }) {
    const { chainId, account, currency, spender, needed, found } = shortfall;
    const shown = (amount: bigint): string => formatCurrencyAmount(amount, currency);
    super(
      {
        message: `${currency.address} on chain ${chainId} rejects a change of ${account}'s allowance for ${spender} from ${shown(found)} to ${shown(needed)}`,
        hint: `Approve 0 for ${spender} first, then execute the same quote with the same journal again.`,
      },
      fieldsOf(shortfall),
    );
  }
}

/** Finding of a preflight. */
export interface PreflightFinding {
  /** Stable. */
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly reason: string;
  readonly hint: string;
}

/** The simulation of the quote failed, or shows effects that you did not request. Nothing was signed. */
export class PreflightFailedError extends CrosscallError {
  readonly code = "PREFLIGHT_FAILED";
  /** Id of the quote's request. */
  declare readonly requestId: string;
  /** Errors only. */
  declare readonly findings: readonly PreflightFinding[];

  constructor(parameters: { readonly requestId: string; readonly findings: readonly PreflightFinding[] }) {
    const { requestId, findings } = parameters;
    super(
      {
        message: `the simulation of request ${requestId} failed: ${findings.map(({ code, reason }) => `${code}, ${reason}`).join("; ")}`,
        hint: findings[0]?.hint ?? "Do not sign this quote.",
      },
      parameters,
    );
  }
}
