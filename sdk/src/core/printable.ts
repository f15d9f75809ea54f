/** What a chain says, fit to be shown: characters that steer a terminal or turn a text around are written as codes. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return `\\u{${code}}`;
  });
}
