import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import { simulated, type FailScenario } from "./failScenario.ts";

/** FailReasons of chains that a local network does not run. */
export const OTHER_CHAIN_REASONS = {
  TRANSACTION_TOO_LARGE: simulated(
    "The fill does not fit into a transaction of its chain.",
    "Use fewer or shorter calls; on the SVM chain set maxRouteLength to 4, then 3.",
  ),
  NEW_CALLDATA_INCLUDES_HIGHER_RENT_FEE: simulated(
    "The SVM fill was made anew, and its accounts cost more rent than was quoted.",
    "Take a new quote: it has the rent of today.",
  ),
  INSUFFICIENT_FUNDS_FOR_RENT: simulated(
    "The SVM fill leaves an account with less than the rent that it must hold.",
    "Send enough for a new account's rent, or to an account that is there.",
  ),
  JUPITER_INVALID_TOKEN_ACCOUNT: simulated(
    "The SVM swap names a token account that is none.",
    "Check that the recipient's token account is of the destination currency, or give the wallet itself.",
  ),
} as const satisfies Partial<Record<FailReason, FailScenario>>;
