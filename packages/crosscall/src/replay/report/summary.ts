import { getAddress } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { describeCondition, type FailedCondition } from "../verdict.ts";
import type { ReplayReport, ReplaySource, TraceLog, TraceNode } from "../replayReport.ts";
import { type Notation, shown } from "./notation.ts";
import type { Envelope } from "../envelope/envelope.ts";
import type { FillPlan } from "../fillPlan.ts";

export interface Fact {
  readonly label: string;
  readonly text: string;
}

export function headlineOf({ verdict }: Pick<ReplayReport, "verdict">): string {
  if (verdict.outcome === "success") return "The fill works.";
  return `The fill fails: ${verdict.failReason}${verdict.txIndex === undefined ? "" : ` in txs[${verdict.txIndex}]`}.`;
}

export function failureFacts({ verdict, trace }: ReplayReport, notation: Notation): Fact[] {
  if (verdict.outcome === "success") return [];
  const { error, condition, hint, explanation } = verdict;
  const cause = findNode(trace, verdict.path);
  const stated = explanation?.isCertain === false ? undefined : condition;
  return [
    { label: "error", text: notation.textOf(error) },
    ...(stated === undefined
      ? explanation === undefined
        ? []
        : [{ label: "cause", text: notation.textOf(explanation.cause) }]
      : [{ label: "condition", text: describeCondition(stated, notation) }]),
    ...(cause === undefined ? [] : [{ label: "call", text: describeCall(cause, notation) }]),
    { label: "to do", text: notation.textOf(condition === undefined ? hint : withUnits(hint, condition, notation)) },
    ...(stated !== undefined || explanation?.source === undefined
      ? []
      : [{ label: "source", text: notation.textOf(explanation.source) }]),
  ];
}

/** Writes a condition's amounts in whole units, followed by the value to use in code. */
function withUnits(hint: string, condition: FailedCondition, notation: Notation): string {
  const { needed, had } = condition;
  const currency = "currency" in condition ? condition.currency : undefined;
  if (currency === undefined || !notation.isKnown(currency)) return hint;
  const amounts = [needed, had, needed - had].map(String);
  // A hint names the currency only if it has no symbol. Indexes of `txs` are not amounts.
  return hint.replace(
    /(?<!\[)\b(\d+)\b(?:\sof (0x[0-9a-fA-F]{40}))?/gu,
    (text, digits: string, of: string | undefined) =>
      amounts.includes(digits) && (of === undefined || isSameAddress(of, currency))
        ? `${notation.numberOf(BigInt(digits), currency)} ${notation.symbolOf(currency)} (${digits})`
        : text,
  );
}

export function circumstances(report: ReplayReport, notation: Notation): Fact[] {
  const { source, plan, blockNumber, amount, gasUsed, original } = report;
  return [
    { label: "replay of", text: describeSource(source) },
    { label: "state", text: `chain ${plan.chainId} after block ${blockNumber}` },
    { label: "delivered", text: notation.amountOf(amount, plan.currency) },
    {
      label: "the order",
      text:
        `at least ${notation.amountOf(plan.minimumAmount, plan.currency)}, ` +
        `expected ${notation.amountOf(plan.expectedAmount, plan.currency)}`,
    },
    { label: "recipient", text: getAddress(plan.recipient) },
    { label: "router", text: `${getAddress(plan.router)} (${plan.routerVersion})` },
    { label: "gas used", text: `${gasUsed}${plan.gas === undefined ? "" : ` of a limit of ${plan.gas}`}` },
    ...(original === undefined
      ? []
      : [
          {
            label: "original",
            text:
              `${original.hash} in block ${original.blockNumber}: ${original.success ? "worked" : "failed"} with ` +
              `${original.gasUsed} gas; ${original.isReproduced ? "reproduced exactly" : "not reproduced"}`,
          },
        ]),
  ];
}

export function describeCall({ frame, call }: TraceNode, notation: Notation): string {
  const target = frame.to === undefined ? "new contract" : notation.nameOf(frame.to);
  if (call !== undefined) return `${target}.${notation.textOf(call)}`;
  if (frame.kind === "CREATE" || frame.kind === "CREATE2") return `${target} is created`;
  if (frame.input === "0x") return `${target} gets native currency`;
  return `${target}.${frame.input.slice(0, 10)}(${(frame.input.length - 2) / 2} bytes)`;
}

export function describeLog({ address, event, topics, data }: TraceLog, notation: Notation): string {
  const words =
    event === undefined ? `${topics[0] ?? "anonymous"} (${(data.length - 2) / 2} bytes)` : notation.textOf(event);
  return `${notation.nameOf(address)}.${words}`;
}

function findNode(root: TraceNode, path: readonly number[]): TraceNode | undefined {
  let node: TraceNode | undefined = root;
  for (const index of path) node = node?.calls[index];
  return node;
}

function describeSource(source: ReplaySource): string {
  switch (source.kind) {
    case "request":
      return `request ${source.requestId}, status ${shown(source.status)}`;
    case "transaction":
      return `transaction ${source.hash}`;
    case "quote":
      return source.requestId === undefined ? "a quote" : `the quote of request ${source.requestId}`;
    case "plan":
      return `plan ${shown(source.name)}`;
  }
}

export function envelopeFacts({ points, smallestWorking, gas }: Envelope, plan: FillPlan, notation: Notation): Fact[] {
  const { currency } = plan;
  const first = points.at(0);
  const last = points.at(-1);
  return [
    ...(first === undefined || last === undefined
      ? []
      : [
          {
            label: "tried",
            text:
              `${points.length} amounts from ${notation.amountOf(first.amount, currency)} to ` +
              notation.amountOf(last.amount, currency),
          },
        ]),
    {
      label: "works from",
      text: smallestWorking === undefined ? "no amount works" : notation.amountOf(smallestWorking, currency),
    },
    ...(gas === undefined
      ? []
      : [
          {
            label: "gas",
            text: `${gas.maximum} at most, p99 ${gas.p99}, recommended limit ${gas.recommendedLimit}`,
          },
        ]),
  ];
}

type TraceStep =
  | { readonly kind: "call"; readonly node: TraceNode; readonly index: number }
  | { readonly kind: "log"; readonly log: TraceLog };

export function stepsOf({ calls, logs }: TraceNode): TraceStep[] {
  const logsAfter = (made: number): TraceStep[] =>
    logs.filter(({ position }) => position === made).map((log) => ({ kind: "log", log }));
  return [
    ...logsAfter(0),
    ...calls.flatMap((node, index): TraceStep[] => [{ kind: "call", node, index }, ...logsAfter(index + 1)]),
  ];
}
