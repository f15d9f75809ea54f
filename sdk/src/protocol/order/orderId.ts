import { type Hex, hashStruct } from "viem";

import { parseEvmAddress } from "../../chains/address.ts";
import { parseAmount } from "../../core/amounts.ts";
import type { Order } from "./order.ts";
import { encodeOrderAddress } from "./orderAddress.ts";

/** EIP-712 types of an order (spec 4, section 2). In `Output`, `deadline` comes before `calls`, unlike in JSON. */
export const ORDER_TYPES = {
  Order: [
    { name: "version", type: "string" },
    { name: "solverChainId", type: "string" },
    { name: "solver", type: "address" },
    { name: "salt", type: "uint256" },
    { name: "inputs", type: "Input[]" },
    { name: "output", type: "Output" },
    { name: "fees", type: "Fee[]" },
  ],
  Input: [
    { name: "payment", type: "InputPayment" },
    { name: "refunds", type: "InputRefund[]" },
  ],
  InputPayment: [
    { name: "chainId", type: "string" },
    { name: "currency", type: "bytes" },
    { name: "amount", type: "uint256" },
    { name: "weight", type: "uint256" },
  ],
  InputRefund: [
    { name: "chainId", type: "string" },
    { name: "recipient", type: "bytes" },
    { name: "currency", type: "bytes" },
    { name: "minimumAmount", type: "uint256" },
    { name: "deadline", type: "uint32" },
    { name: "extraData", type: "bytes" },
  ],
  Output: [
    { name: "chainId", type: "string" },
    { name: "payments", type: "OutputPayment[]" },
    { name: "deadline", type: "uint32" },
    { name: "calls", type: "bytes[]" },
    { name: "extraData", type: "bytes" },
  ],
  OutputPayment: [
    { name: "recipient", type: "bytes" },
    { name: "currency", type: "bytes" },
    { name: "minimumAmount", type: "uint256" },
    { name: "expectedAmount", type: "uint256" },
  ],
  Fee: [
    { name: "recipientChainId", type: "string" },
    { name: "recipient", type: "bytes" },
    { name: "currencyChainId", type: "string" },
    { name: "currency", type: "bytes" },
    { name: "amount", type: "uint256" },
  ],
} as const;

/**
 * How the address of an order becomes bytes.
 *
 * @param chainId the chain's name in orders
 * @param field the path of the address, for the error
 * @throws {@link InvalidInputError} when it cannot be encoded
 */
export type EncodeOrderAddress = (chainId: string, address: string, field: string) => Hex;

/**
 * Returns the `orderId`: the EIP-712 `hashStruct` of an order, without a domain (spec 4, section 2).
 *
 * @param encode where the families of chains are configured, their codecs; by default, the documented chain names
 * select the codec, and the address format selects it for other chains
 * @throws {@link InvalidInputError} naming the field that cannot be encoded
 */
export function hashOrder(order: Order, encode: EncodeOrderAddress = encodeOrderAddress): Hex {
  return hashStruct({ types: ORDER_TYPES, primaryType: "Order", data: toTypedData(order, encode) });
}

function toTypedData(order: Order, encode: EncodeOrderAddress) {
  return {
    version: order.version,
    solverChainId: order.solverChainId,
    solver: parseEvmAddress(order.solver, "solver"),
    salt: BigInt(order.salt),
    inputs: order.inputs.map((input, index) => toInput(input, `inputs[${index}]`, encode)),
    output: toOutput(order.output, encode),
    fees: order.fees.map((fee, index) => ({
      ...fee,
      recipient: encode(fee.recipientChainId, fee.recipient, `fees[${index}].recipient`),
      currency: encode(fee.currencyChainId, fee.currency, `fees[${index}].currency`),
      amount: parseAmount(fee.amount, `fees[${index}].amount`),
    })),
  };
}

function toInput({ payment, refunds }: Order["inputs"][number], at: string, encode: EncodeOrderAddress) {
  return {
    payment: {
      chainId: payment.chainId,
      currency: encode(payment.chainId, payment.currency, `${at}.payment.currency`),
      amount: parseAmount(payment.amount, `${at}.payment.amount`),
      weight: parseAmount(payment.weight, `${at}.payment.weight`),
    },
    refunds: refunds.map((refund, index) => ({
      chainId: refund.chainId,
      recipient: encode(refund.chainId, refund.recipient, `${at}.refunds[${index}].recipient`),
      currency: encode(refund.chainId, refund.currency, `${at}.refunds[${index}].currency`),
      minimumAmount: parseAmount(refund.minimumAmount, `${at}.refunds[${index}].minimumAmount`),
      deadline: refund.deadline,
      extraData: refund.extraData as Hex,
    })),
  };
}

function toOutput(output: Order["output"], encode: EncodeOrderAddress) {
  return {
    chainId: output.chainId,
    payments: output.payments.map((payment, index) => ({
      recipient: encode(output.chainId, payment.recipient, `output.payments[${index}].recipient`),
      currency: encode(output.chainId, payment.currency, `output.payments[${index}].currency`),
      minimumAmount: parseAmount(payment.minimumAmount, `output.payments[${index}].minimumAmount`),
      expectedAmount: parseAmount(payment.expectedAmount, `output.payments[${index}].expectedAmount`),
    })),
    deadline: output.deadline,
    calls: output.calls as Hex[],
    extraData: output.extraData as Hex,
  };
}
