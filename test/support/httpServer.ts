import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Responds to a request after its body is read. An error closes the connection. */
export type Listener = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** HTTP server for a test, on a free loopback port. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Starts a server. */
export async function serve(listener: Listener): Promise<TestServer> {
  const server = createServer((request, response) => {
    text(request)
      .then((body) => listener(request, response, body))
      .catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${port}`, port, close, [Symbol.asyncDispose]: close };
}

/** Server with responses that a test sets. */
export class FakeServer {
  #server: TestServer | undefined;

  protected async listen(listener: Listener): Promise<this> {
    this.#server = await serve(listener);
    return this;
  }

  get url(): string {
    return this.#server?.url ?? "";
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}

/** Returns the URL of a loopback port without a listener. */
export async function freeUrl(): Promise<string> {
  await using server = await serve(() => undefined);
  return server.url;
}

/** Posts a body as JSON text. */
export function postJson(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
}
