import { type Action, hubTokenId } from "@crosscall/protocol/attestation";
import type { Order } from "@crosscall/protocol/order";
import type { OracleContext } from "../oracleContext.ts";
import { creditedAccount, depositedToken } from "./deposits.ts";
import type { PaidInput } from "./verifyOrder.ts";

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
