/** Untrusted text for display: control and bidirectional characters are escaped. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return `\\u{${code}}`;
  });
}
