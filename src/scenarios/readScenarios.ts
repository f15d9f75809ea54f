import type { JsonObject } from "../store/tables/scenarioTables.ts";
import { requireScenario } from "./catalogue.ts";
import { fromText, parseParameters, schemaOf } from "./parameters.ts";
import type { ChosenScenario } from "./requestFaults.ts";

/** What a referrer that names scenarios begins with. */
const REFERRER_PREFIX = "scenario:";

/** The live service's own test hook (spec 4, section 4). */
const LIVE_HOOK = "debug-force-refund";

/** The header that names scenarios. */
export const SCENARIO_HEADER = "x-crosscall-scenario";

/**
 * The scenarios that a quote's referrer names: `scenario:SLIPPAGE`, `scenario:delivery?bps=-50,slow-fill?delayMs=500`.
 *
 * @throws {@link InvalidInputError} naming what is no scenario, or no parameter of it
 */
export function readReferrer(referrer: string | undefined): ChosenScenario[] {
  if (referrer === LIVE_HOOK) return readScenarios("MANUAL_ADMIN_REFUND", "referrer");
  if (referrer?.startsWith(REFERRER_PREFIX) !== true) return [];
  return readScenarios(referrer.slice(REFERRER_PREFIX.length), "referrer");
}

/**
 * Scenarios as text: names with parameters like those of a URL, a comma between two. The items of a list have
 * a semicolon between them.
 *
 * @param field where the text stands, for the error
 * @throws {@link InvalidInputError} naming what is no scenario, or no parameter of it
 */
export function readScenarios(text: string, field: string): ChosenScenario[] {
  return text.split(",").map((part) => {
    const [name = "", query = ""] = part.trim().split("?", 2);
    const schema = schemaOf(requireScenario(name, field).name);
    return chooseScenario(name, fromText(schema, Object.fromEntries(new URLSearchParams(query))), field);
  });
}

/**
 * A scenario by its name, with parameters that it can use.
 *
 * @param field where the name stands, for the error
 * @throws {@link InvalidInputError} naming what cannot be used
 */
export function chooseScenario(name: string, given: JsonObject, field: string): ChosenScenario {
  const scenario = requireScenario(name, field);
  return { scenario, parameters: parseParameters(schemaOf(scenario.name), given, scenario.name) };
}
