import { toTable } from "../table.ts";
import type { ExplanationRow } from "./measure.ts";

/**
 * `possible`: another cause, but marked as uncertain. `unknown`: no cause, although one was planted. `wrong`: another
 * cause, with certainty.
 */
type Judgment = "right" | "possible" | "unknown" | "wrong";

const SHARE_MIN = 0.95;

export function judge({ planted, explained, isCertain }: ExplanationRow): Judgment {
  if (explained === planted) return "right";
  if (isCertain) return "wrong";
  return explained === "unknown" ? "unknown" : "possible";
}

/** Whether at least 95 % are right, and none is wrong. */
export function isExpected(rows: readonly ExplanationRow[]): boolean {
  const judged = rows.map(judge);
  const right = judged.filter((judgment) => judgment === "right").length;
  return right >= SHARE_MIN * rows.length && !judged.includes("wrong");
}

/** Formats the confusion matrix: the counts by planted and explained cause, and what is not right. */
export function toText(rows: readonly ExplanationRow[]): string {
  const planted = Map.groupBy(rows, (row) => row.planted);
  const matrix = toTable([
    ["planted cause", "failures", "right", "unknown", "possible", "wrong", "explained as"],
    ...[...planted]
      .toSorted(([one], [two]) => one.localeCompare(two))
      .map(([cause, ofCause]) => {
        const count = (judgment: Judgment): string => String(ofCause.filter((row) => judge(row) === judgment).length);
        const others = [...Map.groupBy(ofCause, (row) => row.explained)]
          .filter(([explained]) => explained !== cause)
          .map(([explained, { length }]) => `${length} ${explained}`);
        return [
          cause,
          String(ofCause.length),
          count("right"),
          count("unknown"),
          count("possible"),
          count("wrong"),
          others.join(", "),
        ];
      }),
  ]);
  const others = rows
    .filter((row) => judge(row) !== "right")
    .map(
      (row) =>
        `${judge(row)}: ${row.part}, ${row.name}: planted ${row.planted}, explained as ${row.explained}: ${row.cause}`,
    );
  const right = rows.filter((row) => judge(row) === "right").length;
  return [matrix, ...others, `${right} of ${rows.length} right`].join("\n");
}
