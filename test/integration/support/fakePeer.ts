import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A peer whose responses the test sets. */
export class FakePeer {
  answer: (() => Promise<unknown>) | undefined;
  seen: { url: string | undefined; key: unknown; body: unknown } | undefined;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#take(request).then(async () => response.end(JSON.stringify((await this.answer?.()) ?? null)));
    });
  }

  static async start(): Promise<FakePeer> {
    const peer = new FakePeer();
    await new Promise<void>((resolve) => peer.#server.listen(0, "127.0.0.1", resolve));
    return peer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #take(request: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as unknown;
    this.seen = { url: request.url, key: request.headers["x-api-key"], body };
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
