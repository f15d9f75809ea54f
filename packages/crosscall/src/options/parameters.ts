import { InvalidInputError } from "@crosscall/protocol/core";

export function addParameter(text: string, texts: readonly string[]): readonly string[] {
  return [...texts, text];
}

/** Of `name=value`. `option` is for the error. */
export function readPairs(pairs: readonly string[], option = "--parameter"): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new InvalidInputError({
        field: option,
        value: pair,
        reason: "it has no name and value",
        hint: "Use the form name=value.",
      });
    }),
  );
}
