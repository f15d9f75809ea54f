/** Endpoint families with separate rate limits (spec 4, section 4), and the attestation oracle. */
export const ENDPOINT_FAMILIES = ["quote", "listing", "oracle", "other"] as const;

export type EndpointFamily = (typeof ENDPOINT_FAMILIES)[number];

export interface EndpointRules {
  readonly family: EndpointFamily;
  /** Whether a request can be retried when its outcome is unknown. */
  readonly isRepeatable: boolean;
}

/**
 * POST requests that are safe to repeat. A quote moves no funds, and expires without a deposit. Prices and currencies
 * are only read. Metadata is set to the same value. The others refer to a transaction that is already on chain.
 */
const REPEATABLE_POSTS: readonly string[] = [
  "/quote/v2",
  "/quote/v3",
  "/price",
  "/currencies/v2",
  "/requests/metadata",
  "/transactions/index",
  "/transactions/single",
];

/**
 * Returns the rules of an endpoint. POST requests that are not listed, such as those of signature steps, are never
 * repeatable.
 */
export function rulesOf(method: "GET" | "POST", path: string): EndpointRules {
  const family = familyOf(path);
  // Attesting changes nothing, and the hub executes each execution once.
  const isRepeatable = method === "GET" || family === "oracle" || REPEATABLE_POSTS.includes(path);
  return { family, isRepeatable };
}

function familyOf(path: string): EndpointFamily {
  if (path.startsWith("/attestations/")) return "oracle";
  switch (path) {
    case "/quote/v2":
    case "/quote/v3":
      return "quote";
    case "/requests/v3":
      return "listing";
    case "/lives/v1":
    case "/chains/v1":
      return "oracle";
    default:
      return "other";
  }
}
