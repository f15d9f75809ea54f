import type { RefundFailReason } from "@crosscall/protocol/request";
import type { DepositChange } from "./failScenario.ts";

export interface RefundScenario {
  readonly what: string;
  readonly hint: string;
  /** The deposit that causes the reason; simulated if absent. */
  readonly change?: DepositChange;
}

export const REFUND_REASONS: Readonly<Record<RefundFailReason, RefundScenario>> = {
  AMOUNT_TOO_LOW_TO_REFUND: {
    change: "dust",
    what: "The quote's steps deposit the smallest unit, worth less than the gas of its refund. The solver keeps it.",
    hint: "Keep deposits above the minimum of a quote, and show the user the cost of a refund.",
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
    hint: "Set `refundTo` of a deposit address, and use one that accepts the currency. Else contact the service's support.",
  },
};
