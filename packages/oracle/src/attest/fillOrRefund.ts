import type { Hex } from "viem";

import { CrosscallError } from "@crosscall/protocol/core";
import type { Order } from "@crosscall/protocol/order";
import type { OracleContext } from "../oracleContext.ts";
import { type Claim, claimsByPlace, requireEnough } from "./ledger.ts";
import { DIFF_ONE, type PaidOrder } from "./verifyOrder.ts";

type Refund = Order["inputs"][number]["refunds"][number];

/** Adjusted to an underpaid or overpaid order. */
export function refundMinimum({ minimumAmount }: Refund, { paymentDiff }: Pick<PaidOrder, "paymentDiff">): bigint {
  const asked = BigInt(minimumAmount);
  return asked + (asked * paymentDiff) / DIFF_ONE;
}

/** As recipient, the native currency's name means the depositor. */
export function refundRecipient({ chains }: OracleContext, refund: Refund, depositor: string): string {
  const isDepositor = refund.recipient.toLowerCase() === chains.get(refund.chainId).codec.nativeCurrency.toLowerCase();
  return isDepositor ? depositor : refund.recipient;
}

/**
 * A payment beside the order's calls is the fill, and cannot be a refund too. Of an order without calls, the ledger
 * decides by what was attested first.
 *
 * @param readFill payments of the fill that the transaction makes; throws if it makes none
 * @throws {@link AmbiguousPaymentError} if a payment of this refund is not enough for both
 */
export async function requireNoFill(
  { order }: { readonly order: Order },
  claims: readonly Claim[],
  readFill: () => Promise<readonly Claim[]>,
): Promise<void> {
  if (order.output.calls.length === 0) return;
  const fill = await orNothing(readFill());
  for (const claimed of claimsByPlace([...(fill ?? []), ...claims]).values()) requireEnough(claimed);
}

export function refundMeaning(index: number, orderId: Hex): string {
  return `the refund of input ${index} of order ${orderId}`;
}

export function paymentMeaning(index: number, orderId: Hex): string {
  return `output payment ${index} of order ${orderId}`;
}

/** Undefined for what is not attested: it is no payment of this kind. */
async function orNothing<Value>(read: Promise<Value>): Promise<Value | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof CrosscallError && (error.code === "ATTESTATION_REFUSED" || error.code === "INVALID_STATE")) {
      return undefined;
    }
    throw error;
  }
}
