export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

export function toColumns(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const titles = columns.map(({ title }) => title);
  const widths = columns.map((_column, index) =>
    Math.max(...[titles, ...rows].map((row) => Array.from(row[index] ?? "").length)),
  );
  return [titles, ...rows].map((row) =>
    columns
      .map(({ isNumber = false }, index) => {
        const cell = row[index] ?? "";
        const space = " ".repeat((widths[index] ?? 0) - Array.from(cell).length);
        return isNumber ? space + cell : cell + space;
      })
      .join("  ")
      .trimEnd(),
  );
}
