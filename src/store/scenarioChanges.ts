import type { JobQueues } from "./jobs.ts";

/** The channel on which the database tells that scenarios were set or cleared, once that is committed. */
export const SCENARIO_CHANNEL = "scenarios";

/** Tells a listener that scenarios were set or cleared by some process, or that it may have missed this. */
export async function listenToScenarios(
  queue: Pick<JobQueues, "listen">,
  listener: () => void,
): Promise<{ stop(): Promise<void> }> {
  const handle = await queue.listen(SCENARIO_CHANNEL, listener, listener);
  return { stop: () => handle.close() };
}
