import type { CallChange, Change, ReplayDiff } from "../diffReplays.ts";
import type { ReplayReport, Transfer } from "../replayReport.ts";
import { type Notation, notationOf } from "./notation.ts";
import { headlineOf } from "./summary.ts";

/** Formats a diff with the amounts and names of the second replay. */
export function formatDiff(diff: ReplayDiff, after: ReplayReport): string {
  const notation = notationOf(after);
  const { currency } = after.plan;
  const lines = [
    ...changeLine("verdict", diff.verdict, (verdict) => headlineOf({ verdict })),
    ...changeLine("after block", diff.blockNumber, String),
    ...changeLine("delivered", diff.amount, (amount) => notation.amountOf(amount, currency)),
    ...changeLine("gas used", diff.gasUsed, String),
    ...diff.plan.terms.map(({ field, before, after: now }) => `plan ${field}: ${String(before)} -> ${String(now)}`),
    ...diff.plan.calls.map(describeCallChange),
    ...diff.outputs.flatMap((output) =>
      changeLine("received", output, (amount) => notation.amountOf(amount, output.currency)),
    ),
    ...diff.balances.flatMap((balance) =>
      changeLine(`change of ${notation.nameOf(balance.account)}`, balance, (amount) =>
        notation.amountOf(amount, balance.currency),
      ),
    ),
    ...diff.allowances.flatMap((allowance) =>
      changeLine(
        `allowance of ${notation.nameOf(allowance.owner)} to ${notation.nameOf(allowance.spender)}`,
        allowance,
        (amount) => (amount === undefined ? "untouched" : notation.amountOf(amount, allowance.token)),
      ),
    ),
    ...diff.transfers.before.map((transfer) => `- ${describeTransfer(transfer, notation)}`),
    ...diff.transfers.after.map((transfer) => `+ ${describeTransfer(transfer, notation)}`),
  ];
  return ["Difference", ...(lines.length === 0 ? ["none"] : lines).map((line) => `  ${line}`)].join("\n");
}

function changeLine<Value>(
  label: string,
  change: Change<Value> | undefined,
  toText: (value: Value) => string,
): string[] {
  return change === undefined ? [] : [`${label}: ${toText(change.before)} -> ${toText(change.after)}`];
}

function describeCallChange(change: CallChange): string {
  switch (change.kind) {
    case "added":
      return `+ txs[${change.index}] to ${change.call.to}`;
    case "removed":
      return `- txs[${change.index}] to ${change.call.to}`;
    case "changed":
      return `txs[${change.beforeIndex}] -> txs[${change.afterIndex}] to ${change.after.to}`;
  }
}

function describeTransfer({ currency, from, to, amount }: Transfer, notation: Notation): string {
  return `${notation.amountOf(amount, currency)} from ${notation.nameOf(from)} to ${notation.nameOf(to)}`;
}
