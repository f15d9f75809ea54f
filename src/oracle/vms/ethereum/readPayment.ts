import type { Address, Hex } from "viem";

import { MalformedDataError } from "@crosscall/sdk/internal/core/errors";
import { decodeFillContract } from "@crosscall/sdk/internal/protocol/order/orderCalls";
import { AttestationRefusedError, requireAttested } from "../../attestationRefusedError.ts";
import type { CallsRequest, PaymentsRequest, SettlementRequest } from "../vmChain.ts";
import type { EvmChain } from "./evmChain.ts";
import type { EvmLog, EvmTransaction } from "./evmReader.ts";
import { madeCalls, nativePayment, referenceOf, tokenPayment } from "./findPayments.ts";

/** Total payment to a recipient by a final transaction (spec 5, section 4). */
export async function readPayment(chain: EvmChain, request: PaymentsRequest): Promise<bigint> {
  const { orderId, extraData, recipient, currency } = request;
  const { dialect } = chain;
  const { transaction, logs } = await readSettlement(chain, request);
  const to = dialect.toEvm(recipient, "recipient");
  const token = dialect.toEvm(currency, "currency");
  if (token !== dialect.toEvm(dialect.nativeCurrency, "currency")) return tokenPayment(logs, token, to);
  // Only payments through a contract need it.
  const fillContract = (): Address => fillContractOf(extraData);
  return nativePayment({ transaction, logs }, { orderId, recipient: to, fillContract });
}

/** Whether a final transaction of the order made its calls. */
export async function hasMadeCalls(chain: EvmChain, request: CallsRequest): Promise<boolean> {
  const { logs } = await readSettlement(chain, request);
  const contract = fillContractOf(request.extraData);
  return ofOrder("calls", () => madeCalls(logs, contract, request.calls));
}

function fillContractOf(extraData: Hex): Address {
  return ofOrder("extraData", () => decodeFillContract(extraData).toLowerCase() as Address);
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

interface Settlement {
  readonly transaction: EvmTransaction;
  readonly logs: readonly EvmLog[];
}

/** @throws {@link AttestationRefusedError} if it is missing, reverted, not final, late or of another order */
async function readSettlement(
  { dialect, transactions }: EvmChain,
  { transactionId, orderId, deadline }: SettlementRequest,
): Promise<Settlement> {
  const hash = dialect.toHash(transactionId);
  const [included, transaction] = await Promise.all([
    transactions.read(transactionId, hash),
    transactions.readSent(transactionId, hash),
  ]);
  requireAttested(included.block.timestamp <= deadline, `Transaction ${transactionId} executed after deadline`);
  requireAttested(
    referenceOf(transaction).endsWith(orderId.slice(2)),
    `Transaction ${transactionId} does not reference order id`,
  );
  return { transaction, logs: included.receipt.logs };
}
