/** Characters that move the cursor, hide text or turn its direction: a token's name may hold any of them. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/**
 * Foreign text on one line, as a terminal and a page may show it: characters that are not seen, or change how others
 * are seen, are written as escapes, and what is too long is cut.
 *
 * @param maximum characters that are left of it
 */
export function printable(text: string, maximum = 4_000): string {
  const shown = text.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  const characters = Array.from(shown);
  return characters.length <= maximum ? shown : `${characters.slice(0, maximum - 1).join("")}…`;
}
