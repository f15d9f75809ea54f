/** One line of JSON. Amounts are decimal strings, and what JSON has no word for is left out. */
export function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part))}\n`;
}
