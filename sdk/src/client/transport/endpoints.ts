/** Families of endpoints that the service counts apart (spec 4, section 4), and those of the attestation oracle. */
export const ENDPOINT_FAMILIES = ["quote", "listing", "oracle", "other"] as const;

/** A family of endpoints: `quote`, the v3 `listing`, those of an `oracle`, and all `other`. */
export type EndpointFamily = (typeof ENDPOINT_FAMILIES)[number];

/** How calls of an endpoint are counted and repeated. */
export interface EndpointRules {
  readonly family: EndpointFamily;
  /** Whether a call may be sent again when it is not known what became of the first. */
  readonly isRepeatable: boolean;
}

/**
 * POSTs that change nothing when they come twice. A quote moves no money, and one that nobody deposits for ends by
 * itself. The other two name a transaction that is on its chain already.
 */
const REPEATABLE_POSTS: readonly string[] = ["/quote/v2", "/transactions/index", "/transactions/single"];

/** The rules of an endpoint. A POST that is not known here, such as the post of a signature step, is never repeatable. */
export function rulesOf(method: "GET" | "POST", path: string): EndpointRules {
  const family = familyOf(path);
  // What an oracle attests changes nothing, and the hub takes each execution once.
  const isRepeatable = method === "GET" || family === "oracle" || REPEATABLE_POSTS.includes(path);
  return { family, isRepeatable };
}

function familyOf(path: string): EndpointFamily {
  if (path.startsWith("/attestations/")) return "oracle";
  switch (path) {
    case "/quote/v2":
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
