import { toTable } from "../table.ts";
import type { Judgment, MatrixRow } from "./confusionMatrix.ts";
import { FALSE_ALARMS } from "./falseAlarms.ts";

/** Requests by judgment. */
export type MatrixCounts = Readonly<Record<Judgment, number>>;

/** Counts the requests by judgment. */
export function countRows(rows: readonly MatrixRow[]): MatrixCounts {
  const count = (judgment: Judgment): number => rows.filter((row) => row.judgment === judgment).length;
  return {
    "true pass": count("true pass"),
    "true alarm": count("true alarm"),
    "false alarm": count("false alarm"),
    "false pass": count("false pass"),
    miss: count("miss"),
  };
}

/** Whether the preflight found every cause that existed, and every false alarm is known. */
export function isExpected(rows: readonly MatrixRow[]): boolean {
  return rows.every(
    ({ name, judgment }) =>
      judgment !== "false pass" && (judgment !== "false alarm" || FALSE_ALARMS[name] !== undefined),
  );
}

/** Formats the matrix as text. */
export function toText(rows: readonly MatrixRow[]): string {
  const counts = countRows(rows);
  const table = toTable([
    ["request", "cause", "preflight", "outcome", "judgment", "codes"],
    ...rows.map(({ name, cause, preflight, outcome, judgment, codes }) => [
      name,
      cause,
      preflight,
      outcome,
      judgment,
      codes.join(" "),
    ]),
  ]);
  const matrix = toTable([
    ["", "filled", "not filled", "not filled, cause arose after the preflight"],
    ["preflight passed", String(counts["true pass"]), String(counts["false pass"]), String(counts.miss)],
    ["preflight failed", String(counts["false alarm"]), String(counts["true alarm"]), ""],
  ]);
  const alarms = rows
    .filter(({ judgment }) => judgment === "false alarm")
    .map(({ name }) => `false alarm: ${name}. ${FALSE_ALARMS[name] ?? "Unknown reason."}`);
  return [table, matrix, alarms.join("\n")].join("\n\n");
}
