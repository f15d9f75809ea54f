import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY } from "../../chains/address.ts";
import type { AllowanceState } from "../raiseAllowance.ts";
import type { AnyRecipe, RecipeUse } from "../recipes/recipe.ts";
import type { RouterParameters } from "../routerCall.ts";

/** What the fragments of recipes are made of. */
export interface RecipeFragmentParameters {
  readonly recipe: AnyRecipe;
  readonly use: RecipeUse;
  readonly recipient: Address;
  /** Unix seconds; undefined for none. */
  readonly deadline: bigint | undefined;
  readonly router: RouterParameters;
  /** The wrapped native that the recipe takes, where native is delivered. */
  readonly wraps: Address | undefined;
  readonly allowance: AllowanceState;
  /** Smallest unit of the output; undefined where the caller set none. */
  readonly minimumOut: bigint | undefined;
}

/** The currencies of which a recipe may leave something with its caller. */
export function currenciesOf({ takes, credits }: RecipeUse): Address[] {
  return [takes, ...(credits.kind === "token" && credits.to === "caller" ? [credits.token] : [])];
}

/** Whether the input of a use is native. */
export function takesNative({ takes }: RecipeUse): boolean {
  return takes === EVM_NATIVE_CURRENCY;
}
