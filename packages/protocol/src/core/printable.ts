const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Makes untrusted text safe for a line of output: escapes control and bidirectional characters, line breaks and tabs as
 * JSON does.
 */
export function printable(text: string): string {
  return text.replace(INVISIBLE, escape);
}

/** Like {@link printable}, but keeps line feeds and tabs. JSON text stays equivalent. */
export function printableLines(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === "\n" || character === "\t" ? character : escape(character),
  );
}

/** Maximum depth. Deeper data is dropped, because it is not meant for display. */
const MAX_DEPTH = 64;

/** Copies plain data, and makes its strings {@link printable}. */
export function printableData<Data>(data: Data): Data {
  return copy(data, 0) as Data;
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value === "string") return printable(value);
  if (typeof value === "object" && depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [printable(name), copy(field, depth + 1)]));
}

/** Escapes each code unit separately, because JSON has no escape for characters above U+FFFF. */
function escape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** Maximum length. Longer reasons contain requests and responses, which belong in `cause`. */
const MAX_LENGTH = 200;

/**
 * Returns one line for an error message. Messages from wallets and nodes can contain whole requests; viem and ethers
 * attach a short form.
 */
export function shortReason(error: unknown): string {
  const short = typeof error === "object" && error !== null && "shortMessage" in error ? error.shortMessage : undefined;
  const text = typeof short === "string" ? short : error instanceof Error ? error.message : String(error);
  const [line = ""] = text.trim().split("\n");
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 3)}...` : line;
}
