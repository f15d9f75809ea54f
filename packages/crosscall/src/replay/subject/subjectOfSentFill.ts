import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { readMulticall } from "../readMulticall.ts";
import type { ReplaySource } from "../replayReport.ts";
import { NothingToReplayError } from "./nothingToReplayError.ts";
import { readPayment } from "./solverCalls.ts";
import type { SentFill, Subject } from "./subject.ts";

/** Overrides of the values read from the transaction. */
export interface FillTerms {
  /** The delivered currency; zero address for native currency. */
  readonly currency?: Address | undefined;
  /** Smallest unit. */
  readonly amount?: bigint | undefined;
  readonly minimumAmount?: bigint | undefined;
  readonly expectedAmount?: bigint | undefined;
  readonly recipient?: Address | undefined;
  /** Number of calls at the start that are the solver's own, such as its payment or swap. */
  readonly solverCalls?: number | undefined;
}

export interface SentFillParameters {
  readonly source: ReplaySource;
  readonly chainId: number;
  readonly sent: SentFill;
  readonly terms?: FillTerms;
}

/**
 * @throws {@link NothingToReplayError} if it is not a multicall of the router, or has no calls of an order
 *
 * @throws {@link InvalidInputError} if neither the transaction nor the terms contain the delivered amount
 */
export function subjectOfSentFill({ source, chainId, sent, terms = {} }: SentFillParameters): Subject {
  const { from, to, data, value } = sent.transaction;
  const multicall = readMulticall(data);
  if (multicall === undefined) {
    throw new NothingToReplayError({
      what: sent.hash === undefined ? "the fill" : `transaction ${sent.hash}`,
      reason: "it is not a multicall of the router, so it has no calls of an order",
      hint: "Pass the hash of a fill with calls, on its destination chain.",
    });
  }
  const { calls, refundTo, nftRecipient, routerVersion, orderId } = multicall;
  const payment = calls[0] === undefined ? undefined : readPayment(calls[0], from, to);
  const solverCalls = terms.solverCalls ?? (payment === undefined ? 0 : 1);
  const ofOrder = calls.slice(solverCalls);
  if (ofOrder.length === 0) {
    throw new NothingToReplayError({
      what: sent.hash === undefined ? "the fill" : `transaction ${sent.hash}`,
      reason: `its ${calls.length} calls are all the solver's own`,
      hint: "Pass a smaller number of solver calls.",
    });
  }
  const currency = terms.currency ?? payment?.currency ?? (value > 0n ? EVM_NATIVE_CURRENCY : undefined);
  const amount = terms.amount ?? payment?.amount ?? (value > 0n ? value : undefined);
  if (currency === undefined || amount === undefined) {
    throw new InvalidInputError({
      field: currency === undefined ? "currency" : "amount",
      value: undefined,
      reason: "the transaction does not show what it delivers to the router",
      hint: "Pass the currency and the amount that were delivered.",
    });
  }
  return {
    source,
    plan: {
      chainId,
      router: to,
      routerVersion,
      solver: from,
      currency,
      minimumAmount: terms.minimumAmount ?? amount,
      expectedAmount: terms.expectedAmount ?? amount,
      calls: ofOrder,
      refundTo,
      nftRecipient,
      recipient: terms.recipient ?? refundTo,
      orderId: orderId ?? `0x${"00".repeat(32)}`,
    },
    amount,
    sent,
  };
}
