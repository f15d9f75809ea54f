import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, zeroAddress } from "viem";

import type { DepositsAttestation } from "../../../packages/protocol/src/attestation/messages/deposits.ts";
import { hashOrder, type Order } from "../../../packages/protocol/src/index.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { ask, CHAIN, type OracleNetwork } from "./oracleNetwork.ts";
import { encodeFillContract } from "../../../packages/protocol/src/order/index.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const { user, stranger, solver } = localAccounts;
const DEADLINE = 4_000_000_000;

/** Returns a mutable order with one input, one refund and one payment, all in one currency. */
export function simpleOrder(network: OracleNetwork, salt: bigint, currency: Address = zeroAddress): Order {
  const recipient = stranger.address.toLowerCase();
  const extraData = encodeFillContract(network.contracts.router);
  const fee = { recipientChainId: CHAIN, recipient, currencyChainId: CHAIN, currency };
  return {
    ...{
      version: "v1",
      solverChainId: CHAIN,
      solver: solver.address,
      salt: `0x${salt.toString(16).padStart(64, "0")}`,
    },
    inputs: [
      {
        payment: { chainId: CHAIN, currency, amount: "1000", weight: "1" },
        refunds: [{ chainId: CHAIN, currency, recipient, minimumAmount: "990", deadline: DEADLINE - 1, extraData }],
      },
    ],
    output: {
      chainId: CHAIN,
      payments: [{ recipient, currency, minimumAmount: "900", expectedAmount: "910" }],
      calls: [],
      deadline: DEADLINE,
      extraData,
    },
    fees: [
      { ...fee, amount: "17" },
      { ...fee, amount: "3" },
      { ...fee, amount: "5" },
    ],
  };
}

/** Order with a deposit from the user, as the oracle reports the deposit. */
export interface DepositedOrder {
  readonly order: Order;
  readonly orderId: Hex;
  readonly orderSignature: Hex;
  readonly transactionId: Hex;
  readonly onchainId: Hex;
  /** Timestamp of the deposit's block, in Unix seconds. */
  readonly timestamp: number;
}

/** Makes a deposit for an order, by default in the order's currency, and signs the order as its solver. */
export async function depositFor(
  network: OracleNetwork,
  oracle: Pick<Oracle, "url">,
  order: Order,
  currency = order.inputs[0]!.payment.currency as Address,
): Promise<DepositedOrder> {
  const orderId = hashOrder(order);
  const amount = 1000n;
  const { depository } = network.contracts;
  const args = [user.address, orderId] as const;
  const isNative = currency === zeroAddress;
  if (!isNative) await giveDollars(network, amount);
  const transactionId = await network.send({
    to: depository,
    data: isNative
      ? encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args })
      : encodeFunctionData({
          abi: depositoryAbi,
          functionName: "depositErc20",
          args: [user.address, currency, amount, orderId],
        }),
    ...(isNative ? { value: amount } : {}),
  });
  const { body } = await ask<DepositsAttestation>(oracle, "/attestations/depository-deposits/v1", {
    chainId: CHAIN,
    transactionId,
  });
  const [message] = body.messages;
  return {
    order,
    orderId,
    orderSignature: await solver.signMessage({ message: { raw: orderId } }),
    transactionId,
    onchainId: message!.result.onchainId as Hex,
    timestamp: Number(message!.extraData.timestamp),
  };
}

async function giveDollars(network: OracleNetwork, amount: bigint): Promise<void> {
  const { dollar, depository } = network.contracts;
  await network.send({
    to: dollar,
    data: encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [user.address, amount] }),
  });
  await network.send({
    to: dollar,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [depository, maxUint256] }),
  });
}
