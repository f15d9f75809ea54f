export interface ValueNotation {
  /** @param path of the number in the arguments: `params.amountIn`, `amounts.0` */
  number(path: string, value: bigint): string;
  /** An address, bytes or a text. */
  text(value: string): string;
}

/** Arrays in brackets, structs with names of their members. */
export function formatValue(path: string, value: unknown, notation: ValueNotation): string {
  if (typeof value === "bigint") return notation.number(path, value);
  if (Array.isArray(value)) {
    return `[${value.map((part, index) => formatValue(`${path}.${index}`, part, notation)).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const parts = Object.entries(value).map(
      ([name, part]) => `${name}: ${formatValue(`${path}.${name}`, part, notation)}`,
    );
    return `{${parts.join(", ")}}`;
  }
  return typeof value === "string" ? notation.text(value) : String(value);
}
