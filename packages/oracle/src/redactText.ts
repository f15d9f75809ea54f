const MAX_LENGTH = 1_000;

const URLS = /\b(?!file:)[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'<>]+/giu;

/** A name of a credential, and the value after it. */
const CREDENTIALS =
  /\b(authorization|basic|bearer|[\w-]{0,16}(?:key|secret|token|password|passwd|credential)s?)(["']?\s*[:=]?\s*["']?(?:(?:basic|bearer)\s+)?)([^\s"',;&]+)/giu;

/** Keys of providers. Hashes and addresses with 0x are kept. */
const LONG_TOKENS = /(?<![\w-])(?!0x[0-9a-f]{40,64}\b)(?=[\w-]*\d)[\w-]{20,}/giu;

/** Removes URLs, credentials and control characters from a text of an endpoint, which may echo what it received. */
export function redactText(text: string): string {
  const short = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return short
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, " ")
    .replaceAll(URLS, "[URL]")
    .replaceAll(CREDENTIALS, "$1$2[REDACTED]")
    .replaceAll(LONG_TOKENS, "[REDACTED]");
}
