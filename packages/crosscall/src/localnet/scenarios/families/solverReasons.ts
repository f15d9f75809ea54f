import type { FailReason } from "@crosscall/protocol/request";
import { simulated, type FailScenario } from "./failScenario.ts";

const TRY_AGAIN = "The calls are correct. Offer the user a new quote.";
const OTHER_PAIR = "Request a quote for a smaller amount or a pair with more liquidity.";

export const SOLVER_REASONS = {
  UNKNOWN: simulated(
    "The fill failed for an unknown reason.",
    "Handle it like any other failure: the solver refunds the deposit. Report the request id.",
  ),
  SOLVER_CAPACITY_EXCEEDED: simulated("The solver has reached its limit of open orders.", TRY_AGAIN),
  SOLVER_BALANCE_TOO_LOW: simulated(
    "The solver's balance of the destination currency is below the fill's amount.",
    OTHER_PAIR,
  ),
  NO_QUOTES: simulated("The fill's swap was quoted again, and no source returned a price.", TRY_AGAIN),
  REVERSE_SWAP_FAILED: simulated("The swap back to the deposited currency failed.", OTHER_PAIR),
  GENERATE_SWAP_FAILED: simulated("The swap transaction for the fill could not be built.", OTHER_PAIR),
  NO_INTERNAL_SWAP_ROUTES_FOUND: simulated("The solver's own liquidity has no route for the fill's swap.", OTHER_PAIR),
  SWAP_IMPACT_TOO_HIGH: simulated("The price impact of the fill's swap is too high.", OTHER_PAIR),
  TRANSACTION_NOT_INCLUDED: simulated("The fill was sent but not included in time.", TRY_AGAIN),
  TRANSACTION_SUBMISSION_FAILED: simulated("No node of the destination chain accepted the fill.", TRY_AGAIN),
} as const satisfies Partial<Record<FailReason, FailScenario>>;
