import type { FailReason, RefundFailReason } from "../../packages/protocol/src/request/failReasons.ts";
import { KNOWN_ERRORS } from "../../packages/protocol/src/reverts/knownErrors.ts";
import { FAIL_REASONS, REFUND_FAIL_REASONS } from "../../packages/protocol/src/schema/values.ts";
import { SCENARIOS } from "../../packages/crosscall/src/localnet/scenarios/catalogue.ts";
import { DEPOSIT_REASONS } from "../../packages/crosscall/src/localnet/scenarios/families/depositReasons.ts";
import {
  FAIL_SCENARIOS,
  MARKET_REASONS,
  OTHER_CHAIN_REASONS,
  SOLVER_REASONS,
  TOKEN_REASONS,
} from "../../packages/crosscall/src/localnet/scenarios/families/failReasons.ts";
import { REVERT_REASONS } from "../../packages/crosscall/src/localnet/scenarios/families/revertReasons.ts";
import type { ScenarioName } from "../../packages/crosscall/src/localnet/scenarios/scenario.ts";
import texts from "./failReasonTexts.json" with { type: "json" };
import { formatTable, withReference } from "./pages.ts";

interface ReasonText {
  /** Meaning of the reason, in one sentence. */
  readonly meaning: string;
  /** Usual causes. */
  readonly causes: string;
}

/**
 * Texts by reason. The scenarios contain the rest: the hint, and whether the local network causes or simulates the
 * reason.
 */
const TEXTS: {
  readonly failReasons: Readonly<Record<FailReason, ReasonText>>;
  readonly refundFailReasons: Readonly<Record<RefundFailReason, ReasonText>>;
} = texts;

interface Group {
  readonly title: string;
  readonly text: string;
  readonly reasons: Readonly<Partial<Record<FailReason, unknown>>>;
}

const GROUPS: readonly Group[] = [
  {
    title: "Your calls reverted",
    text: "The solver simulates `txs` before it sends the fill. Replay the request to find the failed call.",
    reasons: REVERT_REASONS,
  },
  {
    title: "A token rejected a transfer or a signature",
    text: "The error comes from a token that your calls transfer. Replay the request to find the token.",
    reasons: TOKEN_REASONS,
  },
  {
    title: "A purchase or a mint failed",
    text: "The error comes from a marketplace or an NFT contract in your calls.",
    reasons: MARKET_REASONS,
  },
  {
    title: "The deposit or the order has a problem",
    text: "The fill was not attempted, or not for this deposit. Compare the deposit transaction with the steps of the quote.",
    reasons: DEPOSIT_REASONS,
  },
  {
    title: "The solver could not fill",
    text: "Your calls are not the cause.",
    reasons: SOLVER_REASONS,
  },
  {
    title: "Fills on SVM chains",
    text: "These reasons only occur on SVM chains, except `TRANSACTION_TOO_LARGE`.",
    reasons: OTHER_CHAIN_REASONS,
  },
];

/** Lists every failReason and refundFailReason with its meaning, its causes, and how to reproduce it. */
export function toFailReasonsPage(): string {
  const rows = FAIL_REASONS.map((reason) => [
    `[\`${reason}\`](#${reason.toLowerCase()})`,
    TEXTS.failReasons[reason].meaning,
    hintOf(reason),
  ]);
  const sections = [
    "## All reasons",
    "",
    formatTable(["failReason", "what it means", "what to do"], rows),
    "",
    ...GROUPS.flatMap(toGroup),
    "## When the refund fails too",
    "",
    "`data.refundFailReason` of the record states why the deposit was not returned.",
    "",
    ...REFUND_FAIL_REASONS.map(toRefundSection),
  ];
  return withReference("docs/why-fills-fail.md", sections.join("\n").trimEnd());
}

function hintOf(name: ScenarioName): string {
  return SCENARIOS.find((scenario) => scenario.name === name)?.hint ?? "";
}

function toGroup({ title, text, reasons }: Group): readonly string[] {
  const names = FAIL_REASONS.filter((reason) => reason in reasons);
  return [`## ${title}`, "", text, "", ...names.map(toReasonSection)];
}

function toReasonSection(reason: FailReason): string {
  const errors = KNOWN_ERRORS[reason] ?? [];
  const { act } = FAIL_SCENARIOS[reason];
  return toSection(reason, reason, TEXTS.failReasons[reason], [
    ...(errors.length === 0 ? [] : [`- **Errors on the chain:** ${errors.map((error) => `\`${error}\``).join(", ")}`]),
    ...(act.kind === "call" || act.kind === "fill" ? ["- **Find the call:** `crosscall replay <request id>`"] : []),
  ]);
}

function toRefundSection(reason: RefundFailReason): string {
  return toSection(`refund:${reason}`, `refund:${reason}`, TEXTS.refundFailReasons[reason], []);
}

function toSection(
  title: string,
  name: ScenarioName,
  { meaning, causes }: ReasonText,
  more: readonly string[],
): string {
  const { hint = "", how } = SCENARIOS.find((scenario) => scenario.name === name) ?? {};
  return [
    `### ${title}`,
    "",
    meaning,
    "",
    `- **Common causes:** ${causes}`,
    `- **What to do:** ${hint}`,
    ...more,
    `- **Reproduce it:** \`crosscall scenarios set ${name} --next 1\` (${how === "chain" ? "caused on the chain" : "reported only"})`,
    "",
  ].join("\n");
}
