import type { Address, Hex } from "viem";

import type { Step, StepItem } from "@crosscall/protocol/complete";
import { approvalCalls } from "../approvalCalls.ts";
import type { EvmOriginQuote } from "./resolveQuote.ts";

export interface TransactionStepParameters extends Pick<Step, "id" | "description" | "items"> {
  readonly requestId: Hex;
  readonly depositAddress?: string;
}

export function transactionStep({
  id,
  description,
  requestId,
  items,
  depositAddress = "",
}: TransactionStepParameters): Step {
  const action = "Confirm transaction in your wallet";
  return { id, action, description, kind: "transaction", requestId, depositAddress, items };
}

/** Clients poll the request's status after this transaction. */
export function polledItem(requestId: string, data: NonNullable<StepItem["data"]>): StepItem {
  return {
    status: "incomplete",
    data,
    check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: "GET" },
  };
}

export interface ApprovalStepParameters {
  readonly quote: Pick<EvmOriginQuote, "origin" | "input" | "user">;
  readonly requestId: Hex;
  readonly spender: Address;
  /** Smallest unit. */
  readonly allowance: bigint;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly purpose: "deposit" | "swap" | "permit";
}

/** None if the allowance is sufficient. */
export function approvalSteps(parameters: ApprovalStepParameters): Step[] {
  const { quote, requestId, spender, allowance, amount, purpose } = parameters;
  if (allowance >= amount) return [];
  const { address, symbol } = quote.input.currency;
  const token = address as Address;
  const calls = approvalCalls(quote.origin.contracts, { token, spender, amount, mayHaveAllowance: allowance > 0n });
  return [
    transactionStep({
      id: "approve",
      description: `Approve ${symbol} for the ${purpose}`,
      requestId,
      // Without `check`: a client would poll the status of a deposit that was not made yet.
      items: calls.map(({ to, data }) => ({
        status: "incomplete",
        data: { from: quote.user, to, data, value: "0", chainId: quote.origin.id },
      })),
    }),
  ];
}
