/** One command of a shell script. */
export interface Statement {
  /** From 1. */
  readonly line: number;
  /** Without quotes, and with the values of variables. */
  readonly words: readonly string[];
  /** Whether all quotes end. */
  readonly isComplete: boolean;
}

const REFERENCE = /\$(?:(?<bare>[A-Za-z_]\w*)|\{(?<braced>[A-Za-z_]\w*)\})/uy;

/** What a backslash protects within double quotes. */
const PROTECTED = '"\\$`';

/**
 * Splits a script into statements as a POSIX shell does, for quotes, backslashes, comments, separators and references to
 * variables. Substitutions of commands stay text.
 *
 * @param find returns the value of a variable
 */
export function* readStatements(text: string, find: (name: string) => string): Generator<Statement> {
  let at = 0;
  let line = 1;
  let isComplete: boolean;

  const take = (): string => {
    const taken = text[at] ?? "";
    if (taken === "\n") line += 1;
    at += 1;
    return taken;
  };

  const takeReference = (): string => {
    REFERENCE.lastIndex = at;
    const { 0: whole = "", groups } = REFERENCE.exec(text) ?? {};
    if (groups === undefined) return take();
    at += whole.length;
    return find(groups.bare ?? groups.braced ?? "");
  };

  const takeSingleQuoted = (): string => {
    let quoted = "";
    for (take(); at < text.length;) {
      const next = take();
      if (next === "'") return quoted;
      quoted += next;
    }
    isComplete = false;
    return quoted;
  };

  const takeDoubleQuoted = (): string => {
    let quoted = "";
    for (take(); at < text.length;) {
      if (text[at] === "$") {
        quoted += takeReference();
        continue;
      }
      const next = take();
      if (next === '"') return quoted;
      if (next !== "\\") quoted += next;
      else if (text[at] === "\n") take();
      else quoted += PROTECTED.includes(text[at] ?? " ") ? take() : next;
    }
    isComplete = false;
    return quoted;
  };

  const takeEscaped = (): string => {
    take();
    const escaped = take();
    return escaped === "\n" ? "" : escaped;
  };

  const takeWord = (): string => {
    let word = "";
    while (at < text.length && !/[\s;&|]/u.test(text[at] ?? "")) {
      const next = text[at];
      if (next === "'") word += takeSingleQuoted();
      else if (next === '"') word += takeDoubleQuoted();
      else if (next === "\\") word += takeEscaped();
      else word += next === "$" ? takeReference() : take();
    }
    return word;
  };

  while (at < text.length) {
    const start = line;
    const words: string[] = [];
    isComplete = true;
    for (let next = text[at]; next !== undefined && !"\n;&|".includes(next); next = text[at]) {
      if (text.startsWith("\\\n", at)) takeEscaped();
      else if (next === "#") while (at < text.length && text[at] !== "\n") take();
      else if (/\s/u.test(next)) take();
      else words.push(takeWord());
    }
    take();
    if (words.length > 0) yield { line: start, words, isComplete };
  }
}
