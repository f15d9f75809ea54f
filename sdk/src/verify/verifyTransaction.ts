import {
  type Abi,
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  isHex,
  maxUint256,
  parseAbi,
  size,
  slice,
} from "viem";

import { depositoryAbi } from "../abi/depository.generated.ts";
import { routerAbi } from "../abi/router.generated.ts";
import { EVM_NATIVE_CURRENCY, isSameAddress } from "../chains/address.ts";
import type { PlannedTransaction } from "../protocol/quote/planSteps.ts";
import type { ReportDraft } from "./quoteReport.ts";
import { amountOf, isSameChain, isSameOrigin, mostInput, paysNative, type QuoteTerms } from "./terms.ts";
import { isTrusted, spendersOf } from "./trust.ts";
import type { OrderTerms } from "./verifyOrder.ts";

const TOKEN_ABI = parseAbi([
  "function approve(address spender, uint256 amount)",
  "function transfer(address to, uint256 amount)",
]);

const WRAPPED_ABI = parseAbi(["function deposit()", "function withdraw(uint256 amount)"]);

/** EIP-7825. */
const GAS_MAX = 2n ** 24n;

/** In wei. The executor also holds the fees to twice those of the chain. */
const FEE_MAX = 10n ** 15n;

const ID_BYTES = 32;

export interface ItemEffect {
  readonly effect: string;
  /** Whether decoding shows everything that can happen. */
  readonly isBound: boolean;
  /** Whether it pays the input. */
  readonly isPayment: boolean;
}

export interface TransactionContext {
  readonly draft: ReportDraft;
  readonly terms: QuoteTerms;
  readonly order: OrderTerms | undefined;
  readonly transaction: PlannedTransaction;
  /** JSON path of the item's data. */
  readonly path: string;
  /** The step's `depositAddress`. */
  readonly depositAddress: string;
}

/** Checks one transaction of a step on an EVM chain. */
export function verifyTransaction(context: TransactionContext): ItemEffect {
  const { draft, terms, transaction, path } = context;
  const { request } = terms;
  const { chainId, from, gas, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = transaction;
  draft.check(
    "TRANSACTION_CHAIN",
    `${path}.chainId`,
    chainId === request.originChainId,
    request.originChainId,
    chainId,
  );
  draft.check("TRANSACTION_FROM", `${path}.from`, isSameOrigin(terms, from, request.user), request.user, from);
  draft.check("TRANSACTION_GAS", `${path}.gas`, (gas ?? 0n) <= GAS_MAX, `at most ${GAS_MAX}`, gas);
  const fee = maxFeePerGas > maxPriorityFeePerGas ? maxFeePerGas : maxPriorityFeePerGas;
  draft.check("TRANSACTION_FEE", `${path}.maxFeePerGas`, fee <= FEE_MAX, `at most ${FEE_MAX}`, fee);
  const effect = verifyEffect(context);
  const { stepId } = transaction;
  const isMet = (stepId === "approve") !== effect.isPayment;
  draft.check(
    "STEP_ID",
    `${path.slice(0, path.indexOf("."))}.id`,
    isMet,
    effect.isPayment ? "another id than approve" : "approve",
    stepId,
  );
  return effect;
}

function verifyEffect(context: TransactionContext): ItemEffect {
  const { terms, transaction } = context;
  const { request, origin } = terms;
  if (request.useDepositAddress === true) return verifyPlainPayment(context);
  if (isTrusted(origin?.depositories, transaction.to)) return verifyDeposit(context);
  const token = readToken(transaction.data);
  if (token?.functionName === "approve") return verifyApproval(context, token.args);
  return isSameChain(terms) ? verifySameChain(context) : verifyTransferDeposit(context);
}

/** Call data without an id at its end. */
interface Read<Name extends string, Args> {
  readonly functionName: Name;
  readonly args: Args;
  /** What follows the arguments. */
  readonly tail: Hex;
}

type TokenCall = Read<"approve" | "transfer", readonly [Address, bigint]>;

function readToken(data: Hex): TokenCall | undefined {
  return readCall(TOKEN_ABI, data) as TokenCall | undefined;
}

/** Undefined unless it is exactly the encoding, with or without an id after it. */
function readCall(abi: Abi, data: Hex): Read<string, readonly unknown[]> | undefined {
  if (!isHex(data)) return undefined;
  for (const tailSize of [0, ID_BYTES]) {
    if (size(data) < tailSize + 4) continue;
    const body = tailSize === 0 ? data : slice(data, 0, size(data) - tailSize);
    try {
      const { functionName, args = [] } = decodeFunctionData({ abi, data: body });
      const encoded = encodeFunctionData({ abi, functionName, args });
      if (encoded.toLowerCase() !== body.toLowerCase()) continue;
      return { functionName, args, tail: tailSize === 0 ? "0x" : slice(data, -tailSize) };
    } catch {
      // Another function, or other arguments.
    }
  }
  return undefined;
}

function isSameHex(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a.toLowerCase() === b.toLowerCase();
}

/** Value in native currency of a payment of an amount. */
function checkValue({ draft, terms, transaction, path }: TransactionContext, native: bigint): void {
  const expected = paysNative(terms) ? native : 0n;
  draft.check("TRANSACTION_VALUE", `${path}.value`, transaction.value === expected, expected, transaction.value);
}

function verifyDeposit(context: TransactionContext): ItemEffect {
  const { draft, terms, order, transaction, path } = context;
  const { user, originCurrency } = terms.request;
  const read = readCall(depositoryAbi, transaction.data);
  const at = `${path}.data`;
  const isNative = read?.functionName === "depositNative" && read.args.length === 2;
  const isToken = read?.functionName === "depositErc20" && read.args.length === 4;
  draft.check(
    "TRANSACTION_DATA",
    at,
    isNative || isToken,
    ["depositNative", "depositErc20 with an amount"],
    read?.functionName ?? transaction.data,
  );
  if (read === undefined || (!isNative && !isToken))
    return { effect: "calls the depository", isBound: false, isPayment: true };
  const [depositor] = read.args as [Address];
  const id = read.args.at(-1) as Hex;
  const isOwn = isSameAddress(depositor, user) || isSameAddress(depositor, EVM_NATIVE_CURRENCY);
  draft.check("DEPOSITOR", at, isOwn, user, depositor);
  draft.check("DEPOSIT_ID", at, isSameHex(id, order?.orderId), order?.orderId, id);
  const [, token, amount] = isToken
    ? (read.args as [Address, Address, bigint])
    : ([user, EVM_NATIVE_CURRENCY, transaction.value] as const);
  draft.check("DEPOSIT_CURRENCY", at, isSameAddress(token, originCurrency), originCurrency, token);
  draft.check("DEPOSIT_AMOUNT", at, amount === order?.amount, order?.amount, amount);
  draft.check("INPUT_AMOUNT", at, amount === terms.inputAmount, terms.inputAmount, amount);
  checkValue(context, terms.inputAmount);
  return { effect: `deposits ${amount} of ${token} for order ${id}`, isBound: true, isPayment: true };
}

function verifyApproval(context: TransactionContext, [spender, amount]: readonly [Address, bigint]): ItemEffect {
  const { draft, terms, transaction, path } = context;
  const { request, origin, inputAmount, limits } = terms;
  const at = `${path}.data`;
  draft.check(
    "APPROVAL_TOKEN",
    `${path}.to`,
    isSameOrigin(terms, transaction.to, request.originCurrency),
    request.originCurrency,
    transaction.to,
  );
  const spenders = origin === undefined ? [] : spendersOf(origin);
  draft.check("APPROVAL_SPENDER", at, isTrusted(spenders, spender), spenders, spender);
  const most = mostInput(terms);
  const isUnlimited = amount === maxUint256 && limits.allowsUnlimitedApproval === true;
  const isMet = amount === 0n || isUnlimited || (amount >= inputAmount && amount <= most);
  draft.check("APPROVAL_AMOUNT", at, isMet, most === inputAmount ? inputAmount : `${inputAmount} to ${most}`, amount);
  draft.check("TRANSACTION_VALUE", `${path}.value`, transaction.value === 0n, 0n, transaction.value);
  return { effect: `approves ${amount} of ${transaction.to} for ${spender}`, isBound: true, isPayment: false };
}

/** A plain payment to the address that the service names: what happens with it, only the service knows. */
function verifyPlainPayment(context: TransactionContext): ItemEffect {
  const { draft, terms, transaction, path, depositAddress } = context;
  const { inputAmount, request } = terms;
  const isNative = paysNative(terms);
  const read = isNative ? undefined : readToken(transaction.data);
  const to = isNative ? transaction.to : read?.args[0];
  const amount = isNative ? transaction.value : read?.args[1];
  const isForm = isNative ? transaction.data === "0x" : read?.functionName === "transfer" && read.tail === "0x";
  draft.check("TRANSACTION_DATA", `${path}.data`, isForm, "a plain transfer", transaction.data);
  draft.check("DEPOSIT_ADDRESS", `${path}.to`, to !== undefined && isSameHex(to, depositAddress), depositAddress, to);
  draft.check("TRANSFER_AMOUNT", path, amount === inputAmount, inputAmount, amount);
  if (!isNative) {
    draft.check(
      "TRANSACTION_TARGET",
      `${path}.to`,
      isSameAddress(transaction.to, request.originCurrency),
      request.originCurrency,
      transaction.to,
    );
  }
  checkValue(context, inputAmount);
  return { effect: `transfers ${amount ?? 0n} of ${request.originCurrency} to ${to}`, isBound: false, isPayment: true };
}

/** A deposit by plain transfer with the orderId, or a swap that deposits. */
function verifyTransferDeposit(context: TransactionContext): ItemEffect {
  const { draft, terms, order, transaction, path } = context;
  const { origin, inputAmount, request } = terms;
  const payees = [...(origin?.depositories ?? []), ...(origin?.solvers ?? [])];
  const isNative = paysNative(terms);
  const read = isNative ? undefined : readToken(transaction.data);
  const isTransfer = isNative
    ? isTrusted(payees, transaction.to)
    : read?.functionName === "transfer" && isSameAddress(transaction.to, request.originCurrency);
  if (!isTransfer) return verifySwap(context);
  const [to, amount] = isNative ? [transaction.to, transaction.value] : (read?.args ?? []);
  const id = isNative ? transaction.data : read?.tail;
  draft.check("TRANSFER_RECIPIENT", path, isTrusted(payees, String(to)), payees, to);
  draft.check("DEPOSIT_ID", `${path}.data`, isSameHex(id, order?.orderId), order?.orderId, id);
  draft.check("TRANSFER_AMOUNT", path, amount === inputAmount, inputAmount, amount);
  draft.check("DEPOSIT_AMOUNT", path, amount === order?.amount, order?.amount, amount);
  checkValue(context, inputAmount);
  return { effect: `transfers ${amount} of ${request.originCurrency} to ${to}`, isBound: true, isPayment: true };
}

/** What contracts do with the input cannot be seen in the call data. */
function verifySwap(context: TransactionContext): ItemEffect {
  const { draft, terms, transaction, path } = context;
  const { origin, inputAmount } = terms;
  const targets = [...(origin?.routers ?? []), ...(origin?.spenders ?? [])];
  draft.check("TRANSACTION_TARGET", `${path}.to`, isTrusted(targets, transaction.to), targets, transaction.to);
  const [least, most] = paysNative(terms) ? [inputAmount, mostInput(terms)] : [0n, 0n];
  const isMet = transaction.value >= least && transaction.value <= most;
  draft.check("TRANSACTION_VALUE", `${path}.value`, isMet, `${least} to ${most}`, transaction.value);
  return { effect: `calls ${transaction.to} with ${transaction.value} wei`, isBound: false, isPayment: true };
}

/** A transfer, a wrap, calls by the router, or a swap. */
function verifySameChain(context: TransactionContext): ItemEffect {
  const { draft, terms, transaction, path } = context;
  const { request, recipient, inputAmount, requestId } = terms;
  const at = `${path}.data`;
  const checkTail = (tail: Hex | undefined): void => {
    draft.check("REQUEST_ID", at, tail === "0x" || isSameHex(tail, requestId), requestId, tail);
  };
  const hasCalls = (request.txs ?? []).length > 0;
  const isSend = isSameAddress(request.originCurrency, request.destinationCurrency) && !hasCalls;
  if (isSend) {
    const isNative = paysNative(terms);
    const read = isNative ? undefined : readToken(transaction.data);
    const to = isNative ? transaction.to : read?.args[0];
    const amount = isNative ? transaction.value : read?.args[1];
    checkTail(isNative ? transaction.data : read?.tail);
    draft.check("TRANSFER_RECIPIENT", path, to !== undefined && isSameAddress(to, recipient), recipient, to);
    draft.check("TRANSFER_AMOUNT", path, amount === inputAmount, inputAmount, amount);
    if (!isNative) {
      const isForm = read?.functionName === "transfer" && isSameAddress(transaction.to, request.originCurrency);
      draft.check("TRANSACTION_TARGET", `${path}.to`, isForm, request.originCurrency, transaction.to);
    }
    checkValue(context, inputAmount);
    checkOutput(context);
    return {
      effect: `transfers ${amount ?? 0n} of ${request.originCurrency} to ${to}`,
      isBound: true,
      isPayment: true,
    };
  }
  const wrapped = hasCalls ? undefined : readCall(WRAPPED_ABI, transaction.data);
  const isWrap = wrapped?.functionName === "deposit" && isSameAddress(transaction.to, request.destinationCurrency);
  const isUnwrap = wrapped?.functionName === "withdraw" && isSameAddress(transaction.to, request.originCurrency);
  if (isWrap || isUnwrap) {
    checkTail(wrapped.tail);
    if (isUnwrap) draft.check("TRANSFER_AMOUNT", at, wrapped.args[0] === inputAmount, inputAmount, wrapped.args[0]);
    draft.check("RECIPIENT", path, isSameAddress(recipient, request.user), request.user, recipient);
    checkValue(context, inputAmount);
    checkOutput(context);
    return { effect: `${isWrap ? "wraps" : "unwraps"} ${inputAmount}`, isBound: true, isPayment: true };
  }
  return hasCalls ? verifyRouterCalls(context) : verifySwap(context);
}

/** What is sent or wrapped arrives unchanged. */
function checkOutput({ draft, terms }: TransactionContext): void {
  const { amount } = terms.quote.details?.currencyOut ?? {};
  draft.check(
    "OUTPUT_AMOUNT",
    "details.currencyOut.amount",
    amountOf(amount) === terms.inputAmount,
    terms.inputAmount,
    amount,
  );
}

interface RouterCall {
  readonly target: Address;
  readonly allowFailure: boolean;
  readonly value: bigint;
  readonly callData: Hex;
}

/** The calls of the request, after a fee to a solver; with anything else, what happens cannot be seen. */
function verifyRouterCalls(context: TransactionContext): ItemEffect {
  const { draft, terms, transaction, path } = context;
  const { request, origin, recipient, requestId } = terms;
  const swap = verifySwap(context);
  // Without a swap, the price cannot move.
  const isUnswapped = isSameAddress(request.originCurrency, request.destinationCurrency);
  if (isUnswapped) checkValue(context, terms.inputAmount);
  const read = readCall(routerAbi, transaction.data);
  const at = `${path}.data`;
  if (read?.functionName !== "multicall") {
    draft.check("TRANSACTION_DATA", at, false, "multicall of the router", read?.functionName ?? transaction.data);
    return swap;
  }
  draft.check("REQUEST_ID", at, read.tail === "0x" || isSameHex(read.tail, requestId), requestId, read.tail);
  const [calls, refundTo, nftRecipient] = read.args as [readonly RouterCall[], Address, Address];
  const owners = [request.user, recipient];
  for (const account of [refundTo, nftRecipient]) {
    draft.check("RECIPIENT", at, isTrusted(owners, account), owners, account);
  }
  const txs = request.txs ?? [];
  const last = calls.slice(-txs.length);
  const isSame =
    last.length === txs.length &&
    last.every(({ target, value, callData, allowFailure }, index) => {
      const tx = txs[index];
      if (tx === undefined || allowFailure) return false;
      return isSameAddress(target, tx.to) && isSameHex(callData, tx.data) && value === amountOf(tx.value);
    });
  draft.check("ORDER_CALLS", at, isSame, txs, last);
  const others = calls.slice(0, calls.length - last.length);
  const isFees = others.every(({ target, callData }) => isTrusted(origin?.solvers, target) && callData === "0x");
  return { ...swap, isBound: isUnswapped && isFees };
}
