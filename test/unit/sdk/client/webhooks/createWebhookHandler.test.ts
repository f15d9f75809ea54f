import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { expect } from "chai";
import { fastify } from "fastify";

import {
  createFastifyWebhook,
  createWebhookHandler,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from "../../../../../packages/sdk/src/client/webhooks/createWebhookHandler.ts";
import type { CrosscallError } from "../../../../../packages/protocol/src/core/errors.ts";
import type { StatusEvent } from "../../../../../packages/protocol/src/index.ts";
import { factsOf } from "../../../../support/rejection.ts";
import { until } from "../../../../support/until.ts";
import { API_KEY, NOW, signedHeaders, statusEvent } from "./signed.ts";

/** Running server with the handler. */
interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** Reads the body before the handler does, as body parsers do, and adds their fields to the request. */
async function parseFirst(request: IncomingMessage, parse: (bytes: Buffer) => object): Promise<IncomingMessage> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Object.assign(request, parse(Buffer.concat(chunks)));
}

function parsedOf(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString()) as unknown;
}

const parserOf = (parse: (bytes: Buffer) => object) => async (handler: WebhookHandler) =>
  serveNode(async (request, response) => handler.node(await parseFirst(request, parse), response));

async function serveNode(listener: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server: Server = createServer((request, response) => void listener(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const SERVERS: Record<string, (handler: WebhookHandler) => Promise<Running>> = {
  "a plain Node server": (handler) => serveNode((request, response) => handler.node(request, response)),
  "a server that keeps the raw body in addition to the parsed body": parserOf((bytes) => ({
    rawBody: bytes,
    body: parsedOf(bytes),
  })),
  "a server that keeps the raw body as text": parserOf((bytes) => ({ rawBody: bytes.toString(), body: {} })),
  "a parser that keeps bytes": parserOf((bytes) => ({ body: bytes })),
  "a parser that keeps text": parserOf((bytes) => ({ body: bytes.toString() })),
  "a server of `Request`": (handler) =>
    serveNode(async (request, response) => {
      const { body } = (await parseFirst(request, (bytes) => ({ body: bytes }))) as IncomingMessage & { body: Buffer };
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const answer = await handler.web(
        new Request("http://localhost/webhook", { method: "POST", headers, body: new Uint8Array(body) }),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    }),
  async Fastify(handler) {
    const app = fastify({ forceCloseConnections: true });
    // The application's own routes keep their parser.
    app.post("/echo", (request) => request.body);
    await app.register(createFastifyWebhook(handler, { path: "/webhook" }));
    return { url: `${await app.listen({ host: "127.0.0.1", port: 0 })}/webhook`, close: () => app.close() };
  },
};

for (const [name, start] of Object.entries(SERVERS)) {
  describe(`createWebhookHandler in ${name}`, () => {
    let running: Running;
    let taken: StatusEvent[];
    let errors: unknown[];

    async function serve(options: Partial<WebhookHandlerOptions> = {}): Promise<void> {
      taken = [];
      errors = [];
      const handler = createWebhookHandler({
        apiKey: API_KEY,
        onEvent: (event) => void taken.push(event),
        onError: (error) => errors.push(error),
        clock: { now: () => NOW },
        ...options,
      });
      running = await start(handler);
    }
    afterEach(() => running.close());

    const deliver = async (body: string, headers: Record<string, string> = signedHeaders(body)): Promise<number> => {
      const all = { "content-type": "application/json", ...headers };
      return (await fetch(running.url, { method: "POST", headers: all, body })).status;
    };
    const BODY = JSON.stringify(statusEvent());

    it("handles an event only once, even if it is sent again with another signature", async () => {
      await serve();
      expect(await deliver(BODY)).to.equal(200);
      const again = JSON.stringify({ ...statusEvent(), timestamp: NOW + 1 });
      expect(await deliver(again, signedHeaders(again, NOW + 1))).to.equal(200);
      expect(taken).to.deep.equal([statusEvent()]);
    });

    it("reads the raw body with its whitespace and any content type", async () => {
      await serve();
      const body = JSON.stringify(statusEvent(), null, 2);
      expect(await deliver(body, { ...signedHeaders(body), "content-type": "text/plain" })).to.equal(200);
      expect(taken).to.have.length(1);
    });

    it("responds with 401 to unsigned bodies, and with 400 to bodies that are not events", async () => {
      await serve();
      expect(await deliver(BODY, {})).to.equal(401);
      expect(await deliver(BODY, signedHeaders(BODY, NOW, "stolen"))).to.equal(401);
      expect(await deliver("{}")).to.equal(400);
      expect([taken, errors.length]).to.deep.equal([[], 3]);
    });

    it("responds with 413 to a body above the limit, and accepts a body at the limit", async () => {
      await serve({ maxBodyBytes: BODY.length });
      expect(await deliver(`${BODY} `)).to.equal(413);
      expect(await deliver(BODY)).to.equal(200);
    });

    it("responds with 500 if the callback throws, and calls it again on the next delivery", async () => {
      let attempts = 0;
      await serve({
        onEvent: () => {
          attempts += 1;
          if (attempts === 1) throw new RangeError("the database is away");
        },
      });
      expect([await deliver(BODY), await deliver(BODY), await deliver(BODY), attempts]).to.deep.equal([
        500, 200, 200, 2,
      ]);
      expect(errors).to.have.length(1);
    });

    it("makes a delivery wait for a concurrent delivery of the same event, and returns the same result", async () => {
      const release = Promise.withResolvers<undefined>();
      let attempts = 0;
      let arrived = 0;
      await serve({
        onEvent: async ({ data }) => {
          if (data.status === "refund") return;
          attempts += 1;
          await release.promise;
        },
        // The handler reads the clock to check the age of each delivery.
        clock: {
          now() {
            arrived += 1;
            return NOW;
          },
        },
      });
      const first = deliver(BODY);
      await until(() => attempts === 1);
      const both = [first, deliver(BODY)];
      await until(() => arrived === 2);
      // The response to a later event shows that the second delivery was verified, and waits for the first.
      expect(await deliver(JSON.stringify(statusEvent({ status: "refund" })))).to.equal(200);
      release.reject(new RangeError("no"));
      expect([await Promise.all(both), attempts]).to.deep.equal([[500, 500], 1]);
    });

    it("remembers the given number of events", async () => {
      await serve({ rememberedEvents: 1 });
      const other = JSON.stringify(statusEvent({ status: "refund" }));
      for (const body of [BODY, other, other, BODY]) await deliver(body);
      expect(taken.map(({ data }) => data.status)).to.deep.equal(["success", "refund", "success"]);
    });
  });
}

describe("createWebhookHandler behind a body parser", () => {
  const BODY = JSON.stringify(statusEvent());
  const create = () => {
    const errors: unknown[] = [];
    const taken: StatusEvent[] = [];
    const handler = createWebhookHandler({
      apiKey: API_KEY,
      onEvent: (event) => void taken.push(event),
      onError: (error) => errors.push(error),
      clock: { now: () => NOW },
    });
    return { errors, taken, handler };
  };

  it("reports that the raw body is required, so that the service delivers again", async () => {
    for (const [parse, flaw] of [
      [(bytes: Buffer) => ({ body: parsedOf(bytes) }), "body-parsed"],
      [() => ({}), "body-missing"],
      [() => ({ body: undefined }), "body-missing"],
    ] as const) {
      const { errors, taken, handler } = create();
      const running = await parserOf(parse)(handler);
      const { status } = await fetch(running.url, { method: "POST", headers: signedHeaders(BODY), body: BODY });
      await running.close();
      expect([status, taken, errors.map((error) => factsOf(error as CrosscallError))]).to.deep.equal([
        500,
        [],
        [{ code: "WEBHOOK_REFUSED", flaw }],
      ]);
    }
  });

  it("reports a `Request` whose body was already read, and a delivery without a `Request`", async () => {
    const { errors, handler } = create();
    const request = new Request("http://localhost", { method: "POST", headers: signedHeaders(BODY), body: BODY });
    await request.text();
    expect((await handler.web(request)).status).to.equal(500);
    const headers = signedHeaders(BODY);
    expect((await handler.handle({ rawBody: JSON.parse(BODY) as string, headers })).status).to.equal(500);
    expect(errors.map((error) => factsOf(error as CrosscallError).flaw)).to.deep.equal(["body-missing", "body-parsed"]);
  });
});
