import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

const BLOCK = { hash: `0x${"1".repeat(64)}`, number: "0x64", timestamp: "0x64" };

/** An EVM node with one block and no transactions, which can fail or hang. */
export class FakeNode {
  /** HTTP requests so far. */
  calls = 0;
  isFailing = false;
  isHanging = false;
  readonly #held: (() => void)[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        this.calls += 1;
        if (this.isHanging) this.#held.push(() => this.#answer(body, response));
        else this.#answer(body, response);
      });
    });
  }

  static async start(): Promise<FakeNode> {
    const node = new FakeNode();
    await new Promise<void>((resolve) => node.#server.listen(0, "127.0.0.1", resolve));
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Answers what hangs. */
  release(): void {
    this.isHanging = false;
    for (const answer of this.#held.splice(0)) answer();
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #answer(body: string, response: ServerResponse): void {
    if (this.isFailing) {
      response.writeHead(500).end();
      return;
    }
    const content = JSON.parse(body) as RpcCall | RpcCall[];
    const toAnswer = ({ id, method }: RpcCall) => ({
      jsonrpc: "2.0",
      id,
      result: method === "eth_getBlockByNumber" ? BLOCK : null,
    });
    response.end(JSON.stringify(Array.isArray(content) ? content.map(toAnswer) : toAnswer(content)));
  }
}

interface RpcCall {
  readonly id: number;
  readonly method: string;
}
