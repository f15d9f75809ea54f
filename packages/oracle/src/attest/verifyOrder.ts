import { type Hex, isHex, recoverMessageAddress } from "viem";

import { hashOrder, type Order } from "@crosscall/protocol/order";
import { AmbiguousPaymentError, AttestationRefusedError, requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import type { Deposit } from "../vms/vmChain.ts";
import { toDepositMessage } from "./deposits.ts";
import { readInTens } from "../readInTens.ts";

export interface InputInformation {
  readonly transactionId: string;
  readonly onchainId: string;
  readonly inputIndex: number;
}

export interface PaidOrder {
  readonly orderId: Hex;
  readonly inputs: readonly PaidInput[];
  /** Deviation of the payments from the order, in parts of 10^18. */
  readonly paymentDiff: bigint;
}

export interface PaidInput {
  readonly chainId: string;
  readonly deposit: Deposit;
}

type OrderInput = Order["inputs"][number];

export const DIFF_ONE = 10n ** 18n;

/** A chain that is not configured has its own error. */
export function orderIdOf(context: OracleContext, order: Order): Hex {
  return hashOrder(withDecimalAmounts(order), context.chains.encode);
}

/** Solvers sign the number, however the order writes it. */
function withDecimalAmounts(order: Order): Order {
  const { inputs, output, fees } = order;
  return {
    ...order,
    inputs: inputs.map(({ payment, refunds }) => ({
      payment: { ...payment, amount: toDecimal(payment.amount), weight: toDecimal(payment.weight) },
      refunds: refunds.map((refund) => ({ ...refund, minimumAmount: toDecimal(refund.minimumAmount) })),
    })),
    output: {
      ...output,
      payments: output.payments.map((payment) => ({
        ...payment,
        minimumAmount: toDecimal(payment.minimumAmount),
        expectedAmount: toDecimal(payment.expectedAmount),
      })),
    },
    fees: fees.map((fee) => ({ ...fee, amount: toDecimal(fee.amount) })),
  };
}

/** Anything else is unchanged, for the hash to reject. */
function toDecimal(amount: string): string {
  return /^(?:0x[0-9a-f]{1,64}|\d{1,78})$/iu.test(amount) ? BigInt(amount).toString() : amount;
}

/**
 * Requires the solver's signature, and a payment of each input on its chain.
 *
 * @throws {@link AttestationRefusedError} naming what does not hold
 */
export async function verifyOrder(
  context: OracleContext,
  order: Order,
  orderSignature: string,
  information: readonly InputInformation[],
): Promise<PaidOrder> {
  const uniqueIds = new Set(information.map(({ onchainId }) => onchainId.toLowerCase()));
  requireAttested(uniqueIds.size === information.length, "Input information contains non-unique onchain ids");
  const orderId = orderIdOf(context, order);
  requireAttested(await isSignedBySolver(order, orderId, orderSignature), "Invalid order signature");
  const inputs = await readInputs(context, order, orderId, information);
  let [paid, requested] = [0n, 0n];
  for (const [index, { payment }] of order.inputs.entries()) {
    paid += (inputs[index]?.deposit.amount ?? 0n) * BigInt(payment.weight);
    requested += BigInt(payment.amount) * BigInt(payment.weight);
  }
  requireAttested(requested > 0n, "Order inputs request no payment");
  return { orderId, inputs, paymentDiff: ((paid - requested) * DIFF_ONE) / requested };
}

/** A malformed signature counts as none. */
export async function isSignedBySolver({ solver }: Order, orderId: Hex, signature: string): Promise<boolean> {
  if (!isHex(signature)) return false;
  try {
    const signer = await recoverMessageAddress({ message: { raw: orderId }, signature });
    return signer.toLowerCase() === solver.toLowerCase();
  } catch {
    return false;
  }
}

async function readInputs(
  { chains }: OracleContext,
  order: Order,
  orderId: Hex,
  information: readonly InputInformation[],
): Promise<readonly PaidInput[]> {
  const read = async ({ payment: { chainId } }: OrderInput, index: number): Promise<PaidInput> => {
    const input = information.find(({ inputIndex }) => inputIndex === index);
    requireAttested(input !== undefined, `Missing input information for order input payment ${index}`);
    const { transactionId, onchainId } = input;
    const { deposits } = await chains.vm(chainId).readDeposits({ transactionId, mode: "slow", hints: undefined });
    const deposit = deposits.find((other) => other.depositId === orderId && other.onchainId === onchainId);
    if (deposit === undefined) {
      const seen = deposits.map((other) => toDepositMessage(chainId, transactionId, other));
      throw new AttestationRefusedError(
        `Invalid input information for order input payment ${index} (orderId=${orderId} onchainId=${onchainId} ` +
          `depositoryDeposits=${JSON.stringify(seen)})`,
      );
    }
    return { chainId, deposit };
  };
  const inputs = await readInTens(order.inputs, read);
  for (const [index, { deposit }] of inputs.entries()) {
    const first = inputs.findIndex((other) => other.deposit.place === deposit.place);
    if (first === index) continue;
    throw new AmbiguousPaymentError(`deposit ${deposit.onchainId}`, [`of input ${first}`, `of input ${index}`]);
  }
  return inputs;
}
