import { printable } from "@crosscall/protocol/core";

/** Untrusted text on one line, cut to `maximum` characters. */
export function shown(text: string, maximum = 4_000): string {
  const characters = Array.from(printable(text));
  return characters.length <= maximum ? characters.join("") : `${characters.slice(0, maximum - 1).join("")}…`;
}
