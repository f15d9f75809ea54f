import type { RefundFailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import type { DepositChange } from "./failScenario.ts";

/** A refundFailReason, and how it is provoked. */
export interface RefundScenario {
  readonly what: string;
  readonly hint: string;
  /** What the quote's steps deposit, for the reason to come about by itself; simulated where left out. */
  readonly change?: DepositChange;
}

/** What each refundFailReason means, and what an integrator does about it (spec 1, section 2.6). */
export const REFUND_REASONS: Readonly<Record<RefundFailReason, RefundScenario>> = {
  AMOUNT_TOO_LOW_TO_REFUND: {
    change: "dust",
    what: "The quote's steps deposit the smallest unit: it is worth less than its refund costs, and stays with the solver.",
    hint: "Hold deposits above the smallest amount that a quote takes, and tell the user what a refund costs.",
  },
  NEGATIVE_NEW_AMOUNT_AFTER_FEES: {
    what: "Nothing is left of the deposit once the refund's fees are taken.",
    hint: "Raise the amount, or have the integrator sponsor the execution fee.",
  },
  SWAP_CURRENCY_NOT_ON_ORIGIN: {
    what: "The deposit was swapped to a currency that the origin chain does not have.",
    hint: "Ask the service's support with the request id; the refund comes in another currency or on another chain.",
  },
  REFUND_RECIPIENT_IS_VASP: {
    what: "The refund address belongs to an exchange that would not credit it.",
    hint: "Always give a refundTo that the user controls, never an exchange's deposit address.",
  },
};
