import type { FeeGroup, FeeTable } from "./feeTable.ts";
import { formatUsd } from "./usd.ts";
import { formatCurrencyAmount } from "../common/formatCurrencyAmount.ts";

const GROUP_LABELS: Readonly<Record<FeeGroup, string>> = {
  provider: "provider fee",
  app: "app fee",
  swapImpact: "swap impact",
  passThrough: "activation fee",
};

/**
 * Formats a fee table as text in US dollars: groups, their lines, and the payers. All numbers have the same number of
 * digits, so that they add up.
 */
export function formatFeeTable(table: FeeTable): string {
  const { lines, groups, totalUsdE18, sponsorPaysUsdE18, userPaysUsdE18, originGasUsdE18 } = table;
  const rows: [string, bigint][] = [];
  for (const [group, label] of Object.entries(GROUP_LABELS) as [FeeGroup, string][]) {
    const parts = lines.filter((line) => line.group === group);
    if (parts.length === 0) continue;
    rows.push([label, groups[group]]);
    if (parts.length > 1)
      rows.push(...parts.map(({ component, usdE18 }): [string, bigint] => [`  ${component}`, usdE18]));
  }
  rows.push(["total", totalUsdE18], ["sponsor pays", sponsorPaysUsdE18], ["user pays", userPaysUsdE18]);
  if (originGasUsdE18 !== undefined) rows.push(["origin gas, not in total", originGasUsdE18]);
  const text = layOut(rows);
  if (table.arrivesAtLeast !== undefined) {
    const { currency, amount } = table.arrivesAtLeast;
    text.push(`arrives at least ${formatCurrencyAmount(amount, currency)}`);
  }
  for (const { field, statedUsdE18, differenceUsdE18 } of table.mismatches) {
    text.push(`${field} is ${formatUsd(statedUsdE18)} USD, which differs by ${formatUsd(differenceUsdE18)} USD`);
  }
  return text.join("\n");
}

function layOut(rows: readonly [string, bigint][]): string[] {
  const digits = Math.max(...rows.map(([, usdE18]) => formatUsd(usdE18).split(".")[1]?.length ?? 0));
  const cells = rows.map(([label, usdE18]): [string, string] => [label, formatUsd(usdE18, digits)]);
  const labelWidth = Math.max(...cells.map(([label]) => label.length));
  const numberWidth = Math.max(...cells.map(([, number]) => number.length));
  return cells.map(([label, number]) => `${label.padEnd(labelWidth)}  ${number.padStart(numberWidth)} USD`);
}
