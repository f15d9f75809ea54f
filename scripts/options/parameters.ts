import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";

export function addParameter(text: string, texts: readonly string[]): readonly string[] {
  return [...texts, text];
}

/** Of `name=value`. */
export function readPairs(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new InvalidInputError({
        field: "--parameter",
        value: pair,
        reason: "it has no name and value",
        hint: "Use the form name=value.",
      });
    }),
  );
}
