import type { ExecutionJournal } from "@crosscall/sdk/internal/client/executeSteps/journal";
import type { PlannedStep } from "@crosscall/sdk/internal/client/executeSteps/planSteps";
import { prepareExecution } from "@crosscall/sdk/internal/client/executeSteps/prepareExecution";
import { openWallets } from "@crosscall/sdk/internal/client/executeSteps/wallets";
import { systemClock } from "@crosscall/sdk/internal/core/clock";
import type { ServiceClient } from "@crosscall/sdk/internal/client/client";
import type { ExecuteStepsParameters } from "@crosscall/sdk/internal/client/executeSteps/executeStepsParameters";
import type { Quote } from "@crosscall/sdk/internal/protocol/quote/quote";

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
