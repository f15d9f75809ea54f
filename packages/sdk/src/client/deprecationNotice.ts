/** The service's notice about an endpoint that it will retire (spec 4, section 4). */
export interface DeprecationNotice {
  /** Method and path. */
  readonly endpoint: string;
  readonly message: string | undefined;
  /** Start of the deprecation. */
  readonly deprecatedAt: Date | undefined;
  /** Start of reduced rate limits. */
  readonly throttledFrom: Date | undefined;
  /** When the endpoint ends. */
  readonly sunsetAt: Date | undefined;
  /** The replacement, as named in the body. */
  readonly successor: string | undefined;
  readonly migrationGuide: string | undefined;
  /** URLs of the `Link` header by relation: `deprecation`, `sunset`, `successor-version`. */
  readonly links: Readonly<Record<string, string>>;
}
