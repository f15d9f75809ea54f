import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer } from "node:net";

import { type WebSocket, WebSocketServer } from "ws";

import { guardServer, type LocalNames } from "@crosscall/oracle/server";
import { isObject } from "@crosscall/protocol/schema";
import { EngineError } from "../../replay/fork/fork.ts";
import { readPublicBody } from "../readBody.ts";

const LOOPBACK = "127.0.0.1";

/** Names and address at which a network's servers can be reached. */
export interface Reach {
  /** Accepted host names; only loopback by default. */
  readonly names?: LocalNames | undefined;
  /** IP address to listen on; loopback by default. */
  readonly listen?: string | undefined;
}

/** JSON-RPC code of a reverted call. */
export const REVERTED = 3;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

/** Enough for the largest block of transactions. */
const MAXIMUM_BODY = 64 * 1_024 * 1_024;

/** Time for calls in progress to finish when a server closes. */
const CLOSE_GRACE_MS = 1_000;

type Receive = (method: string, params: readonly unknown[]) => Promise<unknown>;
type Listener = (subscription: string, result: unknown) => void;

export interface RpcServerParts {
  readonly receive: Receive;
  /** Listeners for the notifications of `eth_subscribe`. Each websocket adds its own. */
  readonly listeners: Set<Listener>;
  /** A free port if 0. */
  readonly port: number;
  readonly names: LocalNames;
  readonly listen: string;
}

export interface RpcServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves JSON-RPC over HTTP and websockets, behind the network's access checks. */
export async function serveRpc({ receive, listeners, names, listen, port }: RpcServerParts): Promise<RpcServer> {
  const server = createHttpServer((incoming, outgoing) => {
    serveHttp(receive, incoming, outgoing).catch(() => outgoing.destroy());
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => serveSocket(receive, listeners, socket));
  guardServer(server, names);
  server.listen(port, listen);
  await once(server, "listening");
  const { address, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${hostForUrl(address)}:${taken}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets.clients) socket.close();
      // Some connections never send a call, or never close.
      const cut = setTimeout(() => {
        server.closeAllConnections();
        for (const socket of sockets.clients) socket.terminate();
      }, CLOSE_GRACE_MS);
      await closed;
      clearTimeout(cut);
    },
  };
}

async function serveHttp(receive: Receive, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = await readPublicBody(incoming, outgoing, { methods: "POST", maxBytes: MAXIMUM_BODY });
  if (body === undefined) return;
  const response = JSON.stringify(await respond(receive, body.toString()));
  outgoing.writeHead(200, { "content-type": "application/json" }).end(response);
}

function serveSocket(receive: Receive, listeners: Set<Listener>, socket: WebSocket): void {
  const subscriptions = new Set<string>();
  const notify: Listener = (subscription, result) => {
    if (!subscriptions.has(subscription)) return;
    socket.send(JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params: { subscription, result } }));
  };
  listeners.add(notify);
  const subscribe: Receive = async (method, params) => {
    const result = await receive(method, params);
    if (method === "eth_subscribe" && typeof result === "string") subscriptions.add(result);
    return result;
  };
  // After an error, the socket closes.
  socket.on("error", () => undefined);
  const serve = async (text: string): Promise<void> => socket.send(JSON.stringify(await respond(subscribe, text)));
  socket.on("message", (data: Buffer) => void serve(data.toString()));
  socket.on("close", () => {
    listeners.delete(notify);
    for (const subscription of subscriptions) receive("eth_unsubscribe", [subscription]).catch(() => undefined);
  });
}

async function respond(receive: Receive, text: string): Promise<unknown> {
  let calls: unknown;
  try {
    calls = JSON.parse(text);
  } catch (error) {
    return failure(null, { code: PARSE_ERROR, message: `Parse error: ${(error as Error).message}` });
  }
  return Array.isArray(calls) ? Promise.all(calls.map((call) => respondTo(receive, call))) : respondTo(receive, calls);
}

async function respondTo(receive: Receive, call: unknown): Promise<unknown> {
  const { jsonrpc, id, method, params = [] } = isObject(call) ? call : {};
  const isCall = jsonrpc === "2.0" && typeof method === "string" && Array.isArray(params);
  if (!isCall || !(typeof id === "number" || typeof id === "string")) {
    return failure(null, { code: INVALID_REQUEST, message: "Invalid request" });
  }
  try {
    return { jsonrpc, id, result: await receive(method, params) };
  } catch (error) {
    const { message } = error as Error;
    return failure(id, error instanceof EngineError ? error : { code: INTERNAL_ERROR, message });
  }
}

function failure(
  id: number | string | null,
  { code, message, data }: { readonly code: number; readonly message: string; readonly data?: unknown },
): unknown {
  const error = { code, message, data };
  if (code === REVERTED) return { jsonrpc: "2.0", id, error };
  // Clients of Hardhat read the transaction and the reason here.
  const { transactionHash, data: returned, reason } = isObject(data) ? data : {};
  const details = { txHash: transactionHash ?? undefined, data: returned, reason };
  return { jsonrpc: "2.0", id, error: { ...error, data: { message, ...details } } };
}

/** Returns the host with which programs on this machine reach a server that listens on an IP address. */
export function hostForUrl(address: string): string {
  if (address === "0.0.0.0" || address === "::") return LOOPBACK;
  return address.includes(":") ? `[${address}]` : address;
}

/** Returns whether a server can listen on this port, on loopback by default. Returns true for port 0. */
export function isFreePort(port: number, address = LOOPBACK): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, address, () => server.close(() => resolve(true)));
  });
}
