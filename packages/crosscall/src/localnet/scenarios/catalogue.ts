import { InvalidInputError } from "@crosscall/protocol/core";
import { SERVICE_ERROR_CODES } from "@crosscall/protocol/errors";
import { FAIL_REASONS, REFUND_FAIL_REASONS } from "@crosscall/protocol/schema";
import { RESPONSE_FAULTS, BEHAVIORS } from "./families/behaviors.ts";
import { REFUND_REASONS } from "./families/depositReasons.ts";
import { FAIL_SCENARIOS } from "./families/failReasons.ts";
import { QUOTE_ERRORS } from "./families/quoteErrors.ts";
import { schemaOf } from "./parameters.ts";
import type { ResponseFaultName, BehaviorName, Scenario, ScenarioName, ScenarioParameter } from "./scenario.ts";

/** All scenarios: failReasons in the order of the specification, then the others by family. */
export const SCENARIOS: readonly Scenario[] = [
  ...FAIL_REASONS.map((name): Scenario => {
    const { how, what, hint } = FAIL_SCENARIOS[name];
    return { name, family: "failReason", how, what, hint, parameters: [] };
  }),
  ...REFUND_FAIL_REASONS.map((reason): Scenario => {
    const { change, what, hint } = REFUND_REASONS[reason];
    const how = change === undefined ? "simulated" : "chain";
    return { name: `refund:${reason}`, family: "refundFailReason", how, what, hint, parameters: [] };
  }),
  ...SERVICE_ERROR_CODES.map((code): Scenario => ({
    name: `quote:${code}`,
    family: "quoteError",
    how: "simulated",
    ...QUOTE_ERRORS[code],
    parameters: [],
  })),
  ...(Object.keys(BEHAVIORS) as BehaviorName[]).map((name): Scenario => ({
    name,
    family: "behavior",
    ...BEHAVIORS[name],
    parameters: describeParameters(name),
  })),
  ...(Object.keys(RESPONSE_FAULTS) as ResponseFaultName[]).map((name): Scenario => ({
    name,
    family: "answer",
    ...RESPONSE_FAULTS[name],
    parameters: describeParameters(name),
  })),
];

/**
 * Finds a scenario by name. The family may be omitted, as in `CHAIN_DISABLED`, unless a failReason has the same name.
 *
 * @param field field for the error
 * @throws {@link InvalidInputError} if the scenario is unknown
 */
export function requireScenario(name: string, field: string): Scenario {
  const scenario =
    SCENARIOS.find((candidate) => candidate.name === name) ??
    SCENARIOS.find((candidate) => candidate.name.split(":", 2)[1] === name);
  if (scenario !== undefined) return scenario;
  throw new InvalidInputError({
    field,
    value: name,
    reason: "it does not exist",
    hint: "Use a name listed by `crosscall scenarios`.",
  });
}

function describeParameters(name: ScenarioName): ScenarioParameter[] {
  return Object.entries(schemaOf(name).properties).map(([parameter, schema]) => ({
    name: parameter,
    meaning: (schema as { readonly description?: string }).description ?? "",
  }));
}
