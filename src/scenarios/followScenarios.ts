import { listScenarios, type ScenarioRow, takeScenario } from "../store/scenarios.ts";
import type { Store } from "../store/store.ts";

/** The scenarios that are set, as this process knows them: read once, and again after a change only. */
export interface KnownScenarios {
  /** In the order in which they were set; some may be used up meanwhile. */
  list(): Promise<readonly ScenarioRow[]>;
  /** Uses one of them once: the number of the use, from 0; undefined where none is left. */
  take(id: number): Promise<number | undefined>;
  /** Reads them again the next time. */
  forget(): void;
  /** Stops hearing of changes. */
  close(): Promise<void>;
}

/** Follows the scenarios of a store, whichever process sets them: a call of the service costs no query of its own. */
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
      // What was asked meanwhile hears of the failure itself.
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
