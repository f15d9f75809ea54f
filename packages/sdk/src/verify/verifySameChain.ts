import { type Address, type Hex, parseAbi } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { amountOf, paysNative } from "./terms.ts";
import {
  checkValue,
  isSameHex,
  type ItemEffect,
  readCall,
  readToken,
  type TransactionContext,
  transferOf,
  verifySwap,
} from "./transactionParts.ts";
import { isTrusted } from "./trust.ts";

const WRAPPED_ABI = parseAbi(["function deposit()", "function withdraw(uint256 amount)"]);

/** Partial ABI of the router, to keep app bundles small. */
const ROUTER_ABI = parseAbi([
  "struct Call { address target; bool allowFailure; uint256 value; bytes callData; }",
  "function multicall(Call[] calls, address refundTo, address nftRecipient, bytes metadata)",
]);

/** Verifies a transfer, a wrap, calls by the router, or a swap. */
export function verifySameChain(context: TransactionContext): ItemEffect {
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
      effect: transferOf(amount, request.originCurrency, to),
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
    const paid = { amount: String(inputAmount), currency: request.originCurrency };
    return { effect: [isWrap ? "wraps " : "unwraps ", paid], isBound: true, isPayment: true };
  }
  return hasCalls ? verifyRouterCalls(context) : verifySwap(context);
}

/** Checks the output of a transfer or a wrap, which must equal the input. */
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

/** Verifies the request's calls, after a fee to a solver. The effects of other calls are unknown. */
function verifyRouterCalls(context: TransactionContext): ItemEffect {
  const { draft, terms, transaction, path } = context;
  const { request, origin, recipient, requestId } = terms;
  const swap = verifySwap(context);
  // Without a swap, the price cannot change.
  const isUnswapped = isSameAddress(request.originCurrency, request.destinationCurrency);
  if (isUnswapped) checkValue(context, terms.inputAmount);
  const read = readCall(ROUTER_ABI, transaction.data);
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
  // The remainder returns through refundTo.
  const paid = others.reduce((sum, { value }) => sum + value, 0n);
  const most = terms.inputAmount - (amountOf(terms.quote.details?.currencyOut?.amount) ?? 0n);
  if (isUnswapped && isFees) draft.check("FEE_LIMITS", at, paid <= most, `at most ${most}`, paid);
  return { ...swap, isBound: isUnswapped && isFees };
}
