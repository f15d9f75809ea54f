import type { JsonObject } from "../store/schema.ts";
import { requireScenario } from "./catalogue.ts";
import { fromText, parseParameters, schemaOf } from "./parameters.ts";
import type { ChosenScenario } from "./requestFaults.ts";

const REFERRER_PREFIX = "scenario:";

/** Referrer that is a test hook of the live service. */
const LIVE_HOOK = "debug-force-refund";

export const SCENARIO_HEADER = "x-crosscall-scenario";

/** Returns whether a referrer selects scenarios of the local service. */
export function isScenarioReferrer(referrer: string): boolean {
  return referrer.startsWith(REFERRER_PREFIX);
}

/**
 * Reads scenarios from a referrer such as `scenario:SLIPPAGE` or `scenario:delivery?bps=-50,slow-fill?delayMs=500`.
 *
 * @throws {@link InvalidInputError} that names the unknown scenario or parameter
 */
export function readReferrer(referrer: string | undefined): ChosenScenario[] {
  if (referrer === LIVE_HOOK) return readScenarios("MANUAL_ADMIN_REFUND", "referrer");
  if (referrer === undefined || !isScenarioReferrer(referrer)) return [];
  return readScenarios(referrer.slice(REFERRER_PREFIX.length), "referrer");
}

/**
 * Reads names with URL-style parameters, separated by commas. Items of a list are separated by semicolons.
 *
 * @param field location of the text, for the error
 * @throws {@link InvalidInputError} that names the unknown scenario or parameter
 */
export function readScenarios(text: string, field: string): ChosenScenario[] {
  return text.split(",").map((part) => {
    const [name = "", query = ""] = part.trim().split("?", 2);
    const schema = schemaOf(requireScenario(name, field).name);
    return chooseScenario(name, fromText(schema, Object.fromEntries(new URLSearchParams(query))), field);
  });
}

/**
 * @param field location of the name, for the error
 *
 * @throws {@link InvalidInputError} that names the invalid value
 */
export function chooseScenario(name: string, given: JsonObject, field: string): ChosenScenario {
  const scenario = requireScenario(name, field);
  return { scenario, parameters: parseParameters(schemaOf(scenario.name), given, scenario.name) };
}
