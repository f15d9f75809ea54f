import { describeKind } from "./readArgument.ts";
import { RECIPES } from "./recipeCatalogue.ts";

interface RecipeEntry {
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

export function formatRecipes(entries: readonly RecipeEntry[]): string {
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
  call: "needed: the protocol keeps it",
  live: "with EXACT_INPUT: the proxy or the program keeps it",
  none: "none",
};
