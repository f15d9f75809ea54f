import type { ServiceClient } from "./client.ts";
import type { DeprecationNotice } from "./deprecationNotice.ts";
import type { Answer } from "./transport/call.ts";

const told = new WeakSet<ServiceClient>();

/** Reports only the first response with a notice. */
export function noteDeprecation(client: ServiceClient, endpoint: string, answer: Answer): void {
  if (client.onDeprecation === undefined || told.has(client)) return;
  const notice = readDeprecation(endpoint, answer, client.baseUrl);
  if (notice === undefined) return;
  told.add(client);
  client.onDeprecation(notice);
}

/** From headers (RFC 9745, RFC 8594, RFC 8288) and body; undefined without a notice. */
function readDeprecation(endpoint: string, { headers, body }: Answer, baseUrl: string): DeprecationNotice | undefined {
  const deprecation = headers.get("deprecation");
  const sunset = headers.get("sunset");
  const whole = fieldsOf(body);
  // Listings have the notice in its own field, a 429 response at its root.
  const fields = whole.deprecation === undefined ? whole : fieldsOf(whole.deprecation);
  const isAnnounced = deprecation !== null || sunset !== null || whole.deprecation !== undefined;
  if (!isAnnounced) return undefined;
  return {
    endpoint,
    message: textOf(fields.message),
    deprecatedAt: parseTime(deprecation) ?? parseTime(fields.deprecatedAt),
    throttledFrom: parseTime(fields.throttledFrom),
    sunsetAt: parseTime(sunset) ?? parseTime(fields.sunsetAt),
    successor: textOf(fields.successor),
    migrationGuide: textOf(fields.migrationGuide),
    links: parseLinks(headers.get("link") ?? "", baseUrl),
  };
}

/** A structured date (`@` and Unix seconds), an HTTP date, or ISO 8601. */
function parseTime(value: unknown): Date | undefined {
  if (typeof value !== "string") return undefined;
  const [, seconds] = /^@(\d{1,12})$/u.exec(value.trim()) ?? [];
  const time = seconds === undefined ? Date.parse(value) : Number(seconds) * 1_000;
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** `<url>; rel="a b"`, separated by commas; URLs may be relative. */
function parseLinks(header: string, baseUrl: string): Record<string, string> {
  const links: Record<string, string> = {};
  for (const [, target = "", parameters = ""] of header.matchAll(/<([^<>]*)>((?:[^",<]|"[^"]*")*)/gu)) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/iu.exec(parameters) ?? [];
    if (!URL.canParse(target, baseUrl)) continue;
    for (const relation of (quoted ?? bare ?? "").split(/\s+/u)) {
      if (relation !== "") links[relation] ??= new URL(target, baseUrl).href;
    }
  }
  return links;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
