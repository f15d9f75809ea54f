import type { Address, Hex } from "viem";

import type { Step, StepItem } from "@crosscall/sdk/internal/protocol/complete";
import { approvalCalls } from "../approvalCalls.ts";
import type { EvmOriginQuote } from "./resolveQuote.ts";

/** What {@link transactionStep} takes. */
export interface TransactionStepParameters extends Pick<Step, "id" | "description" | "items"> {
  readonly requestId: Hex;
  readonly depositAddress?: string;
}

/** A step of transactions. */
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

/** A transaction after which clients poll the status of its request. */
export function polledItem(requestId: string, data: NonNullable<StepItem["data"]>): StepItem {
  return {
    status: "incomplete",
    data,
    check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: "GET" },
  };
}

/** What {@link approvalSteps} takes. */
export interface ApprovalStepParameters {
  readonly quote: Pick<EvmOriginQuote, "origin" | "input" | "user">;
  readonly requestId: Hex;
  readonly spender: Address;
  /** What the spender may take already, smallest unit. */
  readonly allowance: bigint;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly purpose: "deposit" | "swap";
}

/** The step that approves the input for a spender; none where the allowance is enough. */
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
      // No `check`: a client would poll the status of a deposit that is not made yet.
      items: calls.map(({ to, data }) => ({
        status: "incomplete",
        data: { from: quote.user, to, data, value: "0", chainId: quote.origin.id },
      })),
    }),
  ];
}
