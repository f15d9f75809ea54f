/** On one line; amounts as decimal strings. */
export function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value, (_key, field: unknown) => (typeof field === "bigint" ? field.toString() : field))}\n`;
}
