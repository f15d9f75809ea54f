import type { ListedRequest } from "./eachRequest.ts";
import { COLUMNS, toRow } from "./flatRequest.ts";

export function toTable(requests: readonly ListedRequest[]): string {
  if (requests.length === 0) return "no requests\n";
  const rows = requests.map(({ record }) => {
    const row = toRow(record);
    return [
      row.id,
      row.status,
      row.requestType,
      `${row.originChainId} -> ${row.destinationChainId}`,
      `${row.originAmountFormatted} ${row.originSymbol}`,
      `${row.destinationAmountFormatted} ${row.destinationSymbol}`,
      row.createdAt,
    ];
  });
  const header = ["request", "status", "type", "chains", "in", "out", "created"];
  const widths = header.map((name, index) => Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const lines = [header, ...rows].map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

export function toDetails(record: ListedRequest["record"]): string {
  const width = Math.max(...Object.keys(COLUMNS).map((name) => name.length));
  const lines = Object.entries(toRow(record)).flatMap(([name, cell]) =>
    cell === "" ? [] : [`${name.padEnd(width)}  ${cell}\n`],
  );
  return lines.join("");
}
