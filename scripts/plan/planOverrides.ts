import type { ArgumentText } from "./mergeArguments.ts";

export interface PlanOverrides {
  /** As in a file. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly args: readonly ArgumentText[];
}
