import { type Address, type Log, decodeEventLog, decodeFunctionData, erc20Abi, type Hex } from "viem";
import { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { parseAmount } from "@crosscall/protocol/encoding";
import {
  minimumOutput,
  type PlannedTransaction,
  quotedInput,
  type QuoteRequest,
} from "@crosscall/protocol/quote/rules";
import { isTrusted, spendersOf } from "@crosscall/sdk/kit";
import { depositoryAbi } from "@crosscall/protocol/abi";

import type { Transfer } from "../replayReport.ts";
import { type Holdings, permitted, type Touched } from "./originHoldings.ts";
import type { PreflightFinding, PreflightSubject } from "./preflightReport.ts";

/** State changes of the steps on a fork. */
export interface OriginFacts extends PreflightSubject {
  readonly touched: Touched;
  readonly before: Holdings;
  readonly after: Holdings;
  /** Contract that makes the calls of a request on one chain. */
  readonly called: Address | undefined;
  readonly transactions: readonly PlannedTransaction[];
  readonly logs: readonly Log[];
  /** Transfers in order. Transfers within the user's own calls have the index of the call. */
  readonly movements: readonly Transfer[];
  readonly strangers: readonly Transfer[];
  /** Wei. */
  readonly gas: bigint;
  /** Maximum input amount that the user may spend. */
  readonly most: bigint;
}

/** Finds effects of the steps beyond the request. */
export function judgeOrigin(facts: OriginFacts): PreflightFinding[] {
  return [
    ...findLosses(facts),
    ...findAllowances(facts),
    ...findOutput(facts),
    ...findLeft(facts),
    ...findPaidStrangers(facts),
  ];
}

export function originFinding(code: keyof typeof HINTS, reason: string): PreflightFinding {
  return { code, leg: "origin", severity: "error", reason, hint: HINTS[code] };
}

const REPORT_IT = "Do not sign any step of this quote. Request a new quote, and report this one to the service.";

const HINTS = {
  ALLOWANCE_LEFT: REPORT_IT,
  DEPOSIT_MISSING: REPORT_IT,
  INPUT_EXCEEDED: REPORT_IT,
  LEFT_TOKENS: "Sweep the remainder to the user in the last call.",
  OTHER_FUNDS_LEFT: REPORT_IT,
  OUTPUT_MISSING: "Request a new quote: the price has moved, or the steps pay another account.",
  STRANGER_PAID:
    "Do not sign any step of this quote. If you know the account, add it to the chain's `payees` in `trust`.",
  TRANSACTION_REVERTED: "Check the account's balance, allowance and gas, then request a new quote.",
} as const;

function findLosses({ request, most, before, after, gas }: OriginFacts): PreflightFinding[] {
  const { originCurrency } = request;
  const findings: PreflightFinding[] = [];
  const isNative = isEvmNative(originCurrency);
  const native = before.native - after.native - gas;
  if (native > (isNative ? most : 0n)) {
    const code = isNative ? "INPUT_EXCEEDED" : "OTHER_FUNDS_LEFT";
    findings.push(
      originFinding(
        code,
        `${native} wei leave the user in addition to gas; the request allows ${isNative ? most : 0n}`,
      ),
    );
  }
  for (const [token, balance] of before.tokens) {
    const lost = balance - (after.tokens.get(token) ?? 0n);
    const isInput = isSameAddress(token, originCurrency);
    if (lost > (isInput ? most : 0n)) {
      const code = isInput ? "INPUT_EXCEEDED" : "OTHER_FUNDS_LEFT";
      findings.push(
        originFinding(code, `${lost} of ${token} leave the user; the request allows ${isInput ? most : 0n}`),
      );
    }
  }
  for (const [key, balance] of before.items) {
    const lost = balance - (after.items.get(key) ?? 0n);
    const [token, id] = key.split(" ");
    if (lost > 0n) findings.push(originFinding("OTHER_FUNDS_LEFT", `${lost} of id ${id} of ${token} leave the user`));
  }
  return findings;
}

/** Finds remaining allowances. A swap with a fixed output can leave a part of its approval unused. */
function findAllowances({
  request,
  quote,
  trust,
  limits,
  touched,
  most,
  before,
  after,
}: OriginFacts): PreflightFinding[] {
  return touched.permissions.flatMap((one) => {
    const { kind, token, spender, id } = one;
    const [was, left] = permitted(one, before, after);
    const isInput = kind === "amount" && isSameAddress(token, request.originCurrency);
    if (left <= was || left <= (isInput ? most - quotedInput(quote) : 0n)) return [];
    const chain = trust[request.originChainId];
    const isWanted = isInput && limits.allowsUnlimitedApproval === true;
    if (isWanted && chain !== undefined && isTrusted(spendersOf(chain), spender)) return [];
    const what = { amount: `${left} of`, id: `NFT ${id} of`, all: "all of" }[kind];
    return [originFinding("ALLOWANCE_LEFT", `${spender} can still take ${what} ${token} afterwards`)];
  });
}

function findPaidStrangers({ strangers }: OriginFacts): PreflightFinding[] {
  return strangers.map(({ currency, to, amount }) =>
    originFinding("STRANGER_PAID", `unknown account ${to} receives ${amount} of ${currency}`),
  );
}

/** Returns the output that a router receives and does not pay to others, apart from the user's own calls. */
function deliveredToCalls({ request, trust, movements }: OriginFacts): bigint {
  const { user, recipient = user, destinationCurrency, originChainId } = request;
  const { routers = [] } = trust[originChainId] ?? {};
  return movements
    .filter(({ txIndex, currency }) => txIndex === undefined && isSameAddress(currency, destinationCurrency))
    .reduce((sum, { from, to, amount }) => {
      if (isTrusted(routers, to)) return sum + (isTrusted(routers, from) ? 0n : amount);
      return isTrusted(routers, from) && !isTrusted([user, recipient], to) ? sum - amount : sum;
    }, 0n);
}

function findOutput(facts: OriginFacts): PreflightFinding[] {
  const { request, quote, trust, before, after, logs, gas, transactions } = facts;
  const { orderId, orderData } = quote.protocol?.v2 ?? {};
  // The service fills after the payment, even on the same chain.
  if (request.useDepositAddress === true) return [];
  if (isSameChain(request)) {
    const { user, recipient = user, destinationCurrency } = request;
    const least = minimumOutput(quote);
    if ((request.txs ?? []).length > 0) {
      // The calls spend the output.
      const delivered = deliveredToCalls(facts);
      return delivered >= least
        ? []
        : [originFinding("OUTPUT_MISSING", `the calls receive ${delivered}, which is less than ${least}`)];
    }
    const paysGas = isEvmNative(destinationCurrency) && isSameAddress(user, recipient);
    const gained = after.output - before.output + (paysGas ? gas : 0n);
    return gained >= least
      ? []
      : [originFinding("OUTPUT_MISSING", `the recipient gains ${gained}, which is less than ${least}`)];
  }
  const payment = orderData?.inputs?.[0]?.payment;
  const amount = parseAmount(payment?.amount, "protocol.v2.orderData.inputs[0].payment.amount");
  const { depositories = [], solvers = [] } = trust[request.originChainId] ?? {};
  const wanted = { orderId: orderId ?? "", currency: payment?.currency ?? "", amount, depositories, solvers };
  if (isDeposited(wanted, logs, transactions)) return [];
  return [originFinding("DEPOSIT_MISSING", `no deposit of ${amount} for order ${orderId} is recorded`)];
}

/** Finds leftover input, and output that the calls did not transfer. */
function findLeft({ request, trust, called, before, after }: OriginFacts): PreflightFinding[] {
  // Only checks trusted routers, because a plain payment or a wrapped amount is meant to stay.
  if (called === undefined || !isTrusted(trust[request.originChainId]?.routers, called)) return [];
  return [...after.called].flatMap(([currency, left]) => {
    const kept = left - (before.called.get(currency) ?? 0n);
    if (kept <= 0n) return [];
    return [originFinding("LEFT_TOKENS", `${kept} of ${currency} stay on the router, where anyone can take them`)];
  });
}

export function isSameChain({ originChainId, destinationChainId }: QuoteRequest): boolean {
  return originChainId === destinationChainId;
}

interface WantedDeposit {
  readonly orderId: string;
  /** Currency of the order's input; the zero address for native currency. */
  readonly currency: string;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly depositories: readonly string[];
  readonly solvers: readonly string[];
}

/**
 * Returns whether a pinned depository records the deposit, or a plain transfer to a pinned account contains the
 * orderId.
 */
function isDeposited(
  wanted: WantedDeposit,
  logs: readonly Log[],
  transactions: readonly PlannedTransaction[],
): boolean {
  const { orderId, currency, amount, depositories } = wanted;
  const isRecorded = logs.some((log) => {
    // Any contract can emit the event.
    const event = isTrusted(depositories, log.address) ? tryDecodeDeposit(log) : undefined;
    if (event === undefined || event.id.toLowerCase() !== orderId.toLowerCase()) return false;
    return isSameAddress(event.currency, currency) && event.amount >= amount;
  });
  return isRecorded || transactions.some((transaction) => isPlainDeposit(transaction, wanted));
}

/**
 * Returns whether the transaction is a transfer with the orderId after its call data. No event records such a deposit.
 */
function isPlainDeposit(
  { to, data, value }: PlannedTransaction,
  { orderId, currency, amount, depositories, solvers }: WantedDeposit,
): boolean {
  const payees = [...depositories, ...solvers];
  const id = orderId.slice(2).toLowerCase();
  if (id === "" || !data.toLowerCase().endsWith(id)) return false;
  if (isEvmNative(currency)) return data.length === orderId.length && isTrusted(payees, to) && value >= amount;
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: data.slice(0, -id.length) as Hex });
    const isTransfer = functionName === "transfer" && isSameAddress(to, currency);
    return isTransfer && isTrusted(payees, args[0]) && args[1] >= amount;
  } catch {
    return false;
  }
}

interface RecordedDeposit {
  readonly id: Hex;
  readonly currency: Address;
  readonly amount: bigint;
}

function tryDecodeDeposit({ data, topics }: Log): RecordedDeposit | undefined {
  try {
    const { eventName, args } = decodeEventLog({ abi: depositoryAbi, data, topics });
    if (eventName === "RelayNativeDeposit") return { ...args, currency: EVM_NATIVE_CURRENCY };
    return eventName === "RelayErc20Deposit" ? { ...args, currency: args.token } : undefined;
  } catch {
    return undefined;
  }
}
