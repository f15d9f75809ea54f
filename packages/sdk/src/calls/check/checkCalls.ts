import { rejectMisspelledOptions, rejectUnknownNestedOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { CrosscallError } from "@crosscall/protocol/core";
import { buildContext } from "./buildContext.ts";
import { CHECK_OPTIONS, type CheckCallsParameters } from "./parameters.ts";
import { type CallFinding, type FindingCode, RULES } from "./rules.ts";

/** The calls would lose funds or fail. No quote was requested. */
export class CallsRefusedError extends CrosscallError {
  readonly code = "CALLS_REFUSED";
  /** Findings with the severity error. */
  declare readonly findings: readonly CallFinding[];

  constructor(findings: readonly CallFinding[]) {
    const [first] = findings;
    const where = first?.index === undefined ? "" : ` of txs[${first.index}]`;
    const more = findings.length > 1 ? `, and ${findings.length - 1} more` : "";
    super(
      {
        message: `the calls were rejected: ${first?.code}${where}: ${first?.reason}${more}`,
        hint: first?.hint ?? "See the findings.",
      },
      { findings },
    );
  }
}

/**
 * Checks the calls of a request: approvals, amounts, order, recipients, leftovers and the router's pitfalls (spec 2,
 * call execution rules; `docs/checks.md` lists the rules). Checks functions that `decodeCalls` knows; for other calls,
 * checks only the target. Does not access the network: pass chain data as `facts`.
 *
 * @returns the findings: first for the whole request, then by entry of `txs`; empty if there are none
 */
export function checkCalls(parameters: CheckCallsParameters): CallFinding[] {
  rejectMisspelledOptions(parameters, [
    "contracts",
    "facts",
    "request",
    "tradeType",
    "amount",
    "destinationCurrency",
    "recipient",
    "refundTo",
    "txs",
  ]);
  rejectUnknownNestedOptions(parameters, CHECK_OPTIONS);
  const context = buildContext(parameters);
  const codes = Object.keys(RULES) as FindingCode[];
  return codes
    .flatMap((code) => {
      const { severity, hint: defaultHint, find } = RULES[code];
      return find(context).map(({ index, reason, hint = defaultHint }) => ({ code, severity, index, reason, hint }));
    })
    .toSorted((a, b) => (a.index ?? -1) - (b.index ?? -1));
}

/**
 * Throws if `checkCalls` finds an error.
 *
 * @param accepts errors to accept
 * @returns warnings, notes, and accepted errors
 * @throws {@link CallsRefusedError} with the errors
 */
export function requireSoundCalls(
  parameters: CheckCallsParameters,
  accepts: readonly FindingCode[] = [],
): CallFinding[] {
  const findings = checkCalls(parameters);
  rejectErrors(findings, accepts);
  return findings;
}

/** @param accepts errors to accept */
export function rejectErrors(findings: readonly CallFinding[], accepts: readonly FindingCode[] = []): void {
  const refused = findings.filter(({ code, severity }) => severity === "error" && !accepts.includes(code));
  if (refused.length > 0) throw new CallsRefusedError(refused);
}
