import type { FailReason } from "@crosscall/protocol/request";
import { DEPOSIT_REASONS } from "./depositReasons.ts";
import type { FailScenario } from "./failScenario.ts";
import { MARKET_REASONS } from "./marketReasons.ts";
import { OTHER_CHAIN_REASONS } from "./otherChainReasons.ts";
import { REVERT_REASONS } from "./revertReasons.ts";
import { SOLVER_REASONS } from "./solverReasons.ts";
import { TOKEN_REASONS } from "./tokenReasons.ts";

/** Spec 1, section 2.6. */
export const FAIL_SCENARIOS: Readonly<Record<FailReason, FailScenario>> = {
  ...DEPOSIT_REASONS,
  ...SOLVER_REASONS,
  ...REVERT_REASONS,
  ...TOKEN_REASONS,
  ...MARKET_REASONS,
  ...OTHER_CHAIN_REASONS,
};
