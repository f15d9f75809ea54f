import { listScenarios, type ScenarioRow, takeScenario } from "../store/scenarios.ts";
import type { Store } from "../store/store.ts";

/** Scenarios that are cached in memory, and read again after a change. */
export interface KnownScenarios {
  /** Lists scenarios in the order in which they were set. Some scenarios can already be used up. */
  list(): Promise<readonly ScenarioRow[]>;
  /** @returns the number of the use, starting at 0; undefined if no use is left */
  take(id: number): Promise<number | undefined>;
  forget(): void;
  close(): Promise<void>;
}

/** Opens a cache of the scenarios, so that HTTP requests need no extra query. */
export async function followScenarios(store: Store): Promise<KnownScenarios> {
  let known: Promise<readonly ScenarioRow[]> | undefined;
  const forget = (): void => {
    known = undefined;
  };
  const changes = await store.onScenarioChange(forget);
  return {
    list() {
      if (known !== undefined) return known;
      const reading = listScenarios(store.db);
      known = reading;
      // Ignored, because callers handle the error themselves.
      reading.catch(forget);
      return reading;
    },
    async take(id) {
      const index = await takeScenario(store.db, id);
      if (index === undefined) forget();
      return index;
    },
    forget,
    close: () => changes.stop(),
  };
}
