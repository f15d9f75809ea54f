import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY } from "../../chains/address.ts";
import type { AllowanceState } from "../raiseAllowance.ts";
import type { AnyRecipe, RecipeUse } from "../recipes/recipe.ts";
import type { RouterParameters } from "../routerCall.ts";

export interface RecipeFragmentParameters {
  readonly recipe: AnyRecipe;
  readonly use: RecipeUse;
  readonly recipient: Address;
  /** Unix seconds; undefined for none. */
  readonly deadline: bigint | undefined;
  readonly router: RouterParameters;
  /** Wrapped native currency that the recipe takes, if native currency is delivered. */
  readonly wraps: Address | undefined;
  readonly allowance: AllowanceState;
  /** Smallest unit of the output; undefined for the default. */
  readonly minimumOut: bigint | undefined;
}

/** Currencies that a recipe may leave with its caller. */
export function currenciesOf({ takes, credits }: RecipeUse): Address[] {
  return [takes, ...(credits.kind === "token" && credits.to === "caller" ? [credits.token] : [])];
}

export function takesNative({ takes }: RecipeUse): boolean {
  return takes === EVM_NATIVE_CURRENCY;
}
