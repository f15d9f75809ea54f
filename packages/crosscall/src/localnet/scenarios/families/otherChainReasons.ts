import type { FailReason } from "@crosscall/protocol/request";
import { simulated, type FailScenario } from "./failScenario.ts";

export const OTHER_CHAIN_REASONS = {
  TRANSACTION_TOO_LARGE: simulated(
    "The fill exceeds the transaction size limit of its chain.",
    "Use fewer or shorter calls. On the SVM chain, set `maxRouteLength` to 4, then to 3.",
  ),
  NEW_CALLDATA_INCLUDES_HIGHER_RENT_FEE: simulated(
    "The SVM fill was rebuilt, and its accounts need more rent than quoted.",
    "Request a new quote, which includes the current rent.",
  ),
  INSUFFICIENT_FUNDS_FOR_RENT: simulated(
    "The SVM fill leaves an account below its required rent.",
    "Send enough for a new account's rent, or use an existing account.",
  ),
  JUPITER_INVALID_TOKEN_ACCOUNT: simulated(
    "The SVM swap uses an invalid token account.",
    "Check that the recipient's token account matches the destination currency, or pass the wallet address.",
  ),
} as const satisfies Partial<Record<FailReason, FailScenario>>;
