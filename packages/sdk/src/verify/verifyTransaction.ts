import { type Address, type Hex, maxUint256 } from "viem";

import { DEPOSIT_ABI, EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import { isSameChain, isSameOrigin, mostInput, paysNative } from "./terms.ts";
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
import { isTrusted, spendersOf } from "./trust.ts";
import { verifyDelegation } from "./verifyDelegation.ts";
import { verifySameChain } from "./verifySameChain.ts";

/** EIP-7825. */
const GAS_MAX = 2n ** 24n;

/** Maximum fee per gas in wei. The executor also limits fees to twice the chain's. */
const FEE_MAX = 10n ** 15n;

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
  const { authorizationList = [] } = transaction;
  authorizationList.forEach((authorization, index) => {
    verifyDelegation(draft, terms, authorization, `${path}.authorizationList[${index}]`);
  });
  const effect = verifyEffect(context);
  const { stepId } = transaction;
  const isMet = (stepId === "approve") !== effect.isPayment;
  draft.check(
    "STEP_ID",
    `${path.slice(0, path.indexOf("."))}.id`,
    isMet,
    effect.isPayment ? "an id other than approve" : "approve",
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

function verifyDeposit(context: TransactionContext): ItemEffect {
  const { draft, terms, order, transaction, path } = context;
  const { user, originCurrency } = terms.request;
  const read = readCall(DEPOSIT_ABI, transaction.data);
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
    return { effect: ["calls the depository"], isBound: false, isPayment: true };
  const [depositor] = read.args as [Address];
  const id = read.args.at(-1) as Hex;
  const isOwn = isSameAddress(depositor, user) || isSameAddress(depositor, EVM_NATIVE_CURRENCY);
  draft.check("DEPOSITOR", at, isOwn, user, depositor);
  draft.check("DEPOSIT_ID", at, isSameHex(id, order?.orderId), order?.orderId, id);
  const [, token, amount] = isToken
    ? (read.args as [Address, Address, bigint])
    : ([user, EVM_NATIVE_CURRENCY, transaction.value] as const);
  // The order refunds the deposit, so both must be in the same currency.
  const isWanted = isSameAddress(token, originCurrency) && isSameAddress(token, order?.currency ?? "");
  draft.check("DEPOSIT_CURRENCY", at, isWanted, [originCurrency, order?.currency], token);
  draft.check("DEPOSIT_AMOUNT", at, amount === order?.amount, order?.amount, amount);
  draft.check("INPUT_AMOUNT", at, amount === terms.inputAmount, terms.inputAmount, amount);
  checkValue(context, terms.inputAmount);
  const paid = { amount: String(amount), currency: token };
  return { effect: ["deposits ", paid, ` for order ${id}`], isBound: true, isPayment: true };
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
  const approved = { amount: String(amount), currency: transaction.to };
  return { effect: ["approves ", approved, " for ", { account: spender }], isBound: true, isPayment: false };
}

/** Verifies a plain payment to the service's address. Only the service knows its effect. */
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
  return { effect: transferOf(amount, request.originCurrency, to), isBound: false, isPayment: true };
}

/** Verifies a deposit as a plain transfer with the orderId, or a swap that deposits. */
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
  const isWanted = isSameAddress(request.originCurrency, order?.currency ?? "");
  draft.check("DEPOSIT_CURRENCY", path, isWanted, order?.currency, request.originCurrency);
  checkValue(context, inputAmount);
  return { effect: transferOf(amount, request.originCurrency, to), isBound: true, isPayment: true };
}
