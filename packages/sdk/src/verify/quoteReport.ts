/** All checked claims with their meanings. Codes are stable. */
export const QUOTE_CLAIMS = {
  ACCOUNT_EXISTS: "A receiving contract on one chain exists on the other.",
  ACCOUNT_SAME: "A receiving account delegates (EIP-7702) on both chains or on neither.",
  AMOUNT_SHOWN: "The quote shows each amount (text, decimals, symbol, value) correctly.",
  APPROVAL_AMOUNT: "An approval is for exactly the paid amount.",
  APPROVAL_SPENDER: "An approval is for a pinned contract.",
  APPROVAL_TOKEN: "An approval is for the paid currency.",
  AUTHORIZATION_CHAIN: "An authorization (EIP-7702) is only for the chain of its step.",
  AUTHORIZATION_DELEGATE: "An authorization (EIP-7702) delegates the account to a pinned contract.",
  AUTHORIZATION_NONCE: "An authorization (EIP-7702) has a nonce.",
  CHAIN_PINNED: "The pinned addresses contain the chain.",
  DEPOSIT_ADDRESS: "A plain payment goes to the step's deposit address, if one was requested.",
  DEPOSIT_AMOUNT: "The deposit has the order's amount.",
  DEPOSIT_CURRENCY: "The deposit is in the requested currency.",
  DEPOSIT_ID: "The deposit is for the quote's order.",
  DEPOSITOR: "The deposit is for the user.",
  EXCHANGE_TRANSFER: "An exchange transfer pays the requested amount to the service.",
  FEE_LIMITS: "The fees are within the caller's limits and not above the quoted fees.",
  FEE_SUM: "The components of the fees add up to the stated total.",
  INPUT_AMOUNT: "The paid amount is the requested amount.",
  INPUT_CURRENCY: "The paid currency is the requested currency.",
  MINIMUM_OUTPUT: "The minimum output is within the caller's slippage.",
  ORDER_CALLS: "The order makes exactly the request's calls, in the same order.",
  ORDER_CHAIN: "The order is for the requested chains.",
  ORDER_DEADLINE: "The order's deadlines are in the future and within its maximum lifetime.",
  ORDER_FEE: "The order pays fees only to recipients in the request.",
  ORDER_FILL_CONTRACT: "The router that the order pays fills it; refunds use a pinned router.",
  ORDER_ID: "The orderId is the hash of the order.",
  ORDER_INPUT: "The order's input is the payment.",
  ORDER_OUTPUT: "The order pays the quoted output to the recipient.",
  ORDER_PRESENT: "A cross-chain quote has an order.",
  ORDER_REFUND: "The order refunds the user, or refundTo.",
  ORDER_SIGNATURE: "The signature of the order, if any, is from a pinned solver.",
  ORDER_SOLVER: "The order's solver is pinned.",
  OUTPUT_AMOUNT: "The quoted output is the requested output.",
  OUTPUT_CURRENCY: "The received currency is the requested currency.",
  PAYMENT_COUNT: "The steps pay once.",
  PAYMENT_DETAILS: "The payment details match the order and contain a pinned depository.",
  PERMIT_AMOUNT: "A permit is for exactly the paid amount.",
  PERMIT_ASKED: "A permit is signed only for a request with `usePermit`.",
  PERMIT_DEADLINE: "A permit does not expire later than requested.",
  PERMIT_DOMAIN: "A permit is for its token or Permit2 on the payment's chain.",
  PERMIT_OWNER: "A permit is from the user.",
  PERMIT_POST: "A permit is posted to the permit endpoint.",
  PERMIT_SPENDER: "A permit is for a pinned contract or solver.",
  PERMIT_TOKEN: "A permit is for the paid currency.",
  PERMIT_TYPES: "A permit has exactly the documented EIP-712 types, domain and message fields.",
  PERMIT_WITNESS: "A permit's witness has a pinned solver, the user and the request's calls.",
  RECIPIENT: "The recipient is the requested recipient.",
  REQUEST_ID: "All steps have the same requestId.",
  REQUEST_NEW: "The requestId was not used before.",
  SENDER: "The sender is the user.",
  SIGNATURE_KNOWN: "A signed message is a documented permit.",
  STEP_ID: "Approving steps have the id `approve`, and no other steps do.",
  SVM_DEPOSIT: "An SVM transaction makes one deposit, with the accounts of the user and the depository.",
  SVM_INSTRUCTION:
    "Other instructions of an SVM deposit with the user's accounts only write memos and create token accounts.",
  SVM_PROGRAM: "An SVM transaction calls only pinned programs. A deposit loads only pinned lookup tables.",
  TRANSACTION_BATCH: "A transaction makes one call.",
  TRANSACTION_CHAIN: "A transaction is sent on the payment's chain.",
  TRANSACTION_DATA: "The call data of a transaction is exactly its documented encoding.",
  TRANSACTION_FEE: "The fee cap of a transaction is below 10^15 wei, and the priority fee on SVM chains at most 0.01.",
  TRANSACTION_FROM: "A transaction is sent by the user.",
  TRANSACTION_GAS: "The gas limit of a transaction is within the protocol's limit of 2^24 (EIP-7825).",
  TRANSACTION_TARGET: "A transaction calls a pinned contract or a requested currency.",
  TRANSACTION_VALUE: "The value of a transaction is the payment in native currency, or zero.",
  TRANSFER_AMOUNT: "A plain transfer has the requested amount.",
  TRANSFER_RECIPIENT: "A plain transfer goes to the recipient, or to a pinned account with the orderId.",
} as const;

/** Code of a checked claim. */
export type QuoteClaimCode = keyof typeof QUOTE_CLAIMS;

/** One checked claim. */
export interface QuoteClaim {
  readonly code: QuoteClaimCode;
  /** JSON path in the quote. */
  readonly path: string;
  readonly isMet: boolean;
  /** Value that the request and the pinned addresses require. */
  readonly expected: string;
  readonly seen: string;
}

/**
 * `bound`: the steps do exactly what was requested. `needsSimulation`: decoding does not show the effects, for example
 * of a swap on the origin chain. Simulate the quote before signing. `refused`: at least one claim is not met.
 */
export type QuoteVerdict = "bound" | "needsSimulation" | "refused";

/** Part of an effect: words, an account, or an amount in the smallest unit of a currency on the origin chain. */
export type EffectPart = string | { readonly account: string } | { readonly amount: string; readonly currency: string };

/** Effect of one transaction, signature or action in a step. */
export interface QuoteItemReport {
  readonly stepId: string;
  /** JSON path in the quote, such as `steps[0].items[0]`. */
  readonly path: string;
  /** The effect, in one sentence, with amounts in the smallest unit. */
  readonly effect: string;
  /** The parts of `effect`, to show amounts and accounts in another notation. */
  readonly parts: readonly EffectPart[];
  readonly verdict: QuoteVerdict;
}

/** Result of `verifyQuote`. */
export interface QuoteReport {
  readonly verdict: QuoteVerdict;
  readonly items: readonly QuoteItemReport[];
  /** Met and unmet claims, in the order of the checks. */
  readonly claims: readonly QuoteClaim[];
  /** Unmet claims that affect neither funds nor limits. They do not change the verdict. */
  readonly warnings: readonly QuoteClaim[];
}

/** Draft of a report, which collects the claims and effects of a quote. */
export class ReportDraft {
  readonly #claims: QuoteClaim[] = [];
  readonly #items: QuoteItemReport[] = [];
  readonly #warnings: QuoteClaim[] = [];

  check(code: QuoteClaimCode, path: string, isMet: boolean, expected: unknown, seen: unknown): boolean {
    this.#claims.push({ code, path, isMet, expected: textOf(expected), seen: textOf(seen) });
    return isMet;
  }

  /** Records an unmet claim as a warning. */
  warn(code: QuoteClaimCode, path: string, isMet: boolean, expected: unknown, seen: unknown): void {
    if (!isMet) this.#warnings.push({ code, path, isMet, expected: textOf(expected), seen: textOf(seen) });
  }

  /** Runs the checks of an item, and records its effect. */
  async item(
    stepId: string,
    path: string,
    check: () => Promise<{ readonly effect: readonly EffectPart[]; readonly isBound: boolean }>,
  ): Promise<void> {
    const before = this.#claims.length;
    const { effect: parts, isBound } = await check();
    const isRefused = this.#claims.slice(before).some((claim) => !claim.isMet);
    const verdict = isRefused ? "refused" : isBound ? "bound" : "needsSimulation";
    this.#items.push({ stepId, path, effect: parts.map(rawText).join(""), parts, verdict });
  }

  report(): QuoteReport {
    const isRefused = this.#claims.some(({ isMet }) => !isMet);
    const isBound = this.#items.every(({ verdict }) => verdict === "bound");
    return {
      verdict: isRefused ? "refused" : isBound ? "bound" : "needsSimulation",
      items: this.#items,
      claims: this.#claims,
      warnings: this.#warnings,
    };
  }
}

/** Formats a part with the address and the amount as they are in the quote. */
export function rawText(part: EffectPart): string {
  if (typeof part === "string") return part;
  return "account" in part ? part.account : `${part.amount} of ${part.currency}`;
}

/** Formats any value, also one without a text, such as `{"toString": null}`. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "nothing" : value.map(textOf).join(" or ");
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean") return String(value);
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? inner.toString() : inner));
}
