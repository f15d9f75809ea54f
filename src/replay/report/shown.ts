import { printable } from "@crosscall/sdk/internal/core/printable";

/**
 * Foreign text on one line, as a terminal and a page may show it, cut where it is too long.
 *
 * @param maximum characters that are left of it
 */
export function shown(text: string, maximum = 4_000): string {
  const characters = Array.from(printable(text));
  return characters.length <= maximum ? characters.join("") : `${characters.slice(0, maximum - 1).join("")}…`;
}
