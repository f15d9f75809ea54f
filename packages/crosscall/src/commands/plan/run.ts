import { type CallFinding, decodeCalls, formatCalls, formatFindings } from "@crosscall/sdk/calls";
import { compact, printableData } from "@crosscall/protocol/core";
import { type FailOn, isFailing } from "../../options/commonOptions.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";
import { writeOut } from "../../terminal/replaceFile.ts";
import type { BuiltPlan } from "./buildPlan.ts";
import { checkPlan, requireCalls } from "./checkPlan.ts";
import type { PlanDescription } from "./parseActions.ts";
import { type PlanOptions, toPlanOverrides } from "./planOptions.ts";
import { describeKind, RECIPES } from "./recipeCatalogue.ts";
import { readPlan } from "./readPlan.ts";

export interface RecipeEntry {
  /** As for `--recipe`. */
  readonly recipe: string;
  readonly name: string;
  readonly about: string;
  readonly tradeTypes: readonly string[];
  /** Best first. */
  readonly liveWays: readonly string[];
  readonly minimum: string;
  readonly args: readonly { readonly name: string; readonly isOptional: boolean; readonly about: string }[];
}

export function listRecipes(): RecipeEntry[] {
  return Object.entries(RECIPES).map(([key, { recipe, args }]) => ({
    recipe: key,
    name: recipe.name,
    about: recipe.about,
    tradeTypes: recipe.tradeTypes,
    liveWays: recipe.liveWays,
    minimum: recipe.minimum,
    args: Object.entries(args).map(([name, { kind, isOptional = false }]) => ({
      name,
      isOptional,
      about: describeKind(kind),
    })),
  }));
}

function formatRecipes(entries: readonly RecipeEntry[]): string {
  return entries
    .map(({ recipe, about, tradeTypes, liveWays, minimum, args }) =>
      [
        recipe,
        `  ${about}`,
        `  trade types  ${tradeTypes.join(", ")}`,
        ...(liveWays.length === 0 ? [] : [`  live ways    ${liveWays.join(", ")}`]),
        `  minimum      ${MINIMUMS[minimum] ?? minimum}`,
        ...args.map(
          ({ name, isOptional, about: kind }) => `  --arg ${name}=…  ${kind}${isOptional ? ", optional" : ""}`,
        ),
      ].join("\n"),
    )
    .join("\n\n");
}

const MINIMUMS: Readonly<Record<string, string>> = {
  call: "required and enforced by the protocol",
  live: "with EXACT_INPUT; the proxy or the program enforces it",
  none: "none",
};

interface Options extends PlanOptions {
  readonly recipes?: boolean;
  readonly failOn: FailOn;
  readonly out?: string;
  readonly json?: boolean;
}

export async function runPlan(file: string | undefined, options: Options): Promise<void> {
  const { json = false, failOn, out } = options;
  if (options.recipes === true) {
    const recipes = listRecipes();
    writeOutput(json ? toJsonLine({ ok: true, recipes }) : `${formatRecipes(recipes)}\n`);
    return;
  }
  using interrupt = interruptOnCtrlC();
  const plan = await readPlan({ file, overrides: toPlanOverrides(options), signal: interrupt.signal });
  const findings = checkPlan(plan);
  const fails = isFailing(findings, failOn);
  if (out !== undefined && !fails) await writeOut(out, JSON.stringify(toPlanFile(plan), undefined, 2));
  writeOutput(
    json ? toJsonLine({ ok: !fails, ...toPlanFile(plan), findings }) : formatPlan(plan, printableData(findings)),
  );
  if (fails) process.exitCode = 1;
}

export function formatPlan(plan: BuiltPlan, findings: readonly CallFinding[]): string {
  const { tradeType, amount, destinationCurrency, txs } = requireCalls(plan);
  const terms = `${tradeType} of ${amount}; delivers ${destinationCurrency}`;
  return `${[terms, formatCalls(decodeCalls(txs)), formatFindings(findings)].join("\n")}\n`;
}

export function toPlanFile({ request, contracts }: BuiltPlan): PlanDescription {
  const { router, routerVersion, proxies, pushExecutor, livePuller, trusted, anyCallers } = contracts;
  const used = {
    proxies: copy(proxies),
    pushExecutor,
    livePuller,
    trusted: copy(trusted),
    anyCallers: copy(anyCallers),
  };
  return { ...request, router, ...compact({ routerVersion }), contracts: compact(used) };
}

function copy<Item>(items: readonly Item[] | undefined): Item[] | undefined {
  return items && [...items];
}
