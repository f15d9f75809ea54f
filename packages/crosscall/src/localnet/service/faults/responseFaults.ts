import type { FastifyReply } from "fastify";

import type { ServiceErrorBody } from "@crosscall/protocol/errors";
import { RejectionError } from "../../market/rejection.ts";
import { RESPONSE_FAULTS } from "../../scenarios/families/behaviors.ts";
import { ResponseFaultSchema, drawFault, parseParameters } from "../../scenarios/parameters.ts";
import type { ResponseFaultName } from "../../scenarios/scenario.ts";
import { DatabaseError } from "../../store/databaseError.ts";
import type { ScenarioRow } from "../../store/scenarios.ts";
import type { ServiceApp } from "../route.ts";
import type { ScenarioReader } from "../serviceParts.ts";

/** Paths that scenarios do not affect: admin endpoints, the console and the documentation. */
const SPARED = ["/admin/", "/console", "/documentation"];

export function addResponseFaults(app: ServiceApp, parts: ScenarioReader): void {
  const truncated = new WeakSet<FastifyReply>();
  app.addHook("onRequest", async ({ routeOptions: { url } }, reply) => {
    if (url === undefined || SPARED.some((path) => url.startsWith(path))) return;
    const fault = await takeFault(parts, url);
    if (fault === "http:truncated") truncated.add(reply);
    else if (fault !== undefined) answerWith(fault, reply);
  });
  app.addHook("onSend", (_call, reply, payload, done) => {
    if (!truncated.has(reply) || typeof payload !== "string") {
      done(null, payload);
      return;
    }
    const half = payload.slice(0, payload.length / 2);
    reply.header("content-length", Buffer.byteLength(half));
    done(null, half);
  });
}

async function takeFault({ scenarios }: ScenarioReader, url: string): Promise<ResponseFaultName | undefined> {
  for (const { id, name, parameters } of await listScenarios({ scenarios })) {
    if (!isResponseFault(name)) continue;
    const fault = parseParameters(ResponseFaultSchema, parameters, name);
    if (fault.routes !== undefined && !fault.routes.includes(url)) continue;
    const index = await scenarios.take(id);
    if (index !== undefined && drawFault(fault, index)) return name;
  }
  return undefined;
}

/** Lists no scenarios if the database is unavailable, so that the routes respond as usual. */
async function listScenarios({ scenarios }: ScenarioReader): Promise<readonly ScenarioRow[]> {
  try {
    return await scenarios.list();
  } catch (error) {
    if (error instanceof DatabaseError) return [];
    throw error;
  }
}

function isResponseFault(name: string): name is ResponseFaultName {
  return Object.hasOwn(RESPONSE_FAULTS, name);
}

/** @throws {@link RejectionError} for a response that the endpoint's error handler formats */
function answerWith(fault: Exclude<ResponseFaultName, "http:truncated">, reply: FastifyReply): void {
  switch (fault) {
    case "http:429":
      throw refuse(429, { message: "Too many requests. Wait before you try again." });
    case "http:500":
      throw refuse(500, { message: "The service failed.", errorCode: "UNKNOWN_ERROR" });
    case "http:503":
      throw refuse(503, { message: "The service is down.", errorCode: "SERVICE_UNAVAILABLE" });
    case "http:disconnect":
      reply.hijack();
      reply.raw.destroy();
      break;
    case "http:timeout":
      // The socket stays open until the caller closes it or the service stops.
      reply.hijack();
      break;
  }
}

function refuse(status: number, body: ServiceErrorBody): RejectionError {
  return new RejectionError({ status, body, hint: "Remove the scenario, or retry." });
}
