import type { ServiceApp } from "./route.ts";

/** Deprecated endpoints and their replacements. `GET /requests/v2` announces its end itself. */
const SUCCESSORS: ReadonlyMap<string, string> = new Map([
  ["/config", "/quote/v2"],
  ["/config/v2", "/quote/v2"],
  ["/currencies/v1", "/currencies/v2"],
  ["/intents/status", "/intents/status/v3"],
  ["/price", "/quote/v2"],
  ["/quote", "/quote/v2"],
  ["/requests", "/requests/v3"],
]);

/** The live service publishes no dates for these; `/quote/v2` became the default in this month. */
const DEPRECATED_AT = "2025-12-01T00:00:00.000Z";

/** Marks deprecated endpoints in the documentation, and in the headers of every response. */
export function addDeprecations(app: ServiceApp): void {
  app.addHook("onRoute", (route) => {
    if (SUCCESSORS.has(route.url)) route.schema = { ...route.schema, deprecated: true };
  });
  app.addHook("onRequest", (request, reply, done) => {
    const successor = SUCCESSORS.get(request.routeOptions.url ?? "");
    if (successor !== undefined) {
      void reply.headers({
        deprecation: `@${Date.parse(DEPRECATED_AT) / 1_000}`,
        link: `<${successor}>; rel="successor-version"`,
      });
    }
    done();
  });
}
