import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import { isEvmNative } from "@crosscall/protocol/chains";
import { CALL_REQUEST_TYPES } from "@crosscall/protocol/attestation";
import { localAccounts } from "../../devchain/accounts.ts";
import type { DevChain, EvmCall } from "../../devchain/devChain.ts";
import type { RequestRow } from "../../store/requests/requests.ts";
import { findTransaction, type TransactionRow } from "../../store/transactions.ts";
import { excessOf } from "../assessDeposit.ts";
import { canPay, estimatePayment, estimateTransaction } from "../estimateFill.ts";
import { transferTransaction } from "../fillTransaction.ts";
import { findRefundRecipient, weighRefund } from "../refund.ts";
import { type RequestSteps, requireChain } from "../settlement.ts";
import { signAndSend } from "../signedTransaction.ts";
import type { Refunder, SolverParts } from "../solverParts.ts";
import { sweepPayment } from "./sweepPayment.ts";

/** Returns the steps for a deposit address: the solver deposits the payments to the address. */
export function depositAddressSteps(parts: SolverParts, request: RequestRow): RequestSteps {
  const findDeposit = () => findTransaction(parts.store.db, request.id, "deposit");
  return {
    deposit: async () => (request.status === "depositing" ? sweepPayment(parts, request) : undefined),
    async afterFill() {
      const deposit = await findDeposit();
      if (deposit?.status !== "success" || excessOf(request, deposit) === 0n) return;
      await refundExcess(parts, requireChain(parts, deposit.chain_id), request, deposit);
    },
    async afterFailure() {
      const deposit = await findDeposit();
      const chain = deposit === undefined ? undefined : parts.chains.get(deposit.chain_id);
      if (deposit !== undefined && chain !== undefined) await recoverDeposit(parts, chain, request, deposit);
      return undefined;
    },
  };
}

/**
 * Returns the excess of a filled request once, unless the excess is worth less than the gas. `followTransactions`
 * settles the transaction.
 */
async function refundExcess(
  parts: Refunder,
  chain: DevChain,
  request: RequestRow,
  deposit: TransactionRow,
): Promise<void> {
  const { db } = parts.store;
  const amount = excessOf(request, deposit);
  const recipient = await findRefundRecipient(db, request);
  if (recipient === undefined) return;
  if ((await findTransaction(db, request.id, "excess")) !== undefined) return;
  const currency = deposit.currency as Address;
  const transfer = transferTransaction({
    orderId: request.order_id as Hex,
    recipient,
    currency,
    amount,
  });
  const payment = (await canPay(parts, chain, currency, amount))
    ? await estimatePayment(parts, chain, transfer)
    : undefined;
  const gas = payment?.estimate.works === true ? payment.estimate.gas : undefined;
  const isWorthIt = gas !== undefined && (await weighRefund(parts, chain, { currency, amount }, gas)) === undefined;
  if (payment === undefined || !isWorthIt) {
    parts.log.warn({ requestId: request.id, amount: amount.toString() }, "the excess of a payment is kept");
    return;
  }
  await signAndSend(parts, {
    requestId: request.id,
    purpose: "excess",
    chain,
    transaction: payment.transaction,
    gas,
    amount,
    currency,
  });
}

/**
 * Withdraws the deposit of a failed request from the depository to its recovery address once, unless the deposit is
 * worth less than the gas. On the live service, the deposit address sends the withdrawal. On a local network, the
 * solver sends it.
 */
async function recoverDeposit(
  parts: Refunder,
  chain: DevChain,
  request: RequestRow,
  deposit: TransactionRow,
): Promise<void> {
  const { db } = parts.store;
  const recoveryAddress = request.recovery_address ?? null;
  if (recoveryAddress === null || deposit.status !== "success") return;
  for (const purpose of ["refund", "recovery"] as const) {
    // If a reorg removes the block of a failed refund, the refund is sent again.
    if ((await findTransaction(db, request.id, purpose)) !== undefined) return;
  }
  const { currency } = deposit;
  const amount = BigInt(deposit.amount);
  const transaction = await withdrawal(chain, request, deposit, recoveryAddress as Address);
  const estimate = await estimateTransaction(parts, chain, transaction);
  if (!estimate.works || (await weighRefund(parts, chain, { currency, amount }, estimate.gas)) !== undefined) {
    parts.log.warn({ requestId: request.id, recoveryAddress }, "a deposit cannot be recovered, and is kept");
    return;
  }
  await signAndSend(parts, {
    requestId: request.id,
    purpose: "recovery",
    chain,
    transaction,
    gas: estimate.gas,
    amount,
    currency,
  });
}

/** Builds a withdrawal signed by the depository's allocator. The allocator's key is public on local chains. */
async function withdrawal(
  chain: DevChain,
  request: RequestRow,
  deposit: TransactionRow,
  to: Address,
): Promise<EvmCall> {
  const { depository } = chain.contracts;
  const currency = deposit.currency as Address;
  const amount = BigInt(deposit.amount);
  const call = isEvmNative(currency)
    ? { to, data: "0x" as const, value: amount }
    : {
        to: currency,
        data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] }),
        value: 0n,
      };
  const message = { calls: [{ ...call, allowFailure: false }], nonce: BigInt(request.id), expiration: maxUint256 };
  const signature = await localAccounts.allocator.signTypedData({
    domain: { name: "RelayDepository", version: "1", chainId: chain.id, verifyingContract: depository },
    types: CALL_REQUEST_TYPES,
    primaryType: "CallRequest",
    message,
  });
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: "execute", args: [message, signature] });
  return { to: depository, data, value: 0n };
}
