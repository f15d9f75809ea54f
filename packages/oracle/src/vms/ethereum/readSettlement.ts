import type { Address, Hex } from "viem";

import { MalformedDataError } from "@crosscall/protocol/core";
import { decodeFillContract } from "@crosscall/protocol/order";
import { AttestationRefusedError, requireAttested } from "../../attestationRefusedError.ts";
import { withoutCalls } from "../limits.ts";
import { requireNoDeposit } from "../requireNoDeposit.ts";
import type { Settlement, SettlementRequest } from "../vmChain.ts";
import type { EvmChain } from "./evmChain.ts";
import { madeCalls, nativePayment, referenceOf, tokenPayment } from "./findPayments.ts";

/** Payments and calls of a final transaction that names the order (spec 5, section 4). */
export async function readSettlement(
  { dialect, transactions, depository }: EvmChain,
  { transactionId, orderId, deadline, extraData }: SettlementRequest,
): Promise<Settlement> {
  const hash = dialect.toHash(transactionId);
  const [{ block, receipt }, transaction] = await Promise.all([
    transactions.read(transactionId, hash),
    transactions.readSent(transactionId, hash),
  ]);
  requireAttested(block.timestamp <= deadline, `Transaction ${transactionId} executed after deadline`);
  const reference = referenceOf(transaction);
  requireAttested(reference.endsWith(orderId.slice(2)), `Transaction ${transactionId} does not reference order id`);
  const { logs } = receipt;
  // Only payments through a contract need it.
  const fillContract = (): Address =>
    ofOrder("extraData", () => decodeFillContract(extraData).toLowerCase() as Address);

  const paidNative = (recipient: Address): bigint => {
    const isDirect = transaction.to === recipient && (!dialect.directStartsWithId || reference.startsWith(orderId));
    return isDirect ? transaction.value : nativePayment(logs, fillContract(), recipient);
  };
  const place = `${block.hash}:${hash}`;
  return {
    place,
    paidTo({ recipient, currency }) {
      const to = dialect.toEvm(recipient, "recipient");
      const token = dialect.toEvm(currency, "currency");
      requireNoDeposit(transactionId, recipient, to === depository);
      const isNative = token === dialect.toEvm(dialect.nativeCurrency, "currency");
      return {
        place: `${place}:${token}:${to}`,
        amount: isNative ? paidNative(to) : tokenPayment(logs, token, to),
      };
    },
    hasMadeCalls(calls: readonly Hex[]) {
      if (!dialect.readsCalls) return withoutCalls(dialect.vmType).hasMadeCalls(calls);
      const contract = fillContract();
      return ofOrder("calls", () => madeCalls(logs, contract, calls));
    },
  };
}

/** @throws {@link AttestationRefusedError} if the field of the order is malformed, which is the caller's fault */
function ofOrder<Value>(field: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedDataError) throw new AttestationRefusedError(`Malformed ${field} of the order`);
    throw error;
  }
}
