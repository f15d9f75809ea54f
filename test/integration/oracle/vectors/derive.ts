import { base58, bech32, bech32m, createBase58check } from "@scure/base";
import { AbiCoder, hexlify, solidityPackedKeccak256, toBeHex, TypedDataEncoder } from "ethers";
import { createHash } from "node:crypto";

import type { Order } from "../../../../packages/protocol/src/order/order.ts";
import { idOf } from "../support/vectors.ts";

// Implements the published derivations with ethers and node:crypto. Shares no code with the oracle.

/** VM family of each chain, by name. */
export type VmTypes = ReadonlyMap<string, string>;

const base58check = createBase58check((bytes: Uint8Array) => createHash("sha256").update(bytes).digest());

function encodeBitcoin(address: string): string {
  if (!address.startsWith("bc1")) return hexlify(Uint8Array.of(0xff, ...base58check.decode(address)));
  const codec = address.startsWith("bc1p") ? bech32m : bech32;
  const [version = 0, ...words] = codec.decode(address as `${string}1${string}`).words;
  return hexlify(Uint8Array.of(version, ...codec.fromWords(words)));
}

/** Returns the bytes that represent an address in messages. */
function encodeAddress(vms: VmTypes, chainId: string, address: string): string {
  switch (vms.get(chainId)) {
    case "solana-vm":
      return hexlify(base58.decode(address));
    case "tron-vm":
      return hexlify(base58check.decode(address));
    case "bitcoin-vm":
      return encodeBitcoin(address);
    case "lighter-vm":
      return toBeHex(BigInt(address), 16);
    default:
      return address.toLowerCase();
  }
}

export function tokenIdOf(vms: VmTypes, chainId: string, currency: string): bigint {
  return BigInt(solidityPackedKeccak256(["string", "bytes"], [chainId, encodeAddress(vms, chainId, currency)]));
}

export function aliasOf(vms: VmTypes, chainId: string, address: string): string {
  const packed = solidityPackedKeccak256(["string", "bytes"], [chainId, encodeAddress(vms, chainId, address)]);
  return `0x${packed.slice(26)}`;
}

/** Contents of a deposit message. */
export interface DepositMessage {
  readonly data: { readonly chainId: string; readonly transactionId: string };
  readonly result: {
    readonly onchainId: string;
    readonly depositor: string;
    readonly currency: string;
    readonly amount: string;
    readonly depositId: string;
  };
  readonly extraData: { readonly timestamp: string };
}

/** Returns the hub's account for a deposit. */
export function creditedOf(vms: VmTypes, { data: { chainId }, result, extraData }: DepositMessage): string {
  const { depositor, depositId } = result;
  if (BigInt(depositId) === 0n) return aliasOf(vms, chainId, depositor);
  const parts = [chainId, encodeAddress(vms, chainId, depositor), extraData.timestamp, depositId];
  return `0x${solidityPackedKeccak256(["string", "bytes", "uint256", "bytes32"], parts).slice(26)}`;
}

const fields = (text: string) =>
  text.split(",").map((field) => {
    const [type = "", name = ""] = field.split(" ");
    return { type, name };
  });

const ORDER_FIELDS = {
  Order: fields(
    "string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees",
  ),
  Fee: fields("string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount"),
  Input: fields("InputPayment payment,InputRefund[] refunds"),
  InputPayment: fields("string chainId,bytes currency,uint256 amount,uint256 weight"),
  InputRefund: fields(
    "string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData",
  ),
  Output: fields("string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData"),
  OutputPayment: fields("bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount"),
};

/** Returns the EIP-712 hash of an order without a domain. */
export function orderIdOf(vms: VmTypes, order: Order): string {
  const encode = (chainId: string, address: string) => encodeAddress(vms, chainId, address);
  const { inputs, output, fees } = order;
  return TypedDataEncoder.hashStruct("Order", ORDER_FIELDS, {
    ...order,
    inputs: inputs.map(({ payment, refunds }) => ({
      payment: { ...payment, currency: encode(payment.chainId, payment.currency) },
      refunds: refunds.map((refund) => ({
        ...refund,
        currency: encode(refund.chainId, refund.currency),
        recipient: encode(refund.chainId, refund.recipient),
      })),
    })),
    output: {
      ...output,
      payments: output.payments.map((payment) => ({
        ...payment,
        currency: encode(output.chainId, payment.currency),
        recipient: encode(output.chainId, payment.recipient),
      })),
    },
    fees: fees.map((fee) => ({
      ...fee,
      currency: encode(fee.currencyChainId, fee.currency),
      recipient: encode(fee.recipientChainId, fee.recipient),
    })),
  });
}

const abi = AbiCoder.defaultAbiCoder();
const UINTS = ["uint256", "uint256"] as const;

export function mint(to: string, token: bigint, amount: string): string {
  return abi.encode(["uint8", "address", ...UINTS], [0, to, token, amount]);
}

export function move(from: string, to: string, token: bigint, amount: string): string {
  return abi.encode(["uint8", "address", "address", ...UINTS], [2, from, to, token, amount]);
}

/** Returns a mint for a deposit that is not final. A limiter contract on the hub restricts such mints. */
export function fastMint(to: string, token: bigint, amount: string, limiter: string): string {
  const types = ["uint8", "address", ...UINTS, "address", "bytes", "address", "bytes"];
  return abi.encode(types, [3, to, token, amount, `0x${"0".repeat(40)}`, "0x", limiter, "0x"]);
}

/** Key and actions of an execution. */
export interface Derived {
  readonly idempotencyKey: string;
  readonly actions: readonly string[];
}

export interface DerivedSettlement extends Derived {
  readonly orderId: string;
  /** Difference between the paid and the required amount, as a fraction of the required amount in units of 10^-18. */
  readonly diff: string;
}

/** Returns an order's settlement for the deposits that were made. */
export function settlementOf(
  vms: VmTypes,
  order: Order,
  inputs: readonly { readonly message: DepositMessage; readonly inputIndex: number }[],
  options: { readonly isFill: boolean; readonly isForced: boolean },
): DerivedSettlement {
  const orderId = orderIdOf(vms, order);
  const solver = aliasOf(vms, order.solverChainId, order.solver);
  const ids = inputs
    .map(({ message }) => message.result.onchainId)
    .toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  let [paid, asked] = [0n, 0n];
  for (const [index, { payment }] of order.inputs.entries()) {
    const found = inputs.find(({ inputIndex }) => inputIndex === index);
    paid += BigInt(found?.message.result.amount ?? 0) * BigInt(payment.weight);
    asked += BigInt(payment.amount) * BigInt(payment.weight);
  }
  const moves = inputs
    .toSorted((a, b) => a.inputIndex - b.inputIndex)
    .map(({ message }) => {
      const { currency, amount } = message.result;
      return move(creditedOf(vms, message), solver, tokenIdOf(vms, message.data.chainId, currency), amount);
    });
  const fees = order.fees.map((fee) => {
    const to = aliasOf(vms, fee.recipientChainId, fee.recipient);
    return move(solver, to, tokenIdOf(vms, fee.currencyChainId, fee.currency), fee.amount);
  });
  return {
    orderId,
    diff: options.isForced ? "0" : `${((paid - asked) * 10n ** 18n) / asked}`,
    idempotencyKey: idOf(idOf(...ids), orderId),
    actions: options.isFill ? [...moves, ...fees] : moves,
  };
}

/** EIP-712 types of the signature over an execution. */
export const SIGNED_FIELDS = {
  Execution: fields("bytes32 idempotencyKey,bytes[] actions"),
};
