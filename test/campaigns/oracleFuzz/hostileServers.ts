import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { type Chance, tamper } from "../../integration/support/lyingRpc.ts";

export interface HostileServer {
  readonly url: string;
  close(): Promise<void>;
}

/** More than every limit of a response. */
const HUGE = Buffer.alloc(9 * 1024 * 1024, " ");

/** Texts in place of a response; several break careless parsers. */
const TEXTS = [
  "",
  "null",
  "[]",
  "{}",
  "<html>",
  '{"__proto__":{"result":1}}',
  "[".repeat(50_000),
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  `{"jsonrpc":"2.0","id":0,"result":${"9".repeat(100_000)}}`,
  `{"jsonrpc":"2.0","id":0,"result":"0x${"f".repeat(500_000)}"}`,
  `{"jsonrpc":"2.0","id":0,"result":[${"{},".repeat(50_000)}{}]}`,
  '{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"https://key@host/secret \\u0000"}}',
  '{"jsonrpc":"2.0","id":0,"error":{"code":3,"message":"execution reverted"}}',
];

/**
 * A server whose responses are garbage, or changed from the truth.
 *
 * @param truthOf the honest response to a request
 */
export async function startHostileServer(
  chance: Chance,
  truthOf: (body: string, path: string) => Promise<string>,
): Promise<HostileServer> {
  const respond = async (response: ServerResponse, body: string, path: string): Promise<void> => {
    const luck = chance();
    if (luck < 0.05) return void response.destroy();
    if (luck < 0.1) return void response.writeHead(307, { location: "/elsewhere" }).end("{}");
    if (luck < 0.15) return void response.writeHead(500 + Math.floor(chance() * 5)).end("secret: text");
    if (luck < 0.155) return void response.end(HUGE);
    if (luck < 0.4) return void response.end(TEXTS[Math.floor(chance() * TEXTS.length)]);
    const truth = await truthOf(body, path);
    response.end(luck < 0.9 ? JSON.stringify(tamper(JSON.parse(truth), chance)) : truth);
  };
  const server = createServer((request, response) => {
    response.on("error", () => undefined);
    text(request)
      .then((body) => respond(response, body, request.url ?? ""))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
