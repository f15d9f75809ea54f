import { type Address, type Hex, decodeFunctionData, parseAbi } from "viem";
import { EVM_NATIVE_CURRENCY, isSameAddress, PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";

import { readMulticall, type FillCall } from "../fillPlan.ts";
import type { ReplaySource } from "../replayReport.ts";
import { NothingToReplayError, type SentFill, type Subject } from "./subject.ts";

/** Overrides of the values read from the transaction. */
export interface FillTerms {
  /** Delivered currency; the zero address for native currency. */
  readonly currency?: Address | undefined;
  /** Smallest unit. */
  readonly amount?: bigint | undefined;
  readonly minimumAmount?: bigint | undefined;
  readonly expectedAmount?: bigint | undefined;
  readonly recipient?: Address | undefined;
}

interface SentFillParameters {
  readonly source: ReplaySource;
  readonly chainId: number;
  readonly sent: SentFill;
  readonly terms?: FillTerms;
  /**
   * Reads a fill from its transaction. The given currency and recipient override those of the transaction. The given
   * amount is used only if the transaction does not contain the amount.
   */
  readonly overrides?: Pick<FillTerms, "currency" | "recipient" | "amount"> | undefined;
}

/**
 * @throws {@link NothingToReplayError} if the transaction is not a multicall of the router, or has no calls of an order
 *
 * @throws {@link InvalidInputError} if neither the transaction nor the terms contain the delivered amount
 */
export function subjectOfSentFill(parameters: SentFillParameters): Subject {
  const { source, chainId, sent, terms = {}, overrides = {} } = parameters;
  const { from, to, data, value } = sent.transaction;
  const multicall = readMulticall(data);
  if (multicall === undefined) {
    throw new NothingToReplayError({
      what: sent.hash === undefined ? "the fill" : `transaction ${sent.hash}`,
      reason: "the transaction is not a multicall of the router, so it has no calls of an order",
      hint: "Pass the hash of a fill with calls, on its destination chain.",
    });
  }
  const { calls, refundTo, nftRecipient, routerVersion, orderId } = multicall;
  const payment = calls[0] === undefined ? undefined : readPayment(calls[0], from, to);
  const ofOrder = payment === undefined ? calls : calls.slice(1);
  if (ofOrder.length === 0) {
    throw new NothingToReplayError({
      what: sent.hash === undefined ? "the fill" : `transaction ${sent.hash}`,
      reason: `all ${calls.length} calls of the transaction are the solver's own`,
      hint: "Pass the hash of a fill with calls, on its destination chain.",
    });
  }
  const currency =
    overrides.currency ?? terms.currency ?? payment?.currency ?? (value > 0n ? EVM_NATIVE_CURRENCY : undefined);
  const amount = terms.amount ?? payment?.amount ?? (value > 0n ? value : overrides.amount);
  if (currency === undefined || amount === undefined) {
    throw new InvalidInputError({
      field: currency === undefined ? "currency" : "amount",
      value: undefined,
      reason: "the transaction does not show the amount that it delivers to the router",
      hint: "Pass the delivered currency and amount.",
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
      recipient: overrides.recipient ?? terms.recipient ?? refundTo,
      orderId: orderId ?? `0x${"00".repeat(32)}`,
    },
    amount,
    sent,
  };
}

/** Functions that solvers call within a fill to pay tokens to the router. */
const paymentAbi = parseAbi([
  "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function transferFrom(address from, address to, uint256 value)",
]);

interface SolverPayment {
  readonly currency: Address;
  /** Smallest unit. */
  readonly amount: bigint;
}

function readPayment(call: FillCall, solver: Address, router: Address): SolverPayment | undefined {
  // The router sends the fill's native currency to itself, and emits an event on receipt.
  if (isSameAddress(call.to, router) && call.data === "0x")
    return { currency: EVM_NATIVE_CURRENCY, amount: call.value };
  if (isSameAddress(call.to, PERMIT2_ADDRESS)) return readPermit2Payment(call, solver, router);
  const args = decode(call.data);
  if (args === undefined) return undefined;
  const [from, to, amount] = args;
  return isSameAddress(from, solver) && isSameAddress(to, router) ? { currency: call.to, amount } : undefined;
}

const permit2Abi = parseAbi([
  "function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes signature)",
]);

function readPermit2Payment({ data }: FillCall, solver: Address, router: Address): SolverPayment | undefined {
  try {
    const [{ permitted }, { to, requestedAmount }, owner] = decodeFunctionData({ abi: permit2Abi, data }).args;
    if (!isSameAddress(owner, solver) || !isSameAddress(to, router)) return undefined;
    return { currency: permitted.token, amount: requestedAmount };
  } catch {
    return undefined;
  }
}

function decode(data: Hex): readonly [Address, Address, bigint, ...unknown[]] | undefined {
  try {
    return decodeFunctionData({ abi: paymentAbi, data }).args;
  } catch {
    return undefined;
  }
}
