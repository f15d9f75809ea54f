import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

import { createLocalNames, guardServer, type LocalNames } from "@crosscall/oracle/server";
import { InvalidStateError } from "@crosscall/protocol/core";
import { parseJson } from "@crosscall/protocol/schema";
import { readBody } from "../../localnet/readBody.ts";
import type { Sdk } from "./loadSdk.ts";

const LOOPBACK = "127.0.0.1";
const PATH = "/mcp";
const MAX_BYTES = 4 * 1024 * 1024;

/** JSON-RPC code of the protocol for a request that the server does not accept. */
const REFUSED = -32_000;

export interface HttpEndpoint {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export interface ServeHttpParameters {
  readonly sdk: Sdk;
  /** 0 selects a free port. */
  readonly port: number;
  /** Creates the server for one HTTP request. Sessions need no state, because all requests share the tools. */
  readonly createConnection: () => McpServer;
}

/**
 * Serves the protocol's streamable HTTP on loopback. Rejects requests under other host names and from other websites, as
 * the servers of a local network do.
 *
 * @throws {@link InvalidStateError} if the port is in use
 */
export async function serveHttp({ sdk, port, createConnection }: ServeHttpParameters): Promise<HttpEndpoint> {
  const http = createServer((incoming, outgoing) => {
    answer(incoming, outgoing, sdk, createConnection).catch(() => {
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end();
    });
  });
  guardServer(http, localNames());
  await new Promise<void>((resolve, reject) => {
    http.once("error", (cause) =>
      reject(
        new InvalidStateError({
          message: `the server cannot listen on port ${port} of loopback`,
          hint: "Pass another port with --http, or stop the process that uses this one.",
          cause,
        }),
      ),
    );
    http.listen(port, LOOPBACK, resolve);
  });
  return {
    url: `http://${LOOPBACK}:${(http.address() as AddressInfo).port}${PATH}`,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  sdk: Sdk,
  createConnection: () => McpServer,
): Promise<void> {
  const refuse = (status: number, message: string): void => {
    const error = { jsonrpc: "2.0", error: { code: REFUSED, message }, id: null };
    outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(error));
  };
  if (incoming.url !== PATH) {
    refuse(404, `the server only has the path ${PATH}`);
    return;
  }
  // Without sessions, there is no stream to open or to end.
  if (incoming.method !== "POST") {
    refuse(405, "only POST is supported");
    return;
  }
  const body = await readBody(incoming, MAX_BYTES);
  if (body === undefined) {
    // The client still sends the rest, and would not read a response.
    outgoing.destroy();
    return;
  }
  const message = parseJson(body.toString());
  if (message === undefined) {
    refuse(400, "the request is not JSON");
    return;
  }
  const server = createConnection();
  const transport = new sdk.StreamableHTTPServerTransport({ enableJsonResponse: true });
  outgoing.once("close", () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(incoming, outgoing, message);
}

/** Only loopback: the options for more names belong to the local network. */
function localNames(): LocalNames {
  const hint = "Use 127.0.0.1, from a program or a page on this machine.";
  const names = createLocalNames([]);
  const withHint = (refused: NameRejection | undefined) => (refused === undefined ? undefined : { ...refused, hint });
  return {
    refuseHost: (host) => withHint(names.refuseHost(host)),
    refuseOrigin: (origin) => withHint(names.refuseOrigin(origin)),
  };
}

type NameRejection = NonNullable<ReturnType<LocalNames["refuseHost"]>>;
