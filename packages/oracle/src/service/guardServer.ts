import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

import type { LocalNames } from "./localNames.ts";

/** Restricts a server to programs and pages on this machine, and to requests under allowed host names. */
export function guardServer(server: Server, names: LocalNames): void {
  const refuse = ({ headers: { host, origin } }: IncomingMessage): string | undefined => {
    const refused = names.refuseHost(host) ?? names.refuseOrigin(origin);
    if (refused === undefined) return undefined;
    const { field, reason, hint } = refused;
    return JSON.stringify({ message: `${field} ${reason}. ${hint}`, errorCode: "FORBIDDEN", field, hint });
  };
  // Keeps the order of existing handlers.
  const serve = server.listeners("request");
  server.removeAllListeners("request");
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const refusal = refuse(incoming);
    if (refusal === undefined) {
      for (const handler of serve) Reflect.apply(handler, server, [incoming, outgoing]);
      return;
    }
    incoming.resume();
    outgoing.writeHead(403, { "content-type": "application/json" }).end(refusal);
  });
  const upgrade = server.listeners("upgrade");
  if (upgrade.length === 0) return;
  server.removeAllListeners("upgrade");
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex, first: Buffer) => {
    const refusal = refuse(incoming);
    if (refusal === undefined) {
      for (const handler of upgrade) Reflect.apply(handler, server, [incoming, socket, first]);
      return;
    }
    const head = `HTTP/1.1 403 ${STATUS_CODES[403] ?? ""}\r\ncontent-type: application/json\r\nconnection: close`;
    // Destroys the socket, because nothing reads the rest of the request and would notice that the other side closed
    // it.
    socket.end(`${head}\r\n\r\n${refusal}`, () => socket.destroy());
  });
}
