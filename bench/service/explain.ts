import type pg from "pg";

/** Work that the database does for a statement. */
export interface Plan {
  /** Number of rows that its scans read. */
  readonly rows: number;
  readonly planMs: number;
}

interface PlanNode {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Explains statements and adds up their plans. */
export async function explain(
  pool: pg.Pool,
  statements: readonly { readonly sql: string; readonly parameters: readonly unknown[] }[],
): Promise<Plan> {
  let [rows, planMs] = [0, 0];
  for (const { sql, parameters } of statements) {
    const result = await pool.query<{ "QUERY PLAN": [{ Plan: PlanNode; "Planning Time": number }] }>(
      `explain (analyze, format json) ${sql}`,
      [...parameters],
    );
    for (const { "QUERY PLAN": plans } of result.rows) {
      rows += rowsOf(plans[0].Plan);
      planMs += plans[0]["Planning Time"];
    }
  }
  return { rows, planMs };
}

function rowsOf(node: PlanNode): number {
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  const own = node["Relation Name"] === undefined ? 0 : (node["Actual Rows"] + removed) * node["Actual Loops"];
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), own);
}
