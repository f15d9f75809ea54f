import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Readonly<Record<string, unknown>>;

/** A service in front of an honest one that changes its responses. */
export class FakeService {
  /** Changes a status; the service is honest if unset. */
  claim: ((status: Json) => Json) | undefined;
  /** Changes a quote; the service is honest if unset. */
  quote: ((quote: Json) => Json) | undefined;
  readonly #server: Server;

  private constructor(truth: string) {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method = "GET", url = "/", headers } = request;
        const body = Buffer.concat(chunks);
        const key = String(headers["x-api-key"] ?? "");
        const init = {
          method,
          headers: { "content-type": "application/json", ...(key === "" ? {} : { "x-api-key": key }) },
        };
        void this.#ask(`${truth}${url}`, body.length === 0 ? init : { ...init, body: body.toString() }).then(
          ({ status, text }) => response.writeHead(status, { "content-type": "application/json" }).end(text),
          () => response.writeHead(502).end(),
        );
      });
    });
  }

  static async start(truth: string): Promise<FakeService> {
    const service = new FakeService(truth);
    await new Promise<void>((resolve) => service.#server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #ask(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
    const response = await fetch(url, init);
    const text = await response.text();
    const change = url.includes("/intents/status/v3") ? this.claim : url.includes("/quote/v2") ? this.quote : undefined;
    if (change === undefined) return { status: response.status, text };
    return { status: 200, text: JSON.stringify(change(JSON.parse(text) as Json)) };
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
