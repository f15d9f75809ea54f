import type { JobQueues } from "./jobs.ts";

export const SCENARIO_CHANNEL = "scenarios";

export async function listenToScenarios(
  queue: Pick<JobQueues, "listen">,
  listener: () => void,
): Promise<{ stop(): Promise<void> }> {
  const handle = await queue.listen(SCENARIO_CHANNEL, listener, listener);
  return { stop: () => handle.close() };
}
