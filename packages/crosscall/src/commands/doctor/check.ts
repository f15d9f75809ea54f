/** `warning`: it works, but something needs attention. `skipped`: what it needs was not given. */
export type CheckState = "ok" | "warning" | "failed" | "skipped";

/** Result of one check. */
export interface Check {
  readonly area: "project" | "service" | "chain";
  /** What should hold. */
  readonly name: string;
  readonly state: CheckState;
  readonly seen: string;
  /** What to do, unless all is well. */
  readonly hint?: string;
}
