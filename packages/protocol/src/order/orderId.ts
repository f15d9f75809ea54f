import { hashStruct, type Hex } from "viem";

import { encodeAddress, parseEvmAddress } from "../chains/address.ts";
import { parseAmount } from "../encoding/amounts.ts";
import { InvalidInputError } from "../core/errors.ts";
import { encodeVmAddress } from "../vms/encodeVmAddress.ts";
import type { VmType } from "../vms/vmCodec.ts";
import type { Order } from "./order.ts";

/** VM types by chain name; other chains are EVM. */
const VM_TYPE_BY_NAME: ReadonlyMap<string, VmType> = new Map([
  ["bitcoin", "bitcoin-vm"],
  ["eclipse", "solana-vm"],
  ["hyperliquid", "hyperliquid-vm"],
  ["lighter", "lighter-vm"],
  ["solana", "solana-vm"],
  ["soon", "solana-vm"],
  ["ton", "ton-vm"],
  ["tron", "tron-vm"],
  ["xrp", "xrp-vm"],
]);

/**
 * VM types to detect by address format, in this order. A Tron address could also pass as a Bitcoin address, because
 * Bitcoin addresses can have any version byte.
 */
const TOLD_BY_FORM: readonly VmType[] = ["tron-vm", "xrp-vm", "ton-vm", "lighter-vm", "bitcoin-vm"];

/**
 * Selects the codec by the chain's name, or by the address format if the name is unknown.
 *
 * @param chainId name in orders, such as `base`
 * @param field path of the address, for the error
 */
function encodeOrderAddress(chainId: string, address: string, field: string): Hex {
  const vmType = VM_TYPE_BY_NAME.get(chainId);
  if (vmType !== undefined) return encodeVmAddress(vmType, address, field);
  try {
    return encodeAddress(address, field);
  } catch (error) {
    for (const candidate of TOLD_BY_FORM) {
      const encoded = tryEncode(candidate, address, field);
      if (encoded !== undefined) return encoded;
    }
    throw error;
  }
}

function tryEncode(vmType: VmType, address: string, field: string): Hex | undefined {
  try {
    return encodeVmAddress(vmType, address, field);
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

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
 * Function that encodes an address in an order.
 * @param chainId the chain's name in orders
 * @param field the path of the address, for the error
 * @throws {@link InvalidInputError} when the address cannot be encoded
 */
export type EncodeOrderAddress = (chainId: string, address: string, field: string) => Hex;

/**
 * Returns the `orderId`: the EIP-712 `hashStruct` of an order, without a domain (spec 4, section 2).
 *
 * @param encode codecs, where chain families are configured; by default, the codec depends on the documented chain
 * name, or on the address format for other chains
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
