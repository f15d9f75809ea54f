import { maxUint256 } from "viem";

import type { FillPlan } from "../../../../packages/crosscall/src/replay/fillPlan.ts";
import { callTo, type LiveChain, RECIPIENT } from "../../support/liveChain.ts";

/** Returns a plan that deposits the delivered amount, at least 990, in the vault for the recipient. */
export function vaultPlan(live: LiveChain): FillPlan {
  const { dollar, vaultProxy } = live.contracts;
  const approve = "function approve(address spender, uint256 amount)";
  const execute = "function execute(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)";
  return live.plan([
    callTo(dollar, approve, vaultProxy, maxUint256),
    callTo(vaultProxy, execute, RECIPIENT, 990n, 1n, maxUint256),
    callTo(dollar, approve, vaultProxy, 0n),
  ]);
}
