import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { guardServer, type LocalNames } from "@crosscall/oracle/server";
import type { Log } from "../log.ts";
import { readPublicBody } from "../readBody.ts";

export interface LedgerCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

export interface LedgerResponse {
  readonly status: number;
  /** Body of the response. Text is sent as plain text, everything else as JSON, with `bigint` as a number. */
  readonly body: unknown;
}

export interface LedgerServerParts {
  readonly names: LocalNames;
  readonly log: Log;
  readonly respond: (call: LedgerCall) => Promise<LedgerResponse>;
}

export interface LedgerServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Maximum body size in bytes, above the largest transaction of any ledger. */
const MAXIMUM_BODY = 1_024 * 1_024;

/** Serves a ledger's API on a free loopback port, behind the network's access checks. */
export async function serveLedger(parts: LedgerServerParts): Promise<LedgerServer> {
  const server = createServer((incoming, outgoing) => {
    serve(parts, incoming, outgoing).catch((error: unknown) => {
      parts.log.error({ error }, "a ledger could not respond");
      send(outgoing, { status: 500, body: "Internal Server Error" });
    });
  });
  guardServer(server, parts.names);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(
  { respond }: LedgerServerParts,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = "GET", url = "/" } = incoming;
  const body = await readPublicBody(incoming, outgoing, { methods: "GET, POST", maxBytes: MAXIMUM_BODY });
  if (body === undefined) return;
  const query = new URLSearchParams(/\?(.*)$/u.exec(url)?.[1]);
  send(outgoing, await respond({ method, path: url.replace(/\?.*$/u, ""), query, body: body.toString() }));
}

function send(outgoing: ServerResponse, { status, body }: LedgerResponse): void {
  const isText = typeof body === "string";
  outgoing
    .writeHead(status, { "content-type": isText ? "text/plain" : "application/json" })
    .end(isText ? body : toJson(body));
}

/** Formats data as JSON, with `bigint` as a number. JSON has no limit for numbers. */
export function toJson(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map((item: unknown) => toJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${toJson(field)}`).join(",")}}`;
}
