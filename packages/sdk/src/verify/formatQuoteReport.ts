import { compact, sarifLog } from "@crosscall/protocol/core";
import {
  QUOTE_CLAIMS,
  type QuoteClaim,
  type QuoteItemReport,
  type QuoteReport,
  type QuoteVerdict,
} from "./quoteReport.ts";

const VERDICTS: Readonly<Record<QuoteVerdict, string>> = {
  bound: "The steps do only what you requested.",
  needsSimulation: "Decoding does not show the effects of the steps. Simulate them before you sign.",
  refused: "The quote does not match the request. Do not sign it.",
};

/** Formats the effects of the steps, and the unmet claims. */
export function formatQuoteReport(report: QuoteReport): string {
  const { items, claims, verdict, warnings } = report;
  const unmet = claims.filter(({ isMet }) => !isMet);
  const width = Math.max(...items.map(({ path }) => path.length), 0);
  return [
    ...items.map(
      (item) => `${item.verdict.padEnd("needsSimulation".length)}  ${item.path.padEnd(width)}  ${item.effect}`,
    ),
    "",
    ...unmet.flatMap((claim) => linesOf("unmet", claim)),
    ...warnings.flatMap((claim) => linesOf("warning", claim)),
    `${claims.length - unmet.length} of ${claims.length} claims are met.`,
    `${verdict}: ${VERDICTS[verdict]}`,
  ].join("\n");
}

function linesOf(label: string, { code, path, expected, seen }: QuoteClaim): readonly string[] {
  return [`${label} ${code} ${path}`, `  expected ${expected}`, `  seen     ${seen}`];
}

/** Reports unmet claims as errors, and warnings and items that need a simulation as warnings. */
export function quoteReportToSarif({ items, claims, warnings }: QuoteReport, quoteFile?: string): object {
  const rules = [
    ...Object.entries(QUOTE_CLAIMS).map(([id, text]) => ({ id, text, level: "error" as const })),
    { id: "NEEDS_SIMULATION", text: VERDICTS.needsSimulation, level: "warning" as const },
  ];
  return sarifLog("crosscall", rules, [
    ...claims.filter(({ isMet }) => !isMet).map((claim) => compact({ ...ofClaim(claim, "error"), file: quoteFile })),
    ...warnings.map((claim) => compact({ ...ofClaim(claim, "warning"), file: quoteFile })),
    ...items
      .filter(({ verdict }) => verdict === "needsSimulation")
      .map((item) => compact({ ...ofItem(item), file: quoteFile })),
  ]);
}

function ofClaim({ code, path, expected, seen }: QuoteClaim, level: "error" | "warning") {
  return {
    ruleId: code,
    level,
    text: `${QUOTE_CLAIMS[code]} Expected ${expected}, seen ${seen}.`,
    name: path,
  };
}

function ofItem({ path, effect }: QuoteItemReport) {
  return { ruleId: "NEEDS_SIMULATION", level: "warning" as const, text: `The step ${effect}.`, name: path };
}
