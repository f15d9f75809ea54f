import type { ExecutionJournal } from "@crosscall/sdk/internal/client/executeSteps/journal";
import type { PlannedStep } from "@crosscall/sdk/internal/client/executeSteps/planSteps";
import { prepareExecution } from "@crosscall/sdk/internal/client/executeSteps/prepareExecution";
import { openWallets } from "@crosscall/sdk/internal/client/executeSteps/wallets";
import { systemClock } from "@crosscall/sdk/internal/core/clock";
import type { ServiceClient } from "@crosscall/sdk/internal/client/client";
import type { ExecuteStepsParameters } from "@crosscall/sdk/internal/client/executeSteps/executeStepsParameters";
import type { Quote } from "@crosscall/sdk/internal/protocol/quote/quote";

export interface DryRun {
  /** The given quote, or its replacement. */
  readonly quote: Quote;
  /** None if the request is paid already. */
  readonly actions: readonly PlannedStep[];
}

/**
 * Runs everything before the first step, including checks of funds, and writes nothing.
 *
 * @throws errors of `executeSteps` from before anything is sent
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
