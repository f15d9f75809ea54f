import * as Type from "typebox";

import { formatFindings } from "@crosscall/sdk/calls";
import { printableData } from "@crosscall/protocol/core";
import { isFailing } from "../../../options/commonOptions.ts";
import { readJson } from "../../../options/readJson.ts";
import { type BuiltPlan, buildPlan } from "../../plan/buildPlan.ts";
import { checkPlan, readFacts } from "../../plan/checkPlan.ts";
import { parsePart, PlanDescriptionSchema } from "../../plan/parseActions.ts";
import { findRecipe } from "../../plan/recipeCatalogue.ts";
import { formatPlan, listRecipes, toPlanFile } from "../../plan/run.ts";
import { requireJsonFile } from "../files.ts";
import { endpointOf, placeField, type Places } from "../places.ts";
import { codesOf, commandOf, defineTool, type Tool } from "../tool.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));

/** The common fields. `buildPlan` checks all fields, so that the schema stays short. */
const PlanSchema = Type.Object(
  {
    recipe: text("Name from list_recipes. Alternatives: `actions`, `txs`."),
    args: Type.Optional(Type.Object({}, { description: "Arguments of the recipe." })),
    proxy: text("Typed proxy of the recipe: calls then work for all delivered amounts."),
    tradeType: text("EXACT_INPUT or EXACT_OUTPUT."),
    amount: text("Paid (EXACT_INPUT) or delivered (EXACT_OUTPUT) amount in the smallest unit."),
    user: text("Account that pays."),
    recipient: text("Account that receives output and leftovers; default: user."),
    refundTo: text("Account that receives refunds."),
    originChainId: Type.Optional(Type.Integer()),
    originCurrency: text("The zero address is native currency."),
    destinationChainId: Type.Optional(Type.Integer()),
    destinationCurrency: text("Delivered currency; omit it with a recipe."),
    minimumOut: text("Minimum output of the recipe."),
  },
  { description: "Fields of a plan file; read_docs of plan-files.md lists all." },
);

/** Input field for a plan, without the list of its fields. */
export const planField = Type.Union(
  [
    Type.Object({}, { description: "A plan as in the tool plan." }),
    Type.String({ description: "Path of a plan.json." }),
  ],
  { description: "The plan, or the path of its JSON file." },
);

/** A plan that a tool received. */
export interface GivenPlan {
  readonly plan: BuiltPlan;
  /** File for a command. A plan that was passed as an object has none yet. */
  readonly file: string;
}

export async function readGivenPlan(given: string | object): Promise<GivenPlan> {
  const file = typeof given === "string" ? await requireJsonFile(given, "plan") : "plan.json";
  const raw = typeof given === "string" ? await readJson(file, "plan") : given;
  return { plan: buildPlan(parsePart(PlanDescriptionSchema, raw, "")), file };
}

export function composeTools(places: Places): readonly Tool[] {
  return [
    defineTool({
      name: "list_recipes",
      description: "List the recipes that compose calls to protocols, or the arguments of one.",
      input: { recipe: Type.Optional(Type.String({ description: "Name of one recipe." })) },
      run({ recipe }) {
        if (recipe !== undefined) findRecipe(recipe);
        const recipes = listRecipes();
        const facts =
          recipe === undefined
            ? { recipes: recipes.map(({ recipe: name, about }) => ({ recipe: name, about })) }
            : { recipe: recipes.find(({ recipe: key, name }) => key === recipe || name === recipe) };
        return { ok: true, facts, command: commandOf("plan", "--recipes") };
      },
    }),
    defineTool({
      name: "plan",
      description:
        "Compose the calls of a plan from a recipe, actions or txs, and check them offline. Returns the plan file with its txs; save `plan` as plan.json for the commands.",
      input: { plan: Type.Union([PlanSchema, Type.String({ description: "Path of a plan.json." })]) },
      async run({ plan: given }) {
        const { plan, file } = await readGivenPlan(given);
        const findings = checkPlan(plan);
        return {
          ok: !isFailing(findings, "error"),
          summary: formatPlan(plan, printableData(findings)),
          facts: { findings: codesOf(findings), plan: toPlanFile(plan) },
          command: commandOf("plan", file),
        };
      },
    }),
    defineTool({
      name: "check",
      description:
        "Find calls of a plan that would fail, lose funds, or leave funds behind. Reads code, vaults and allowances if the destination chain has an endpoint.",
      input: { plan: planField, ...placeField },
      async run({ plan: given, place: name }, signal) {
        const { plan, file } = await readGivenPlan(given);
        const { destinationChainId } = plan.request;
        const place = await places.select(name);
        const rpcUrl = endpointOf(place, destinationChainId);
        const notes: string[] = [];
        const note = (line: string): void => void notes.push(line);
        const facts = rpcUrl === undefined ? {} : await readFacts(plan, { rpcUrl, source: "option" }, { signal, note });
        const findings = checkPlan(plan, facts);
        return {
          ok: !isFailing(findings, "error"),
          summary: formatFindings(printableData(findings)),
          facts: { findings: codesOf(findings), readsChain: rpcUrl !== undefined, notes },
          command: commandOf("check", file, ...(rpcUrl === undefined ? [] : place.rpcFlags(destinationChainId))),
        };
      },
    }),
  ];
}
