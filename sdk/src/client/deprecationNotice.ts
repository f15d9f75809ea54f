/** The service's notice about an endpoint that it will retire (spec 4, section 4). */
export interface DeprecationNotice {
  /** Method and path. */
  readonly endpoint: string;
  readonly message: string | undefined;
  /** Since when another endpoint is recommended. */
  readonly deprecatedAt: Date | undefined;
  /** Since when fewer calls are taken. */
  readonly throttledFrom: Date | undefined;
  /** When the endpoint ends. */
  readonly sunsetAt: Date | undefined;
  /** The endpoint to use instead, as the body names it. */
  readonly successor: string | undefined;
  readonly migrationGuide: string | undefined;
  /** URLs of the `Link` header, by their relation: `deprecation`, `sunset`, `successor-version`. */
  readonly links: Readonly<Record<string, string>>;
}
