import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import { simulated, type FailScenario } from "./failScenario.ts";

const NEW_QUOTE = "Take a new quote, and deposit once its steps are at hand.";

/** FailReasons of a deposit, its order or its sender. */
export const DEPOSIT_REASONS = {
  AMOUNT_TOO_LOW_TO_REFUND: simulated(
    "The request cannot be filled, and what was deposited would not pay for a refund.",
    "Hold amounts above the smallest that a quote takes.",
  ),
  DEPOSIT_ADDRESS_MISMATCH: simulated(
    "The deposit came to another deposit address than the request's.",
    "Show the user the address of the request at hand only, and never keep one for later.",
  ),
  DEPOSIT_CHAIN_MISMATCH: {
    how: "chain",
    what: "The quote's steps deposit on the destination chain; the wallet must be able to send there.",
    hint: "Send each step on the chain that its `chainId` names.",
    act: { kind: "deposit", change: "chain" },
  },
  INCORRECT_DEPOSIT_CURRENCY: {
    how: "chain",
    what: "The quote's steps deposit another currency: 0.001 of the native one in place of a token, else a dollar that the network gives the user.",
    hint: "Send the steps as they are; never build a deposit by hand from an older quote.",
    act: { kind: "deposit", change: "currency" },
  },
  ORIGIN_CURRENCY_MISMATCH: simulated(
    "The deposited currency is not the one of the order.",
    "Send the steps as they are; never build a deposit by hand from an older quote.",
  ),
  DEPOSITED_AMOUNT_TOO_LOW_TO_FILL: {
    how: "chain",
    what: "The quote's steps deposit half of what the order takes.",
    hint: "Deposit what the step says, also where the token takes a fee of its own.",
    act: { kind: "deposit", change: "half" },
  },
  NEGATIVE_NEW_AMOUNT_AFTER_FEES: {
    how: "chain",
    what: "The quote's steps deposit no more than the fee of the execution.",
    hint: "Hold amounts well above the fees, and quote again where gas has become dearer.",
    act: { kind: "deposit", change: "fee" },
  },
  DOUBLE_SPEND: {
    how: "chain",
    what: "The quote's steps deposit twice: the request is filled, and a child of it sends the second deposit back.",
    hint: "Send each step once: look its transaction up before it is sent again.",
    act: { kind: "deposit", change: "twice" },
  },
  DEPOSIT_CONFIRMATION_TIMEOUT: simulated(
    "The deposit was seen, and did not confirm in time.",
    "Send deposits with the fees that the step names, and replace one that waits by one that pays more.",
  ),
  DEPOSIT_REORGED: {
    how: "chain",
    what: "The origin chain drops its blocks from the deposit's on; the request waits for a deposit again, and fails when none comes in time.",
    hint: "Count a deposit as made when the request says so, and check the user's balance before a new one is offered.",
    act: { kind: "reorg" },
  },
  ORPHANED_DEPOSIT_REFUND: simulated(
    "The deposit belongs to no request that can be filled, and goes back.",
    "Deposit with the order id of the quote at hand, before it expires.",
  ),
  GASLESS_PERMIT_BALANCE_TOO_LOW: simulated(
    "The user no longer holds what the signed permission lets the service take.",
    "Check the balance right before the user signs, and again before the signature is posted.",
  ),
  ORDER_EXPIRED: {
    how: "chain",
    what: "The solver comes to the order a day late, by its clock: the order's time is over.",
    hint: NEW_QUOTE,
    act: { kind: "fill", fault: { lateSeconds: 86_400 } },
  },
  TTL_EXPIRED: {
    how: "chain",
    what: "The solver comes to the deposit 11 minutes late, by its clock: the quoted price no longer holds.",
    hint: NEW_QUOTE,
    act: { kind: "fill", fault: { lateSeconds: 660 } },
  },
  PROTOCOL_DEADLINE_EXPIRED: simulated("The order could not be filled before the deadline in its data.", NEW_QUOTE),
  BLOCKED_WALLET: simulated(
    "A wallet of the request may not be served.",
    "Tell the user, and do not try again with this address.",
  ),
  MANUAL_ADMIN_REFUND: simulated(
    "The service's operators sent the deposit back; `debug-force-refund` as referrer does the same.",
    "Show the refund, and offer a new quote.",
  ),
  SPONSOR_BALANCE_TOO_LOW: simulated(
    "The integrator's balance does not pay the fees that it sponsors.",
    "Top the sponsor's balance up, watch it, and fall back to quotes that the user pays.",
  ),
} as const satisfies Partial<Record<FailReason, FailScenario>>;
