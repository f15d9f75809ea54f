import type { FailReason } from "@crosscall/protocol/request";

/** For causes that revert data names, without a more specific hint. */
const HINTS = {
  SLIPPAGE: "Set the minimums below the market price, and request a new quote.",
  TOO_LITTLE_RECEIVED: "Set the minimum from the quote's minimum amount, never from the expected one, and quote fresh.",
  INSUFFICIENT_POOL_LIQUIDITY: "Swap a smaller amount, or in deeper pools.",
  ZERO_SELL_AMOUNT: "Let the swap sell what was delivered: its amount is zero when it is reached.",
  FLUID_DEX_ERROR: "Look up the error's number in the exchange's documentation, and request a new quote.",
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: "Spend the live balance, by a destination proxy or a cleanup, not a fixed amount.",
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE: "Put an approval to the spender before the call that spends, for enough.",
  TRANSFER_FAILED: "Check that the token or the currency may go to this recipient, and that the sender holds it.",
  TRANSFER_FROM_FAILED: "Check the approval, the balance, and whether the token takes a fee or blocks an address.",
  DESTINATION_TOKEN_TRANSFER_REJECTED: "Send to a recipient that the token lets receive, and name an NFT recipient.",
  TOKEN_NOT_TRANSFERABLE: "Deliver to the final holder at once, or choose another token.",
  INVALID_SENDER: "Send from the account that holds the token, never from the zero address.",
  CONTRACT_PAUSED: "Ask the contract whether it is paused before the quote, and wait until it is not.",
  SIGNATURE_EXPIRED: "Sign, and set deadlines, for longer than a fill may take: the order's own deadline at least.",
  INVALID_SIGNATURE: "Pass the signature as it was made: r, s and v, for this chain and contract.",
  INVALID_SIGNER: "Sign with the owner's key, for the contract's domain on this chain.",
  INVALID_NONCE: "Read the nonce right before the user signs, and use a signature once.",
  ACCOUNT_ABSTRACTION_INVALID_NONCE: "Read the account's nonce right before the user signs; one operation at a time.",
  ACCOUNT_ABSTRACTION_SIGNATURE_ERROR: "Sign the operation for this chain and entry point with the account's owner.",
  ACCOUNT_ABSTRACTION_GAS_LIMIT: "Raise the operation's own gas limits above what this replay uses.",
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED: "Set the call's value to the whole price, and have that amount delivered.",
  INCORRECT_PAYMENT: "Read the price at the block of the quote, and send exactly that.",
  MINT_NOT_ACTIVE: "Read the start and the end of the mint before the quote.",
  MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET: "Mint to the user instead of the shared router, within the remaining limit.",
  MINT_QUANTITY_EXCEEDS_MAX_SUPPLY:
    "Read the remaining supply before the quote; several buyers may compete for the last items.",
  ERC_1155_TOO_MANY_REQUESTED: "Read what the id has left before the quote.",
  ORDER_ALREADY_FILLED: "Offer another item: this order was filled before.",
  ORDER_IS_CANCELLED: "Ask the marketplace for an order that is open, right before the quote.",
  ORDER_EXPIRED: "Ask the marketplace for an order whose time is not over.",
  SEAPORT_INEXACT_FRACTION: "Buy a number of items that the order's sizes divide into.",
  SEAPORT_INVALID_FULFILLER: "Ask the marketplace for an order whose fulfiller is the router.",
  INVALID_GAS_PRICE: "Make the call work at any gas price: the solver sets it.",
  SWAP_USES_TOO_MUCH_GAS: "Bound what the call does: it takes more gas than a block has, or than its caller gives it.",
  QUOTED_GAS_LIMIT_EXCEEDED: "Quote with more gas.",
  TRANSACTION_TOO_LARGE: "Use fewer or shorter calls.",
  TRANSACTION_REVERTED: "Make the calls independent of the gas price: without one they work.",
  MISSING_REVERT_DATA: "Check the call in the trace: the function may be missing, or revert without data.",
  EXECUTION_REVERTED:
    "Look up the error in the contract that raised it. If only a selector is shown, pass the contract's ABI.",
  SOLVER_BALANCE_TOO_LOW: "Nothing is wrong with the calls: take a new quote, or a smaller amount.",
} as const satisfies Partial<Record<FailReason, string>>;

export function generalHint(failReason: FailReason): string {
  const hints: Partial<Readonly<Record<FailReason, string>>> = HINTS;
  return hints[failReason] ?? "Look at the call in the trace.";
}
