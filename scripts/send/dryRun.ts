import type { ExecutionJournal } from "../../src/client/executeSteps/journal.ts";
import type { PlannedStep } from "../../src/client/executeSteps/planSteps.ts";
import { prepareExecution } from "../../src/client/executeSteps/prepareExecution.ts";
import { openWallets } from "../../src/client/executeSteps/wallets.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { ServiceClient } from "../../src/client/client.ts";
import type { ExecuteStepsParameters } from "../../src/client/executeSteps/executeStepsParameters.ts";
import type { Quote } from "../../src/protocol/quote.ts";

/** What a run would do. */
export interface DryRun {
  /** The given quote, or the one that would take its place. */
  readonly quote: Quote;
  /** What would be done; none where the request is paid already. */
  readonly actions: readonly PlannedStep[];
}

/**
 * Does all that comes before the first step, funds included, and writes nothing down.
 *
 * @throws the errors of `executeSteps` that come before anything is sent
 */
export async function dryRun(
  client: ServiceClient,
  parameters: ExecuteStepsParameters & { readonly journal: ExecutionJournal },
): Promise<DryRun> {
  const { journal, onEvent = () => undefined } = parameters;
  const { quote, actions } = await prepareExecution(client, {
    ...parameters,
    wallets: await openWallets(undefined, parameters.wallets),
    journal: { get: (key) => journal.get(key), set: () => Promise.resolve() },
    clock: systemClock,
    onEvent,
  });
  return { quote, actions };
}
