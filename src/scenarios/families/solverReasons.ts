import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import { simulated, type FailScenario } from "./failScenario.ts";

const TRY_AGAIN = "Nothing is wrong with the calls: offer the user a new quote.";
const OTHER_PAIR = "Take a new quote for a smaller amount, or for a pair with more liquidity.";

/** FailReasons of the solver: its holdings, its routes, its transactions. */
export const SOLVER_REASONS = {
  UNKNOWN: simulated(
    "The fill failed for an unknown reason.",
    "Handle it as any failure: the deposit is refunded. Report the request id.",
  ),
  SOLVER_CAPACITY_EXCEEDED: simulated("The solver has as many orders under way as it takes.", TRY_AGAIN),
  SOLVER_BALANCE_TOO_LOW: simulated(
    "The solver holds less of the destination currency than the fill pays.",
    OTHER_PAIR,
  ),
  NO_QUOTES: simulated("The fill's swap was priced again, and nobody quoted.", TRY_AGAIN),
  REVERSE_SWAP_FAILED: simulated("The swap back to the deposited currency failed.", OTHER_PAIR),
  GENERATE_SWAP_FAILED: simulated("No swap could be made for the fill.", OTHER_PAIR),
  NO_INTERNAL_SWAP_ROUTES_FOUND: simulated("The solver's own liquidity has no route for the fill's swap.", OTHER_PAIR),
  SWAP_IMPACT_TOO_HIGH: simulated("The fill's swap would move its market too far.", OTHER_PAIR),
  TRANSACTION_NOT_INCLUDED: simulated("The fill was sent, and no block took it in time.", TRY_AGAIN),
  TRANSACTION_SUBMISSION_FAILED: simulated("No node of the destination chain took the fill.", TRY_AGAIN),
} as const satisfies Partial<Record<FailReason, FailScenario>>;
