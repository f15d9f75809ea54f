import type { Clock } from "@crosscall/sdk/internal/core/clock";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import {
  deleteScenarios,
  insertScenario,
  listScenarios,
  releaseRequests,
  type ScenarioRow,
} from "../store/scenarios.ts";
import type { Store } from "../store/store.ts";
import type { JsonObject } from "../store/tables/scenarioTables.ts";
import { requireScenario } from "./catalogue.ts";
import type { KnownScenarios } from "./followScenarios.ts";
import { chooseScenario } from "./readScenarios.ts";

/** A scenario to set. */
export interface SetScenario {
  /** How many requests, quotes or calls it takes hold of; all until it is cleared where left out. */
  readonly next?: number;
  /** By name, as `crosscall scenarios` lists them. */
  readonly parameters?: JsonObject;
}

/** An active scenario. */
export interface ActiveScenario {
  readonly name: string;
  readonly parameters: JsonObject;
  /** How often it takes hold from here on; null until it is cleared. */
  readonly next: number | null;
  /** How often it took hold. */
  readonly uses: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Sets and clears scenarios of a running network. */
export interface ScenarioControls {
  /**
   * Sets a scenario for the next requests (for faults of answers: calls).
   *
   * @throws {@link InvalidInputError} when there is none of that name, or a parameter cannot be used
   */
  set(name: string, options?: SetScenario): Promise<ActiveScenario>;
  /**
   * Clears a scenario, or all of them; requests that `stuck` held go on.
   *
   * @returns what was cleared
   * @throws {@link InvalidInputError} when there is none of that name
   */
  clear(name?: string): Promise<ActiveScenario[]>;
  /** The scenarios that are set, in the order in which they were. */
  list(): Promise<ActiveScenario[]>;
}

/** What {@link createScenarioControls} takes. */
export interface ScenarioControlsParameters {
  readonly store: Pick<Store, "db">;
  readonly clock: Clock;
  readonly scenarios: Pick<KnownScenarios, "forget">;
}

/** The most that `next` can be. */
const MAX_NEXT = 1_000_000;

/** The controls of a network with this store. */
export function createScenarioControls({ store, clock, scenarios }: ScenarioControlsParameters): ScenarioControls {
  return {
    async set(name, { next, parameters = {} } = {}) {
      if (next !== undefined && !(Number.isInteger(next) && next >= 1 && next <= MAX_NEXT)) {
        throw new InvalidInputError({
          field: "next",
          value: next,
          reason: `must be a whole number from 1 to ${MAX_NEXT}`,
          hint: "Pass the number of requests that it applies to, or omit it.",
        });
      }
      const chosen = chooseScenario(name, parameters, "name");
      const row = await insertScenario(store.db, {
        name: chosen.scenario.name,
        parameters: chosen.parameters,
        usesLeft: next ?? null,
        at: new Date(clock.now()),
      });
      // The notice may come later than the caller's next call.
      scenarios.forget();
      return toActive(row);
    },
    async clear(name) {
      const names = name === undefined ? undefined : [requireScenario(name, "name").name];
      const cleared = await deleteScenarios(store.db, names);
      scenarios.forget();
      if (names === undefined || names.includes("stuck")) await releaseRequests(store.db);
      return cleared.map(toActive);
    },
    async list() {
      return (await listScenarios(store.db)).map(toActive);
    },
  };
}

function toActive({ name, parameters, uses_left: next, uses, created_at: createdAt }: ScenarioRow): ActiveScenario {
  return { name, parameters, next, uses, createdAt: createdAt.toISOString() };
}
