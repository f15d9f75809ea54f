import type { Address, Hex } from "viem";

import { SOLVER_ADDRESS } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { parseAmount } from "@crosscall/protocol/encoding";
import { decodeFillContract, decodeOrderCall, OrderSchema } from "@crosscall/protocol/order";
import { isPresent, parseData, requireField } from "@crosscall/protocol/schema";
import type { Quote } from "@crosscall/protocol/quote";
import type { FillCall } from "../fillPlan.ts";
import { requireEvmAddress, NothingToReplayError, type Subject } from "./subject.ts";

const QUOTE = "the quote";

export interface SubjectOfQuoteOptions {
  readonly solver?: Address | undefined;
}

/**
 * @throws {@link NothingToReplayError} if the order has no calls
 *
 * @throws {@link MalformedDataError} if orderId, recipient or destination chain are missing
 * @throws {@link InvalidInputError} if there is no order, or the destination is not an EVM chain
 */
export function subjectOfQuote(quote: Quote, { solver = SOLVER_ADDRESS }: SubjectOfQuoteOptions = {}): Subject {
  const stated = quote.protocol?.v2;
  if (!isPresent(stated)) {
    throw new InvalidInputError({
      field: "quote.protocol",
      value: undefined,
      reason: "a request on one chain has no order: its calls are in the steps",
      hint: "Pass a plan with the calls, or the hash of the transaction.",
    });
  }
  const orderId = requireField(stated.orderId, QUOTE, "protocol.v2.orderId");
  const { output } = parseData(OrderSchema, stated.orderData, QUOTE, "protocol.v2.orderData");
  const [payment] = output.payments;
  if (output.calls.length === 0 || payment === undefined) {
    throw new NothingToReplayError({
      what: `order ${orderId}`,
      reason: "the fill of this quote is a transfer without calls",
      hint: "Pass a quote for a request with txs.",
    });
  }
  const recipient = requireEvmAddress(
    requireField(quote.details?.recipient, QUOTE, "details.recipient"),
    "quote.details.recipient",
  );
  const expectedAmount = parseAmount(payment.expectedAmount, "quote.protocol.v2.orderData.output.expectedAmount");
  return {
    source: { kind: "quote", requestId: requestIdOf(quote) },
    plan: {
      chainId: requireField(
        quote.details?.currencyOut?.currency?.chainId,
        QUOTE,
        "details.currencyOut.currency.chainId",
      ),
      router: decodeFillContract(output.extraData),
      routerVersion: "v3",
      solver,
      currency: requireEvmAddress(payment.currency, "quote.protocol.v2.orderData.output.currency"),
      minimumAmount: parseAmount(payment.minimumAmount, "quote.protocol.v2.orderData.output.minimumAmount"),
      expectedAmount,
      calls: output.calls.map(toFillCall),
      refundTo: recipient,
      nftRecipient: recipient,
      recipient,
      orderId: orderId as Hex,
    },
    amount: expectedAmount,
    sent: undefined,
  };
}

function toFillCall(encoded: string): FillCall {
  const { to, data, value } = decodeOrderCall(encoded);
  return { to: to as Address, data: data as Hex, value: BigInt(value), allowFailure: false };
}

function requestIdOf({ steps }: Quote): Hex | undefined {
  return steps?.find(({ requestId }) => isPresent(requestId))?.requestId as Hex | undefined;
}
