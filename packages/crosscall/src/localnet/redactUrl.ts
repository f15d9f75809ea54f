import { createRedactor } from "@crosscall/sdk/kit";

const REDACTED = "REDACTED";

/**
 * Path segments that name networks and versions: `v2`, `rpc`, `eth`, `op-mainnet`, `8453`. Keys of RPC providers are
 * longer.
 */
const PLAIN_SEGMENT = /^(?:[a-z]{0,10}|v?\d{1,10})(?:[-_](?:[a-z]{1,10}|\d{1,6}))?$/iu;

/**
 * Redacts possible credentials in the URL of an RPC provider: user, password, query, and keys in the path.
 *
 * @returns the same text if there is nothing to replace
 */
export function redactUrl(text: string): string {
  if (!URL.canParse(text)) return redactPath(text);
  const url = new URL(text);
  const { href } = url;
  if (url.username !== "") url.username = REDACTED;
  if (url.password !== "") url.password = REDACTED;
  url.pathname = redactPath(url.pathname);
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, REDACTED);
  url.hash = "";
  return url.href === href ? text : url.href;
}

/** Redacts an error that contains a URL with credentials. */
export function redactCause(cause: unknown, url: string): unknown {
  if (redactUrl(url) === url) return cause;
  // viem omits user and password from URLs in its errors.
  return createRedactor([url, url.replace(/^(https?:\/\/)[^/]*@/u, "$1")]).cause(cause);
}

function redactPath(path: string): string {
  return path
    .split("/")
    .map((segment) => (PLAIN_SEGMENT.test(segment) ? segment : REDACTED))
    .join("/");
}
