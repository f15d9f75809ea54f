import { validateHeaderName, validateHeaderValue } from "node:http";

/** Headers of a webhook, in addition to those of the service. */
export type WebhookHeaders = Readonly<Record<string, string>>;

const HEADERS_MAX = 20;
const LENGTH_MAX = 8_192;

/** Headers that the service or the connection sets. */
const OWN_HEADERS =
  /^(x-signature-.*|content-.*|host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|date)$/iu;

export function findHeaderProblem(
  headers: WebhookHeaders,
): { readonly name: string; readonly reason: string } | undefined {
  const entries = Object.entries(headers);
  const names = entries.map(([name]) => name.toLowerCase());
  if (entries.length > HEADERS_MAX || entries.flat().join("").length > LENGTH_MAX) {
    return { name: "", reason: `must be at most ${HEADERS_MAX} headers of at most ${LENGTH_MAX} characters` };
  }
  for (const [index, [name, value]] of entries.entries()) {
    if (OWN_HEADERS.test(name)) return { name, reason: "is set by the service" };
    if (names.indexOf(name.toLowerCase()) !== index) return { name, reason: "is set twice" };
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      return { name, reason: "is not a valid header" };
    }
  }
  return undefined;
}
