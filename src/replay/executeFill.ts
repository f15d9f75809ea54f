import type { Execution } from "./execution.ts";
import type { Fork } from "./fork/fork.ts";
import { type PreparePlannedParameters, preparePlanned } from "./prepare/preparePlanned.ts";

/**
 * Runs a fill on a fork as the solver would send it, with its trace. The fork keeps the balances that it was given for
 * the run, and nothing else of it.
 *
 * @throws {@link BalanceUnwritableError} when the router cannot be given the amount
 */
export async function executeFill(fork: Fork, parameters: PreparePlannedParameters): Promise<Execution> {
  const { execution } = await preparePlanned(fork, parameters);
  return execution;
}
