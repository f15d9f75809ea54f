import type { ArgumentText } from "./mergeArguments.ts";

/** What the command line says of a plan. */
export interface PlanOverrides {
  /** Fields of the plan, as a file would have them. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Arguments of its recipe. */
  readonly args: readonly ArgumentText[];
}
