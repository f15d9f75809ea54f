import { type EndpointGeneration, ENDPOINTS } from "@crosscall/protocol/generations";
import type { Check } from "./check.ts";

/** A service that accepts the connection may still send nothing. */
const TIMEOUT_MS = 10_000;

/**
 * Compares the dates of the service's deprecation headers (RFC 9745, RFC 8594) with the registry. It sends an empty
 * request to each endpoint: the headers come with every response.
 */
export async function checkEndpoints(baseUrl: string, signal: AbortSignal): Promise<Check> {
  const what = { area: "service", name: "its endpoints end as known" } as const;
  const changes = await Promise.all(ENDPOINTS.map((endpoint) => readChange(baseUrl, endpoint, signal)));
  signal.throwIfAborted();
  const changed = changes.filter((change) => change !== undefined);
  if (changed.length === 0) return { ...what, state: "ok", seen: `${ENDPOINTS.length} endpoints` };
  const hint = "Read the service's changelog, and upgrade crosscall before the endpoint ends.";
  return { ...what, state: "warning", seen: changed.join("; "), hint };
}

/** Headers that are missing say nothing: a service may be older or newer than the registry. */
async function readChange(
  baseUrl: string,
  { method, path, deprecatedSince, endsOn }: EndpointGeneration,
  signal: AbortSignal,
): Promise<string | undefined> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    ...(method === "POST" ? { headers: { "content-type": "application/json" }, body: "{}" } : {}),
  }).catch(() => undefined);
  await response?.body?.cancel();
  const sunset = Date.parse(response?.headers.get("sunset") ?? "");
  if (!Number.isNaN(sunset) && (endsOn === undefined || sunset !== Date.parse(endsOn))) {
    return `${method} ${path} ends on ${new Date(sunset).toISOString()}, not ${endsOn ?? "at a known time"}`;
  }
  const isDeprecated = response?.headers.has("deprecation") === true;
  return isDeprecated && deprecatedSince === undefined ? `${method} ${path} is deprecated` : undefined;
}
