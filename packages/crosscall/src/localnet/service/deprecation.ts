import * as Type from "typebox";

import {
  type EndpointGeneration,
  endpointGeneration,
  ENDPOINTS,
  successorOf,
  type VersionedPath,
} from "@crosscall/protocol/generations";
import type { ServiceApp } from "./route.ts";
import type { Timed } from "../market/market.ts";
import type { Retirer } from "./serviceParts.ts";

/** Deprecated endpoints without a published end date, and their successors. */
const SUCCESSORS: ReadonlyMap<string, string> = new Map([
  ["/config", "/quote/v2"],
  ["/config/v2", "/quote/v2"],
  ["/currencies/v1", "/currencies/v2"],
  ["/execute/swap", "/quote/v2"],
  ["/intents/status", "/intents/status/v3"],
  ["/price", "/quote/v2"],
  ["/quote", "/quote/v2"],
  ["/requests", "/requests/v3"],
]);

/**
 * Deprecation date of these endpoints, because the live service publishes none. `/quote/v2` became the default in this
 * month.
 */
const DEPRECATED_AT = "2025-12-01T00:00:00.000Z";

// Path of the migration guide. The live service links to its own guide.
const MIGRATION_GUIDE = "/documentation";

/** Response body of a retired endpoint. */
const MovedSchema = Type.Object(
  {
    message: Type.String(),
    successor: Type.String({ description: "The endpoint to use instead." }),
    migrationGuide: Type.String(),
  },
  { description: "Use the successor." },
);

/**
 * Endpoints with an announced end. Excludes `GET /requests/v2`, which has shrinking limits and its own deprecation
 * headers.
 */
const RETIRING: ReadonlyMap<string, EndpointGeneration> = new Map(
  ENDPOINTS.flatMap((one: EndpointGeneration): [string, EndpointGeneration][] =>
    one.endsOn === undefined || one.path === "/requests/v2" ? [] : [[one.path, one]],
  ),
);

/**
 * Marks deprecated endpoints in the documentation and, from their deprecation date by the service's clock, in the
 * headers of every response. Retired endpoints return 410 unless `keepsRetired` is set.
 */
export function addDeprecations(app: ServiceApp, { clock, keepsRetired }: Timed & Retirer): void {
  app.addHook("onRoute", (route) => {
    if (SUCCESSORS.has(route.url) || RETIRING.has(route.url)) route.schema = { ...route.schema, deprecated: true };
  });
  app.addHook("onRequest", async (request, reply) => {
    const path = request.routeOptions.url ?? "";
    const retiring = RETIRING.get(path);
    const now = clock.now();
    if (retiring !== undefined && isDeprecated(retiring, now)) {
      void reply.headers(retirementHeaders(retiring));
      return hasEnded(retiring, { clock, keepsRetired }) ? reply.status(410).send(movedTo(retiring)) : undefined;
    }
    const successor = SUCCESSORS.get(path);
    if (successor !== undefined) {
      void reply.headers({
        deprecation: `@${Date.parse(DEPRECATED_AT) / 1_000}`,
        link: `<${newestOf(successor, now)}>; rel="successor-version"`,
      });
    }
  });
}

type Retirement = Timed & Retirer;

function isDeprecated({ deprecatedSince }: EndpointGeneration, now: number): boolean {
  return deprecatedSince !== undefined && now >= Date.parse(deprecatedSince);
}

function hasEnded({ endsOn }: EndpointGeneration, { clock, keepsRetired }: Retirement): boolean {
  return keepsRetired !== true && endsOn !== undefined && clock.now() >= Date.parse(endsOn);
}

/**
 * Returns the endpoint for posting a signature: the endpoint that published clients use, or its successor after its
 * end.
 */
export function permitsPath(retirement: Retirement): "/execute/permits" | "/execute/permits/v2" {
  return hasEnded(endpointGeneration("/execute/permits"), retirement) ? "/execute/permits/v2" : "/execute/permits";
}

/** Returns whether the end of an endpoint is announced, which is when its deprecation rules start. */
export function isRetiring(path: VersionedPath, { clock, keepsRetired }: Retirement): boolean {
  return keepsRetired !== true && isDeprecated(endpointGeneration(path), clock.now());
}

function newestOf(path: string, now: number): string {
  const generation = RETIRING.get(path);
  return generation !== undefined && isDeprecated(generation, now) ? (successorOf(path) ?? path) : path;
}

/** Returns the headers of every response from an endpoint with an announced end (spec 4, section 4). */
function retirementHeaders({ path, deprecatedSince = "", endsOn = "" }: EndpointGeneration) {
  return {
    deprecation: `@${Date.parse(deprecatedSince) / 1_000}`,
    sunset: new Date(endsOn).toUTCString(),
    link: [
      `<${MIGRATION_GUIDE}>; rel="deprecation"; type="text/html"`,
      `<${MIGRATION_GUIDE}>; rel="sunset"; type="text/html"`,
      `<${successorOf(path)}>; rel="successor-version"`,
    ].join(", "),
  };
}

function movedTo({ method, path, endsOn = "" }: EndpointGeneration): Type.Static<typeof MovedSchema> {
  const successor = successorOf(path) ?? "";
  return {
    message: `${method} ${path} ended on ${endsOn.slice(0, 10)}. Use ${method} ${successor}.`,
    successor,
    migrationGuide: MIGRATION_GUIDE,
  };
}
