import { toTable } from "../table.ts";
import type { ExplanationRow } from "./measure.ts";

/**
 * `possible`: another cause, but marked as uncertain. `unknown`: no cause, although one was planted. `wrong`: another
 * cause or sentence, with certainty.
 */
type Judgment = "right" | "possible" | "unknown" | "wrong";

const SHARE_MIN = 0.95;

export function judge({ planted, explained, isCertain, isSaid }: ExplanationRow): Judgment {
  if (explained === planted && isSaid) return "right";
  if (isCertain || (planted === "unknown" && !isSaid)) return "wrong";
  return explained === "unknown" ? "unknown" : "possible";
}

/** Whether at least 95% of the planted causes are named, and none is wrong. */
export function isExpected(rows: readonly ExplanationRow[]): boolean {
  const planted = rows.filter((row) => row.planted !== "unknown").map(judge);
  const right = planted.filter((judgment) => judgment === "right").length;
  return right >= SHARE_MIN * planted.length && !rows.map(judge).includes("wrong");
}

/** Formats the confusion matrix: the counts by planted and explained cause, and the explanations that are not right. */
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
    // An unknown contract's error can be from any project, so the explanation only has to be uncertain.
    .filter((row) => judge(row) !== "right" && !(row.part === "foreign" && judge(row) === "possible"))
    .map(
      (row) =>
        `${judge(row)}: ${row.part}, ${row.name}: planted ${row.planted}, explained as ${row.explained}: ${row.cause}`,
    );
  const withCause = rows.filter((row) => row.planted !== "unknown").map(judge);
  const right = withCause.filter((judgment) => judgment === "right").length;
  const wrong = rows.filter((row) => judge(row) === "wrong").length;
  const totals = `${right} of ${withCause.length} planted causes named; ${wrong} of ${rows.length} explanations wrong`;
  return [matrix, ...others, totals].join("\n");
}
