import { type Address, type Hex, hashTypedData } from "viem";

import {
  EXECUTE_AND_WITHDRAW_TYPES,
  type ExecuteAndWithdrawAttestation,
  type ExecuteAndWithdrawBody,
  executorDomain,
  type SignedExecuteAndWithdrawRequest,
} from "@crosscall/protocol/attestation";
import type { Order } from "@crosscall/protocol/order";
import { AttestationRefusedError, requireAttested } from "../attestationRefusedError.ts";
import { hubContract } from "../hub.ts";
import type { OracleContext } from "../oracleContext.ts";
import type { Deposit } from "../vms/vmChain.ts";
import { creditedAccount, signDeposits } from "./deposits.ts";
import { depositoryOf } from "./withdrawal.ts";
import { signDigest } from "./signedExecution.ts";
import { isSignedBySolver, orderIdOf } from "./order.ts";

/** Attests a deposit, and that its order may be filled from the output chain's depository. */
export function attestWithdrawAndFill(
  context: OracleContext,
  body: ExecuteAndWithdrawBody,
): Promise<ExecuteAndWithdrawAttestation> {
  return attest(context, body, ({ output, fees, payment }) => {
    // The withdrawal is a plain payment, so it would settle an order with calls without making the calls.
    requireAttested(output.calls.length === 0, "Only orders without calls are allowed");
    return {
      chainId: output.chainId,
      currency: payment.currency,
      recipient: payment.recipient,
      minimumAmount: payment.minimumAmount,
      deadline: output.deadline,
      fees: fees.filter((_, index) => index !== REFUND_FEE),
    };
  });
}

/** Attests a deposit, and that its order may be refunded from the depository that holds the deposit. */
export function attestWithdrawAndRefund(
  context: OracleContext,
  body: ExecuteAndWithdrawBody,
): Promise<ExecuteAndWithdrawAttestation> {
  return attest(context, body, ({ refund, fees }) => {
    const { chainId, currency, recipient, minimumAmount, deadline } = refund;
    // In other fields, the native currency's address means the depositor, because no key owns that address.
    const isNobody = recipient.toLowerCase() === context.chains.get(chainId).codec.nativeCurrency.toLowerCase();
    requireAttested(!isNobody, "Non-matching refund option");
    const own = fees.filter((_, index) => index === REFUND_FEE);
    return { chainId, currency, recipient, minimumAmount, deadline, fees: own };
  });
}

/** Hashes the withdraw request of a response for the oracle's signature. */
export function hashExecuteAndWithdraw({ hub }: OracleContext, request: SignedExecuteAndWithdrawRequest): Hex {
  const { inChainId, inCurrency, outChainId, outCurrency, outAmountMinimum, fees, deadline, ...rest } = request;
  const { depository, receiver, data, nonce } = rest;
  return hashTypedData({
    domain: executorDomain(hub.evmChainId, hubContract(hub, "executorAddress")),
    types: EXECUTE_AND_WITHDRAW_TYPES,
    primaryType: "ExecuteAndWithdrawRequest",
    message: {
      inChainId,
      inCurrency: inCurrency as Hex,
      outChainId,
      outCurrency: outCurrency as Hex,
      outAmountMinimum: BigInt(outAmountMinimum),
      deadline: BigInt(deadline),
      depository: depository as Hex,
      receiver: receiver as Hex,
      data: data as Hex,
      nonce: nonce as Hex,
      orderAddress: rest.orderAddress as Address,
      fees: fees.map(({ recipient, amount }) => ({ recipient: recipient as Address, amount: BigInt(amount) })),
    },
  });
}

/** Index of the order's refund fee. All other fees are for the fill. */
const REFUND_FEE = 1;

/** An order with one input, one refund and one payment. */
interface SimpleOrder {
  readonly output: Order["output"];
  readonly payment: Order["output"]["payments"][number];
  readonly refund: Order["inputs"][number]["refunds"][number];
  readonly fees: Order["fees"];
}

interface Withdrawn {
  readonly chainId: string;
  readonly currency: string;
  readonly recipient: string;
  readonly minimumAmount: string;
  /** Unix seconds. */
  readonly deadline: number;
  readonly fees: Order["fees"];
}

async function attest(
  context: OracleContext,
  body: ExecuteAndWithdrawBody,
  choose: (order: SimpleOrder) => Withdrawn,
): Promise<ExecuteAndWithdrawAttestation> {
  const { chainId: inChainId, transactionId, onchainId, order, orderSignature, nonce, hints } = body;
  const { chains, hub } = context;
  const answer = await chains.vm(inChainId).readDeposits({ transactionId, mode: "slow", hints });
  requireAttested(answer.deposits.length > 0, "No depository-deposit messages attested");
  const deposit = answer.deposits.find((other) => other.onchainId === onchainId);
  if (deposit === undefined) throw new AttestationRefusedError("Could not find corresponding deposit");
  const orderId = orderIdOf(context, order);
  requireAttested(deposit.depositId === orderId, "Deposit does not reference order id");
  requireAttested(await isSignedBySolver(order, orderId, orderSignature), "Invalid order signature");
  const { chainId, currency, recipient, minimumAmount, deadline, fees } = choose(readSimple(order, inChainId, deposit));
  const { codec } = chains.get(chainId);
  const request = {
    inChainId,
    inCurrency: chains.encode(inChainId, deposit.currency, "currency"),
    outChainId: chainId,
    outCurrency: codec.encodeAddress(currency, "currency"),
    outAmountMinimum: minimumAmount,
    depository: codec.encodeAddress(depositoryOf(chains.get(chainId)), "depository"),
    orderAddress: creditedAccount(context, inChainId, deposit),
    receiver: codec.encodeAddress(recipient, "recipient"),
    data: "0x",
    fees: fees.map((fee) => ({ recipient: chains.alias(fee.recipientChainId, fee.recipient), amount: fee.amount })),
    nonce,
    deadline: deadline.toString(),
    signatures: [],
  };
  const contract = {
    executorChainId: hub.evmChainId.toString(),
    executorContract: hubContract(hub, "executorAddress"),
  };
  const signature = await signDigest(context, hashExecuteAndWithdraw(context, request));
  return {
    executeAndWithdrawRequest: { ...request, signatures: [{ ...contract, ...signature }] },
    execution: await signDeposits(context, body, answer),
  };
}

function readSimple(order: Order, chainId: string, deposit: Deposit): SimpleOrder {
  const { inputs, output, fees } = order;
  const [input, ...otherInputs] = inputs;
  if (input === undefined || otherInputs.length > 0) {
    throw new AttestationRefusedError("Only single-input orders are allowed");
  }
  const paid = input.payment;
  requireAttested(BigInt(paid.weight) === 1n, "Wrong weight for order input");
  requireAttested(paid.chainId === chainId, "Deposit chain id does not match order input chain id");
  requireAttested(paid.currency === deposit.currency, "Deposit currency does not match order input currency");
  const [refund, ...otherRefunds] = input.refunds;
  if (refund === undefined || otherRefunds.length > 0) {
    throw new AttestationRefusedError("Only single-refund options are allowed");
  }
  const isInKind = refund.chainId === paid.chainId && refund.currency === paid.currency;
  requireAttested(isInKind, "Non-matching refund option");
  const [payment, ...otherPayments] = output.payments;
  if (payment === undefined || otherPayments.length > 0) {
    throw new AttestationRefusedError("Only single-output payment orders are allowed");
  }
  const isOfInput = fees.every((fee) => fee.currencyChainId === paid.chainId && fee.currency === paid.currency);
  requireAttested(isOfInput, "Fee currency must match the input currency");
  return { output, payment, refund, fees };
}
