import type { Address, Hex } from "viem";

import type { RouterVersion } from "@crosscall/sdk/calls";
import { SOLVER_ADDRESS } from "@crosscall/protocol/chains";
import { ROUTER_ADDRESS } from "@crosscall/protocol/generations";
import { InvalidInputError } from "@crosscall/protocol/core";
import { parseAmount } from "@crosscall/protocol/encoding";
import { type Call, parseCallData, type TradeType } from "@crosscall/protocol/common";
import { requireEvmAddress, NothingToReplayError, type Subject } from "./subject.ts";

export interface PlannedFill {
  readonly name: string;
  readonly destinationChainId: number;
  readonly destinationCurrency: string;
  readonly tradeType: TradeType;
  /** Smallest unit, decimal. */
  readonly amount: string;
  readonly txs: readonly Call[];
  readonly recipient: string;
  /** Delivered amount in the smallest unit; required for EXACT_INPUT unless there is a quote. */
  readonly delivered?: bigint | undefined;
  /** Minimum delivered amount; the delivered amount by default. */
  readonly minimumDelivered?: bigint | undefined;
  readonly router?: Address | undefined;
  readonly routerVersion?: RouterVersion | undefined;
  readonly solver?: Address | undefined;
}

/** Placeholder orderId with the gas cost of a real one. */
const NO_ORDER: Hex = `0x${"ff".repeat(32)}`;

/**
 * @throws {@link NothingToReplayError} if the plan has no calls
 *
 * @throws {@link InvalidInputError} if the delivered amount is unknown, or an address or call data is invalid
 */
export function subjectOfPlan(planned: PlannedFill): Subject {
  const { name, destinationChainId, destinationCurrency, tradeType, txs } = planned;
  if (txs.length === 0) {
    throw new NothingToReplayError({
      what: name,
      reason: "the plan has no txs, so its fill is a transfer without calls",
      hint: "Pass a plan with calls.",
    });
  }
  const delivered =
    planned.delivered ?? (tradeType === "EXACT_INPUT" ? undefined : parseAmount(planned.amount, "amount"));
  if (delivered === undefined) {
    throw new InvalidInputError({
      field: "delivered",
      value: undefined,
      reason: `with ${tradeType}, a plan states what the user sends, not what is delivered`,
      hint: "Pass the delivered amount in the smallest unit, or replay the quote.",
    });
  }
  const recipient = requireEvmAddress(planned.recipient, "recipient");
  return {
    source: { kind: "plan", name },
    plan: {
      chainId: destinationChainId,
      router: planned.router ?? ROUTER_ADDRESS,
      routerVersion: planned.routerVersion ?? "v3",
      solver: planned.solver ?? SOLVER_ADDRESS,
      currency: requireEvmAddress(destinationCurrency, "destinationCurrency"),
      minimumAmount: planned.minimumDelivered ?? delivered,
      expectedAmount: delivered,
      calls: txs.map(({ to, data, value }, index) => ({
        to: requireEvmAddress(to, `txs[${index}].to`),
        data: parseCallData(data, `txs[${index}].data`),
        value: parseAmount(value, `txs[${index}].value`),
        allowFailure: false,
      })),
      refundTo: recipient,
      nftRecipient: recipient,
      recipient,
      orderId: NO_ORDER,
    },
    amount: delivered,
    sent: undefined,
  };
}
