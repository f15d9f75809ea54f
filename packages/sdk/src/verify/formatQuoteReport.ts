import { compact, sarifLog } from "@crosscall/protocol/core";
import {
  type EffectPart,
  QUOTE_CLAIMS,
  type QuoteClaim,
  type QuoteItemReport,
  type QuoteReport,
  type QuoteVerdict,
  rawText,
} from "./quoteReport.ts";

/** Notation of amounts and accounts in a report. */
export interface ReportNotation {
  part(part: EffectPart): string;
  /** Formats the expected or seen value of a claim. */
  claimValue(claim: QuoteClaim, value: string): string;
}

const RAW: ReportNotation = { part: rawText, claimValue: (_claim, value) => value };

/** Formats the effect of an item in a notation. */
export function formatEffect({ parts }: Pick<QuoteItemReport, "parts">, notation: ReportNotation = RAW): string {
  return parts.map((part) => notation.part(part)).join("");
}

const VERDICTS: Readonly<Record<QuoteVerdict, string>> = {
  bound: "The steps do only what you requested.",
  needsSimulation: "Decoding does not show the effects of the steps. Simulate them before you sign.",
  refused: "The quote does not match the request. Do not sign it.",
};

/**
 * Formats the verdict, the effects of the steps, and the unmet claims.
 *
 * @param notation the values of the quote by default
 */
export function formatQuoteReport(report: QuoteReport, notation: ReportNotation = RAW): string {
  const { items, claims, verdict, warnings } = report;
  const unmet = claims.filter(({ isMet }) => !isMet);
  const width = Math.max(...items.map(({ path }) => path.length), 0);
  return [
    `${verdict}: ${VERDICTS[verdict]}`,
    "",
    ...items.map(
      (item) =>
        `${item.verdict.padEnd("needsSimulation".length)}  ${item.path.padEnd(width)}  ${formatEffect(item, notation)}`,
    ),
    "",
    ...unmet.flatMap((claim) => linesOf("unmet", claim, notation)),
    ...warnings.flatMap((claim) => linesOf("warning", claim, notation)),
    `${claims.length - unmet.length} of ${claims.length} claims are met.`,
  ].join("\n");
}

function linesOf(label: string, claim: QuoteClaim, notation: ReportNotation): readonly string[] {
  return [
    `${label} ${claim.code} ${claim.path}`,
    `  expected ${notation.claimValue(claim, claim.expected)}`,
    `  seen     ${notation.claimValue(claim, claim.seen)}`,
  ];
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
