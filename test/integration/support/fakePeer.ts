import { FakeServer, type Listener } from "../../support/httpServer.ts";

/** Peer with responses that a test sets. */
export class FakePeer extends FakeServer {
  answer: (() => Promise<unknown>) | undefined;
  seen: { url: string | undefined; key: unknown; body: unknown } | undefined;

  static start(): Promise<FakePeer> {
    const peer = new FakePeer();
    return peer.listen((...call) => peer.#respond(...call));
  }

  async #respond(...[{ url, headers }, response, body]: Parameters<Listener>): Promise<void> {
    this.seen = { url, key: headers["x-api-key"], body: JSON.parse(body) as unknown };
    response.end(JSON.stringify((await this.answer?.()) ?? null));
  }
}
