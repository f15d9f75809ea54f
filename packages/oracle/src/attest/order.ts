import { type Hex, isHex, recoverMessageAddress } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import { type Action, hubTokenId, noFillEntryId } from "@crosscall/protocol/attestation";
import { hashOrder, type Order } from "@crosscall/protocol/order";
import { AmbiguousPaymentError, AttestationRefusedError, requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { readInTens } from "../readInTens.ts";
import type { Deposit } from "../vms/vmChain.ts";
import { creditedAccount, depositedToken, toDepositMessage } from "./deposits.ts";

interface InputInformation {
  readonly transactionId: string;
  readonly onchainId: string;
  readonly inputIndex: number;
}

export interface PaidOrder {
  readonly orderId: Hex;
  readonly inputs: readonly PaidInput[];
  /** Relative deviation of the payments from the order's amounts, in parts of 10^18. */
  readonly paymentDiff: bigint;
}

interface PaidInput {
  readonly chainId: string;
  readonly deposit: Deposit;
}

type OrderInput = Order["inputs"][number];

export const DIFF_ONE = 10n ** 18n;

/** Hashes an order. Throws a separate error for a chain that is not configured. */
export function orderIdOf(context: OracleContext, order: Order): Hex {
  return hashOrder(withDecimalAmounts(order), context.chains.encode);
}

/** Solvers sign the number, regardless of its format in the order. */
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

/** Keeps invalid amounts, so that the hash rejects them. */
function toDecimal(amount: string): string {
  return /^(?:0x[0-9a-f]{1,64}|\d{1,78})$/iu.test(amount) ? BigInt(amount).toString() : amount;
}

/**
 * Requires the solver's signature, and a payment of each input on its chain.
 *
 * @throws {@link AttestationRefusedError} that names the failed condition
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

/** Treats a malformed signature as missing. */
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

/**
 * Reads only the order's deposits, which must be final, and treats the order as paid. Only for callers with a key.
 *
 * @throws {@link AttestationRefusedError} without a valid key, or if a deposit is missing or not final
 * @throws {@link InvalidStateError} if no deposit is for the order
 */
export async function readForcedInputs(
  context: OracleContext,
  order: Order,
  information: readonly (InputInformation & { readonly chainId?: string })[],
  hasKey: boolean,
): Promise<PaidOrder> {
  requireAttested(hasKey, "Unauthorized to use the `force` option");
  const orderId = orderIdOf(context, order);
  const inputs = new Map<string, PaidInput>();
  for (const { transactionId, inputIndex, chainId = order.inputs[inputIndex]?.payment.chainId } of information) {
    if (chainId === undefined) continue;
    const { deposits } = await context.chains
      .vm(chainId)
      .readDeposits({ transactionId, mode: "slow", hints: undefined });
    for (const deposit of deposits) {
      if (deposit.depositId === orderId) inputs.set(deposit.place, { chainId, deposit });
    }
  }
  if (inputs.size > 0) return { orderId, inputs: [...inputs.values()], paymentDiff: 0n };
  throw new InvalidStateError({
    message: `none of the deposits is for order ${orderId}`,
    hint: "Pass the deposits of this order.",
  });
}

/**
 * Requires that the deposit belongs to the order, and that the solver stated on the hub that it did not fill or refund
 * it.
 *
 * @throws {@link AttestationRefusedError} that names the failed condition
 */
export async function requireUnsettledOrder(
  context: OracleContext,
  deposit: Deposit,
  order: Order,
  orderSignature: string,
): Promise<void> {
  const orderId: Hex = orderIdOf(context, order);
  requireAttested(deposit.depositId === orderId, "Deposit depositId does not match the computed orderId");
  requireAttested(await isSignedBySolver(order, orderId, orderSignature), "Invalid order signature");
  const solver = context.chains.alias(order.solverChainId, order.solver);
  const entry = await context.hubReader.mappingEntry(solver, noFillEntryId(orderId));
  requireAttested(entry !== undefined, "No fill or refund entry not found for this order");
}

export function payDeposits(context: OracleContext, order: Order, inputs: readonly PaidInput[]): readonly Action[] {
  const solver = context.chains.alias(order.solverChainId, order.solver);
  return inputs.map(({ chainId, deposit }) => ({
    type: "transfer",
    from: creditedAccount(context, chainId, deposit),
    to: solver,
    tokenId: depositedToken(context, chainId, deposit),
    amount: deposit.amount,
  }));
}

export function payFees({ chains }: OracleContext, order: Order): readonly Action[] {
  const solver = chains.alias(order.solverChainId, order.solver);
  return order.fees.map(({ recipientChainId, recipient, currencyChainId, currency, amount }) => ({
    type: "transfer",
    from: solver,
    to: chains.alias(recipientChainId, recipient),
    tokenId: hubTokenId(currencyChainId, chains.encode(currencyChainId, currency, "fees.currency")),
    amount: BigInt(amount),
  }));
}
