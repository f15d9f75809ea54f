import type { IncomingMessage, ServerResponse } from "node:http";

export interface PublicBody {
  /** Methods of the server, besides `OPTIONS`. */
  readonly methods: string;
  readonly maxBytes: number;
}

/**
 * Reads the body of a request that a page from another port may send, as wallets and web apps do. Responds to preflight
 * requests and to larger bodies, and then returns undefined.
 */
export async function readPublicBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { methods, maxBytes }: PublicBody,
): Promise<Buffer | undefined> {
  outgoing.setHeader("access-control-allow-origin", "*");
  outgoing.setHeader("access-control-allow-methods", `${methods}, OPTIONS`);
  outgoing.setHeader("access-control-allow-headers", "*");
  if (incoming.method === "OPTIONS") {
    outgoing.writeHead(204).end();
    return undefined;
  }
  const body = await readBody(incoming, maxBytes);
  if (body === undefined) outgoing.writeHead(413, { "content-type": "text/plain" }).end("Payload Too Large");
  return body;
}

/** Reads the body of a request. Returns undefined if it is larger than `maxBytes`. */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
