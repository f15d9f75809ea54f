import {
  erc20Abi,
  type Hex,
  keccak256,
  parseAbi,
  parseEventLogs,
  type Transaction,
  type TransactionReceipt,
} from "viem";

import { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { hashedCallAbi } from "@crosscall/protocol/generations";
import {
  minimumOutput,
  type PlannedStep,
  type PlannedTransaction,
  type QuoteRequest,
  requestIdOf,
} from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import { isPresent } from "@crosscall/protocol/schema";
import { amountOf } from "./terms.ts";
import { isTrusted, serviceTrust, type ServiceTrust } from "./trust.ts";
import type { TrustedChain } from "./trustedChains.ts";

/** Partial ABI of the router, to keep app bundles small. */
const ROUTER_EVENTS = parseAbi([
  "event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata)",
  "event SolverCallExecuted(address to, bytes data, uint256 amount)",
  "event SolverNativeTransfer(address to, uint256 amount)",
]);

/** Reasons why an included transaction does not fill a request. */
export type FillProblem = "failed" | "foreignSender" | "otherRequest" | "otherPayment" | "callsMissing" | "tooLittle";

export interface VerifyFillParameters {
  readonly request: QuoteRequest;
  /** Verified with `verifyQuote`. */
  readonly quote: Quote;
  readonly trust?: ServiceTrust;
  /** Steps of the quote. On one chain, the user's own transaction is the fill. */
  readonly actions: readonly PlannedStep[];
  /** Hashes of the user's transactions for this request. */
  readonly ownHashes: readonly string[];
}

export interface IncludedTransaction {
  readonly transaction: Pick<Transaction, "hash" | "from" | "to" | "input" | "value">;
  readonly receipt: Pick<TransactionReceipt, "status" | "logs">;
}

/**
 * Checks that an included transaction fills the request of a quote: a pinned solver sent it, or a pinned router
 * received it; its call data ends with the orderId; it delivers the minimum output; and the router makes the request's
 * calls.
 * @returns undefined if the transaction fills the request
 */
export function verifyFill(parameters: VerifyFillParameters, included: IncludedTransaction): FillProblem | undefined {
  const { request, quote, trust = serviceTrust } = parameters;
  const { transaction, receipt } = included;
  if (receipt.status !== "success") return "failed";
  const { orderId, orderData } = quote.protocol?.v2 ?? {};
  // The orderId is unverified if there is no order.
  const hasOrder = isPresent(orderData) && isPresent(orderId);
  const id = hasOrder ? orderId : requestIdOf(quote);
  // The service chooses the requestId, so a fill by a solver proves nothing if the user pays with a transaction.
  const isOwnFill = !hasOrder && request.useDepositAddress !== true;
  const payments = isOwnFill ? parameters.actions.filter(isPaymentOf) : [];
  if (payments.length > 0) return isOwnPayment(parameters, payments, transaction, id) ? undefined : "otherPayment";
  const chain = trust[request.destinationChainId];
  const isBySolver = isTrusted(chain?.solvers, transaction.from);
  const isToRouter = isTrusted(chain?.routers, transaction.to ?? "");
  if (!isBySolver && !isToRouter) return "foreignSender";
  if (!transaction.input.toLowerCase().endsWith(id.slice(2).toLowerCase())) return "otherRequest";
  if (!makesCalls(request, receipt, chain, isBySolver)) return "callsMissing";
  // Receipts do not show native payments by contracts.
  const isThroughContract = isToRouter || isTrusted(chain?.spenders, transaction.to ?? "");
  const isHidden = isEvmNative(request.destinationCurrency) && (request.txs ?? []).length === 0 && isThroughContract;
  if (isHidden && isBySolver) return undefined;
  return delivered(request, included, chain) >= leastOf(request, quote) ? undefined : "tooLittle";
}

/** Returns the order's minimum, which is at least the quoted minimum. */
function leastOf({ destinationCurrency }: QuoteRequest, quote: Quote): bigint {
  const payments = quote.protocol?.v2?.orderData?.output?.payments;
  if (!isPresent(payments)) return minimumOutput(quote);
  return payments
    .filter(({ currency }) => isPresent(currency) && isSameAddress(currency, destinationCurrency))
    .reduce((sum, { minimumAmount }) => sum + (amountOf(minimumAmount) ?? 0n), 0n);
}

/** Whether the user's payment for the quote contains the request's id or belongs to the request. */
function isOwnPayment(
  { ownHashes }: VerifyFillParameters,
  payments: readonly PlannedTransaction[],
  { hash, from, to, input, value }: IncludedTransaction["transaction"],
  id: string,
): boolean {
  const isNamed = input.toLowerCase().endsWith(id.slice(2).toLowerCase());
  if (!isNamed && !ownHashes.some((own) => own.toLowerCase() === hash.toLowerCase())) return false;
  return payments.some(
    (action) =>
      isSameAddress(action.from, from) &&
      isSameAddress(action.to, to ?? "") &&
      action.data.toLowerCase() === input.toLowerCase() &&
      action.value === value,
  );
}

function isPaymentOf(action: PlannedStep): action is PlannedTransaction {
  return action.kind === "transaction" && action.stepId !== "approve";
}

type Logs = TransactionReceipt["logs"];

function routerLogs<Name extends "SolverCallExecuted" | "SolverNativeTransfer" | "FundsMovement">(
  logs: Logs,
  chain: TrustedChain | undefined,
  eventName: Name,
) {
  const own = logs.filter(({ address }) => isTrusted(chain?.routers, address));
  return parseEventLogs({ abi: ROUTER_EVENTS, eventName, logs: own });
}

/**
 * Reads the calls from the router's events, which contain the call data or its hash, depending on the router's
 * generation.
 */
function callsMade(
  logs: Logs,
  chain: TrustedChain | undefined,
): readonly { readonly to: string; readonly dataHash: Hex; readonly amount: bigint }[] {
  const own = logs.filter(({ address }) => isTrusted(chain?.routers, address));
  const whole = parseEventLogs({ abi: ROUTER_EVENTS, eventName: "SolverCallExecuted", logs: own });
  const hashed = parseEventLogs({ abi: hashedCallAbi, eventName: "SolverCallExecuted", logs: own });
  return [
    ...whole.map(({ logIndex, args: { to, data, amount } }) => ({ logIndex, to, dataHash: keccak256(data), amount })),
    ...hashed.map(({ logIndex, args }) => ({ logIndex, ...args })),
  ].toSorted((left, right) => left.logIndex - right.logIndex);
}

/**
 * Checks the order of calls. A pinned router records each successful call. Anyone can call a router, so a stranger's
 * calls could take funds for the request's calls.
 */
function makesCalls(
  { txs = [] }: QuoteRequest,
  { logs }: IncludedTransaction["receipt"],
  chain: TrustedChain | undefined,
  mayAddCalls: boolean,
): boolean {
  let next = 0;
  const made = txs.length === 0 ? [] : callsMade(logs, chain);
  if (!mayAddCalls && made.length !== txs.length) return false;
  for (const one of made) {
    const wanted = txs[next];
    if (wanted === undefined) break;
    const isSame =
      isSameAddress(one.to, wanted.to) &&
      one.dataHash === keccak256(wanted.data as Hex) &&
      one.amount === amountOf(wanted.value);
    if (isSame) next += 1;
  }
  return next === txs.length;
}

/** Returns the amount received by the recipient, or by a pinned router that makes the calls. */
function delivered(
  { user, recipient = user, txs = [], destinationCurrency }: QuoteRequest,
  { transaction, receipt }: IncludedTransaction,
  chain: TrustedChain | undefined,
): bigint {
  const payees = txs.length === 0 ? [recipient] : (chain?.routers ?? []);
  const { to, value } = transaction;
  if (!isEvmNative(destinationCurrency)) {
    const logs = receipt.logs.filter(({ address }) => isSameAddress(address, destinationCurrency));
    const moves = parseEventLogs({ abi: erc20Abi, eventName: "Transfer", logs });
    return sumOf(
      moves.filter(({ args }) => isTrusted(payees, args.to) && !isTrusted(payees, args.from)).map(({ args }) => args),
    );
  }
  const isPaid = isTrusted(payees, to ?? "");
  if (txs.length === 0) return isPaid ? value : 0n;
  const received = routerLogs(receipt.logs, chain, "SolverNativeTransfer").filter(({ args }) =>
    isTrusted(payees, args.to),
  );
  const funded = routerLogs(receipt.logs, chain, "FundsMovement").filter(
    ({ args: { from, to, currency } }) =>
      isTrusted(payees, to) && !isTrusted(payees, from) && isSameAddress(currency, EVM_NATIVE_CURRENCY),
  );
  // Newer routers record the value of the multicall; older routers do not.
  const first = sumOf(funded.map(({ args }) => args));
  const direct = isPaid ? value : 0n;
  // A router's transfer to itself is recorded as received, too.
  const own = callsMade(receipt.logs, chain).filter(
    ({ to: called, dataHash }) => isTrusted(payees, called) && dataHash === keccak256("0x"),
  );
  return sumOf(received.map(({ args }) => args)) - sumOf(own) + (first > direct ? first : direct);
}

function sumOf(moves: readonly ({ readonly amount: bigint } | { readonly value: bigint })[]): bigint {
  return moves.reduce((sum, move) => sum + ("amount" in move ? move.amount : move.value), 0n);
}
