import type { FailReason, RefundFailReason } from "@crosscall/protocol/request";
import { type DepositChange, type FailScenario, simulated } from "./failScenario.ts";

const NEW_QUOTE = "Request a new quote and deposit right away.";

export const DEPOSIT_REASONS = {
  AMOUNT_TOO_LOW_TO_REFUND: simulated(
    "The request cannot be filled, and the deposit is worth less than the gas of a refund.",
    "Keep amounts above the minimum for a quote.",
  ),
  DEPOSIT_ADDRESS_MISMATCH: simulated(
    "The deposit arrived at the deposit address of another request.",
    "Show the user only the current request's address, and never reuse an address.",
  ),
  DEPOSIT_CHAIN_MISMATCH: {
    how: "chain",
    what: "The quote's steps deposit on the destination chain. The wallet must support that chain.",
    hint: "Send each step on the chain of its `chainId`.",
    act: { kind: "deposit", change: "chain" },
  },
  INCORRECT_DEPOSIT_CURRENCY: {
    how: "chain",
    what: "The quote's steps deposit a different currency: 0.001 native currency instead of a token, or 1 USDC, minted by an extra step, instead of native currency.",
    hint: "Send the steps unchanged, and never build a deposit from an older quote.",
    act: { kind: "deposit", change: "currency" },
  },
  ORIGIN_CURRENCY_MISMATCH: simulated(
    "The deposited currency differs from the order's currency.",
    "Send the steps unchanged, and never build a deposit from an older quote.",
  ),
  DEPOSITED_AMOUNT_TOO_LOW_TO_FILL: {
    how: "chain",
    what: "The quote's steps deposit half of the order's input amount.",
    hint: "Deposit the exact amount of the step, even if the token charges a transfer fee.",
    act: { kind: "deposit", change: "half" },
  },
  NEGATIVE_NEW_AMOUNT_AFTER_FEES: {
    how: "chain",
    what: "The quote's steps deposit at most the execution fee.",
    hint: "Keep amounts well above the fees, and request a new quote if gas prices rise.",
    act: { kind: "deposit", change: "fee" },
  },
  DOUBLE_SPEND: {
    how: "chain",
    what: "The quote's steps deposit twice. The solver fills the request, and a child request refunds the second deposit.",
    hint: "Send each step once. Check the transaction's status before you resend it.",
    act: { kind: "deposit", change: "twice" },
  },
  DEPOSIT_CONFIRMATION_TIMEOUT: simulated(
    "The deposit was seen, but was not confirmed before the timeout.",
    "Use the gas fees of the step. Replace a stuck deposit with a transaction that has higher fees.",
  ),
  DEPOSIT_REORGED: {
    how: "chain",
    what: "A reorg removes the deposit's block and all later ones. The request waits for a new deposit and fails if none arrives before the timeout.",
    hint: "Rely on the request's status, and check the user's balance before you offer a new deposit.",
    act: { kind: "reorg" },
  },
  ORPHANED_DEPOSIT_REFUND: simulated(
    "No fillable request matches the deposit, and the solver refunds it.",
    "Deposit with the current quote's order id before the order expires.",
  ),
  GASLESS_PERMIT_BALANCE_TOO_LOW: simulated(
    "The user's balance is below the amount of the signed permit.",
    "Check the balance right before the user signs, and again before you post the signature.",
  ),
  ORDER_EXPIRED: {
    how: "chain",
    what: "The solver's clock is a day ahead, so that the order has expired when the solver processes it.",
    hint: NEW_QUOTE,
    act: { kind: "fill", fault: { lateSeconds: 86_400 } },
  },
  TTL_EXPIRED: {
    how: "chain",
    what: "The solver's clock is 11 minutes ahead, so that the quoted price has expired when the solver processes the deposit.",
    hint: NEW_QUOTE,
    act: { kind: "fill", fault: { lateSeconds: 660 } },
  },
  PROTOCOL_DEADLINE_EXPIRED: simulated("The order was not filled before its deadline.", NEW_QUOTE),
  BLOCKED_WALLET: simulated(
    "The service blocks a wallet of the request.",
    "Inform the user, and do not retry with this address.",
  ),
  MANUAL_ADMIN_REFUND: simulated(
    "An operator of the service refunded the deposit. The referrer `debug-force-refund` has the same effect.",
    "Show the refund and offer a new quote.",
  ),
  SPONSOR_BALANCE_TOO_LOW: simulated(
    "The integrator's balance is too low for the sponsored fees.",
    "Top up and monitor the sponsor's balance, and fall back to quotes that the user pays for.",
  ),
} as const satisfies Partial<Record<FailReason, FailScenario>>;

export interface RefundScenario {
  readonly what: string;
  readonly hint: string;
  /** Change of the deposit that causes the reason; simulated by default. */
  readonly change?: DepositChange;
}

export const REFUND_REASONS: Readonly<Record<RefundFailReason, RefundScenario>> = {
  AMOUNT_TOO_LOW_TO_REFUND: {
    change: "dust",
    what: "The quote's steps deposit the smallest unit, which is worth less than the gas of a refund. The solver keeps it.",
    hint: "Keep deposits above the minimum for a quote, and show the user the cost of a refund.",
  },
  NEGATIVE_NEW_AMOUNT_AFTER_FEES: {
    what: "The refund's fees exceed the deposit.",
    hint: "Raise the amount, or sponsor the execution fee as the integrator.",
  },
  SWAP_CURRENCY_NOT_ON_ORIGIN: {
    what: "The deposit was swapped to a currency that does not exist on the origin chain.",
    hint: "Contact the service's support with the request id. The refund arrives in another currency or on another chain.",
  },
  REFUND_RECIPIENT_IS_VASP: {
    what: "The refund address belongs to an exchange that would not credit the refund.",
    hint: "Pass a `refundTo` that the user controls, never an exchange's deposit address.",
  },
  MANUAL_REFUND_REQUIRED: {
    what: "The refund cannot be sent automatically.",
    hint: "Set `refundTo` for a deposit address, and use an account that accepts the currency. Otherwise, contact the service's support.",
  },
};
