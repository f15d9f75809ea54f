import { type Clock, InvalidInputError } from "@crosscall/protocol/core";
import {
  deleteScenarios,
  insertScenario,
  listScenarios,
  releaseRequests,
  type ScenarioRow,
} from "../store/scenarios.ts";
import type { JsonObject } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { requireScenario } from "./catalogue.ts";
import type { KnownScenarios } from "./followScenarios.ts";
import { chooseScenario } from "./readScenarios.ts";

/** A scenario to set. */
export interface SetScenario {
  /** Number of requests, quotes or HTTP requests to affect; unlimited by default. */
  readonly next?: number;
  /** Parameters, as listed by `crosscall scenarios`. */
  readonly parameters?: JsonObject;
}

/** An active scenario. */
export interface ActiveScenario {
  readonly name: string;
  readonly parameters: JsonObject;
  /** Remaining uses; null if unlimited until cleared. */
  readonly next: number | null;
  /** Number of times that the scenario applied. */
  readonly uses: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Controls that set and clear scenarios of a running network. */
export interface ScenarioControls {
  /**
   * Sets a scenario for the next requests or HTTP requests.
   *
   * @throws {@link InvalidInputError} for an unknown name, or an invalid parameter
   */
  set(name: string, options?: SetScenario): Promise<ActiveScenario>;
  /**
   * Clears one scenario or all. Requests held by `stuck` continue.
   *
   * @returns the cleared scenarios
   * @throws {@link InvalidInputError} for an unknown name
   */
  clear(name?: string): Promise<ActiveScenario[]>;
  /** Lists the active scenarios in the order in which they were set. */
  list(): Promise<ActiveScenario[]>;
}

export interface ScenarioControlsParameters {
  readonly store: Pick<Store, "db">;
  readonly clock: Clock;
  readonly scenarios: Pick<KnownScenarios, "forget">;
}

const MAX_NEXT = 1_000_000;

export function createScenarioControls({ store, clock, scenarios }: ScenarioControlsParameters): ScenarioControls {
  return {
    async set(name, { next, parameters = {} } = {}) {
      if (next !== undefined && !(Number.isInteger(next) && next >= 1 && next <= MAX_NEXT)) {
        throw new InvalidInputError({
          field: "next",
          value: next,
          reason: `must be a whole number from 1 to ${MAX_NEXT}`,
          hint: "Pass the number of requests to affect, or omit it.",
        });
      }
      const chosen = chooseScenario(name, parameters, "name");
      const row = await insertScenario(store.db, {
        name: chosen.scenario.name,
        parameters: chosen.parameters,
        usesLeft: next ?? null,
        at: new Date(clock.now()),
      });
      // Reads the scenarios now, because the notice can arrive after the caller's next request.
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
