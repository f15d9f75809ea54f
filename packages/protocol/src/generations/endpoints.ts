// Sources, read on 26 November 2026: the service's pages "Migrating to Quote v3" and "Changelog" (docs.relay.link), and
// docs/spec/1-requests-status-signature.md, section 9.

/** Generation of an endpoint of the service. Times are ISO 8601. */
export interface EndpointGeneration {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Paths of the generations that this generation replaces. */
  readonly replaces: readonly string[];
  /** Time when the service announced the end of the generation; undefined for the newest generation. */
  readonly deprecatedSince?: string;
  /** Start of lower rate limits. */
  readonly throttledFrom?: string;
  /** Time after which the service responds with 410. */
  readonly endsOn?: string;
  /** Time after which the service responds with 401 to requests without an API key or access token. */
  readonly needsAuthentication?: true;
}

const QUOTE_V2_END = { deprecatedSince: "2026-11-25T00:00:00.000Z", endsOn: "2027-02-23T00:00:00.000Z" };
const REQUESTS_V2_END = {
  deprecatedSince: "2026-07-22T00:00:00.000Z",
  throttledFrom: "2026-09-01T00:00:00.000Z",
  endsOn: "2026-11-24T00:00:00.000Z",
};

/** Endpoints with more than one generation, oldest first. */
export const ENDPOINTS = [
  { method: "POST", path: "/price", replaces: [], ...QUOTE_V2_END },
  { method: "POST", path: "/quote", replaces: [], ...QUOTE_V2_END },
  { method: "POST", path: "/quote/v2", replaces: [], ...QUOTE_V2_END },
  { method: "POST", path: "/quote/v3", replaces: ["/price", "/quote", "/quote/v2"], needsAuthentication: true },
  { method: "POST", path: "/execute/permits", replaces: [], ...QUOTE_V2_END },
  { method: "POST", path: "/execute/permits/v2", replaces: ["/execute/permits"] },
  { method: "GET", path: "/requests/v2", replaces: [], ...REQUESTS_V2_END },
  { method: "GET", path: "/requests/v3", replaces: ["/requests/v2"] },
] as const satisfies readonly EndpointGeneration[];

export type VersionedPath = (typeof ENDPOINTS)[number]["path"];

/** Returns a generation by its path. */
export function endpointGeneration<Path extends VersionedPath>(
  path: Path,
): Extract<(typeof ENDPOINTS)[number], { readonly path: Path }> {
  return ENDPOINTS.find((one) => one.path === path) as Extract<(typeof ENDPOINTS)[number], { readonly path: Path }>;
}

/** Returns the path of the generation that replaces another, or undefined for the newest generation. */
export function successorOf(path: string): VersionedPath | undefined {
  return ENDPOINTS.find((one) => one.replaces.some((replaced: string) => replaced === path))?.path;
}
