import { type Address, size, slice } from "viem";
import type { FailReason } from "@crosscall/protocol/request";
import { isSameAddress } from "@crosscall/protocol/chains";

import type { CallFrame } from "../trace/callFrame.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { CauseKind } from "../causes/catalog.ts";
import type { Fork } from "../fork/fork.ts";
import { readCode } from "../fork/readState.ts";
import { createAbiIndex } from "../trace/abiIndex.ts";
import type { NumberedCalls } from "../trace/orderCalls.ts";
import type { FailedCondition } from "../verdict.ts";
import type { Cause } from "./findCause.ts";

export interface HintFacts {
  readonly plan: FillPlan;
  readonly failReason: FailReason;
  readonly condition: FailedCondition | undefined;
  readonly txIndex: number | undefined;
}

interface TraceFacts extends HintFacts {
  readonly cause: Cause;
  /** Call of the multicall that contains the cause. */
  readonly call: CallFrame | undefined;
  readonly numbered: NumberedCalls;
  /** Hint that the cause in the catalog determines. */
  readonly toDo: string | undefined;
}

/** Derives the hint from the trace, from the cause in the catalog, or else from the reason and its numbers. */
export async function findHint(fork: Fork, facts: TraceFacts): Promise<string> {
  const { condition, toDo } = facts;
  return (await readHint(fork, facts)) ?? (condition === undefined ? toDo : undefined) ?? hintFor(facts);
}

async function readHint(fork: Fork, facts: TraceFacts): Promise<string | undefined> {
  const { failReason, condition, cause, call, numbered, plan } = facts;
  const { frame } = cause;
  if (call !== undefined && numbered.frame !== undefined && !numbered.places.has(call)) {
    return `Set a refundTo that accepts native currency: ${plan.refundTo} rejected the remainder.`;
  }
  if (frame.error === "out of gas" && frame.value > 0n && failReason === "TRANSFER_FAILED") {
    return `Send the native currency with a call: ${String(frame.to)} needs more than the ${frame.gas} gas of a plain transfer.`;
  }
  if (frame.error === "other" && condition === undefined) {
    return `${String(frame.to)} stops at an instruction that consumes all gas of the call: check that the contract supports this call.`;
  }
  const isSilent = failReason === "MISSING_REVERT_DATA" && frame.output === "0x";
  if (condition !== undefined || !isSilent || frame.to === undefined) return undefined;
  return readSilence(fork, frame, frame.to);
}

/** Explains why a contract reverts without data. */
async function readSilence(fork: Fork, frame: CallFrame, to: Address): Promise<string | undefined> {
  const index = createAbiIndex();
  const last = frame.calls.at(-1);
  if (last?.error === undefined && last?.to !== undefined && last.output === "0x" && size(last.input) >= 4) {
    const name = index.readCall(last.input)?.item.name ?? slice(last.input, 0, 4);
    const hasCode = (await readCode(fork, last.to)) !== "0x";
    return hasCode
      ? `${last.to} returns nothing from ${name}, and ${to} expects a result: use a contract that supports such tokens.`
      : `${last.to} has no code on this chain, and ${to} expects a result from it: correct the address.`;
  }
  if (frame.calls.length === 0 && size(frame.input) >= 4 && index.readCall(frame.input) === undefined) {
    return `${to} has no function ${slice(frame.input, 0, 4)}, or reverts without data: check the address and the ABI.`;
  }
  return undefined;
}

export function hintFor({ plan, failReason, condition, txIndex }: HintFacts): string {
  const general = generalHint(failReason);
  if (condition === undefined) return general;
  const { needed, had } = condition;
  switch (condition.kind) {
    case "allowance": {
      if (isSameAddress(condition.spender, plan.router)) return toDoFor("allowance", { isRouter: true });
      const before = txIndex === undefined ? "before it is spent" : `before txs[${txIndex}]`;
      return `Approve at least ${needed} of ${condition.currency} to ${condition.spender} ${before}.`;
    }
    case "nonZeroAllowance":
      return `Set the allowance to 0 first: the token rejects a change of the existing allowance of ${had}.`;
    case "balance":
      return (
        balanceHint(plan, condition) ??
        `${condition.account} has ${had} of ${condition.currency} and needs ${needed}. ${general}`
      );
    case "input":
      return `Set minimumIn to ${had} or less, or request a delivery of at least ${needed}.`;
    case "output":
    case "swapOutput":
      return `Lower the minimum to ${had} or less, or request a new quote: the output is ${needed - had} too low.`;
    case "deadline":
      return `Set the deadline later than ${needed}: it was ${had}, and a fill takes time.`;
    case "payment":
      return `Send ${needed} with the call instead of ${had}.`;
    case "gas":
      return `Quote with at least ${needed} gas: the limit was ${had}.`;
    case "programGas":
      return (
        `Quote with at least ${needed - had} more gas, or lower the gas that the program requires: ` +
        `its steps and its fallback need ${needed}, but the call had ${had}.`
      );
    default:
      return general;
  }
}

/** Returns the hint for calls that spend more than the delivered amount. */
function balanceHint(
  plan: FillPlan,
  { account, currency, needed, had }: Extract<FailedCondition, { readonly kind: "balance" }>,
): string | undefined {
  if (!isSameAddress(currency, plan.currency) || !isSameAddress(account, plan.router)) return undefined;
  return `The calls spend ${needed}, but only ${had} is available: spend the live balance through a proxy, or use EXACT_OUTPUT with ${needed}.`;
}

/** Hints for reasons that the revert data shows, without a more specific hint. */
const HINTS = {
  SLIPPAGE: "Set the minimums below the market price, and request a new quote.",
  TOO_LITTLE_RECEIVED: "Set the minimum from the quote's minimum amount, not the expected one; request a new quote.",
  INSUFFICIENT_POOL_LIQUIDITY: "Swap a smaller amount, or use pools with more liquidity.",
  ZERO_SELL_AMOUNT: "Let the swap sell the delivered amount: its amount is zero when it runs.",
  FLUID_DEX_ERROR: "Look up the error's number in the exchange's documentation, and request a new quote.",
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: "Spend the live balance with a destination proxy or a cleanup, not a fixed amount.",
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE: "Approve a sufficient amount to the spender before the call that spends it.",
  TRANSFER_FAILED: "Check that the recipient can receive the token or currency, and that the sender holds it.",
  TRANSFER_FROM_FAILED: "Check the approval, the balance, and whether the token takes a fee or blocks an address.",
  DESTINATION_TOKEN_TRANSFER_REJECTED: "Send to a recipient that the token allows, and set an NFT recipient.",
  TOKEN_NOT_TRANSFERABLE: "Deliver directly to the final holder, or choose another token.",
  INVALID_SENDER: "Send from the account that holds the token, not from the zero address.",
  CONTRACT_PAUSED: "Check whether the contract is paused before you request a quote, and wait until it is unpaused.",
  SIGNATURE_EXPIRED: "Make signatures and deadlines valid until the order's deadline, or longer.",
  INVALID_SIGNATURE: "Pass the signature unchanged: r, s and v, for this chain and contract.",
  INVALID_SIGNER: "Sign with the owner's key, for the contract's domain on this chain.",
  INVALID_NONCE: "Read the nonce right before the user signs, and use each signature once.",
  ACCOUNT_ABSTRACTION_INVALID_NONCE:
    "Read the account's nonce right before the user signs, and send one operation at a time.",
  ACCOUNT_ABSTRACTION_SIGNATURE_ERROR: "Sign the operation for this chain and entry point with the account's owner.",
  ACCOUNT_ABSTRACTION_GAS_LIMIT: "Raise the operation's own gas limits above the gas used in this replay.",
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED: "Set the call's value to the full price, and request delivery of that amount.",
  INCORRECT_PAYMENT: "Read the price at the block of the quote, and send exactly that amount.",
  MINT_NOT_ACTIVE: "Read the start and end of the mint before you request a quote.",
  MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET: "Mint within the remaining limit, to the user instead of the shared router.",
  MINT_QUANTITY_EXCEEDS_MAX_SUPPLY:
    "Read the remaining supply before you request a quote; several buyers may compete for the last items.",
  ERC_1155_TOO_MANY_REQUESTED: "Read the token id's remaining supply before you request a quote.",
  ORDER_ALREADY_FILLED: "Buy another item: this order is already filled.",
  ORDER_IS_CANCELLED: "Get an open order from the marketplace right before you request a quote.",
  ORDER_EXPIRED: "Get an order from the marketplace that has not expired.",
  SEAPORT_INEXACT_FRACTION: "Buy a fraction that divides the order's amounts without a remainder.",
  SEAPORT_INVALID_FULFILLER: "Get an order from the marketplace with the router as the fulfiller.",
  INVALID_GAS_PRICE: "Make the call work at any gas price: the solver sets it.",
  SWAP_USES_TOO_MUCH_GAS:
    "Reduce the work of the call: it needs more gas than a block allows, or than its caller passes on.",
  QUOTED_GAS_LIMIT_EXCEEDED: "Quote with more gas.",
  TRANSACTION_TOO_LARGE: "Use fewer or shorter calls.",
  TRANSACTION_REVERTED: "Make the calls independent of the gas price: they work without a gas price.",
  MISSING_REVERT_DATA: "Check the call in the trace: the function may be missing, or revert without data.",
  EXECUTION_REVERTED:
    "Look up the error in the contract that reverted. If only a selector is shown, pass the contract's ABI.",
  SOLVER_BALANCE_TOO_LOW: "Nothing is wrong with the calls: request a new quote, or a smaller amount.",
} as const satisfies Partial<Record<FailReason, string>>;

export function generalHint(failReason: FailReason): string {
  const hints: Partial<Readonly<Record<FailReason, string>>> = HINTS;
  return hints[failReason] ?? "Check the call in the trace.";
}

/** Hints by the kind of the cause, for errors without a more specific one. */
const KIND_HINTS: Readonly<Record<CauseKind, string>> = {
  access: "Call the function from an account that has the permission.",
  allowance: "Approve a sufficient amount to the spender before the call that spends it.",
  amount: "Check the amounts of the call: they are zero, too small, or do not match what arrives.",
  balance: "Spend the live balance with a destination proxy or a cleanup, not a fixed amount.",
  deadline: "Make signatures and deadlines valid until the order's deadline, or longer.",
  gas: "Request a quote with more gas.",
  health: "Check the account's collateral and debt before you request a quote.",
  inner: "Check the failed call in the trace.",
  input: "Check the arguments of the call in the trace.",
  limit: "Read the limit before you request a quote, and stay below it.",
  liquidity: "Use a smaller amount, or a pool or market with more liquidity.",
  math: "Check the amounts of the call in the trace: they do not fit the state of the contract.",
  missing: "Check the addresses and ids of the call: they must exist on the destination chain.",
  nonce: "Read the nonce right before the user signs, and use each signature once.",
  order: "Request a new quote, with an order that the router can fill.",
  paused: "Check whether the contract is paused before you request a quote, and wait until it is unpaused.",
  payment: "Set the value of the call to what the contract requires.",
  price: "Wait until the price feed works again, and request a new quote.",
  recipient: "Send to a recipient that accepts the token or currency.",
  reentry: "Do not call the contract again inside its own call.",
  sender: "Send from the account that holds the token.",
  signature: "Sign with the owner's key, for this contract and chain, and pass the signature unchanged.",
  slippage: "Set the minimums below the market price, and request a new quote.",
  state: "Read the state of the contract before you request a quote: it does not allow this call.",
  transfer: "Check the approval, the balance, and whether the token takes a fee or blocks an address.",
};

/** Hints if the router lacks a right, by the kind of the cause. */
const ROUTER_HINTS: Partial<Record<CauseKind, string>> = {
  access:
    "Call a function that acts for an account instead. Do not give the router the right: anyone can call through it.",
  allowance: "Use the delivered tokens instead. Do not approve the router: anyone can spend its allowances.",
};

/** Returns the hint for a kind of cause. `isRouter`: the caller is the public router. */
export function toDoFor(kind: CauseKind, { isRouter }: { readonly isRouter: boolean }): string {
  return (isRouter ? ROUTER_HINTS[kind] : undefined) ?? KIND_HINTS[kind];
}
