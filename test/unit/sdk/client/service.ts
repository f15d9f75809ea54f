import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";

import { type Listener, serve, type TestServer } from "../../../support/httpServer.ts";

export { freeUrl } from "../../../support/httpServer.ts";

/** A received request. */
export interface ReceivedCall {
  readonly method: string | undefined;
  /** Path and query, as sent. */
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  /** Parsed body, or undefined if absent. */
  readonly body: unknown;
}

/** Server's response: JSON, any text, or another action on the connection. */
export type Answer =
  | { readonly status?: number; readonly json: unknown; readonly headers?: Record<string, string> }
  | { readonly status?: number; readonly text: string; readonly headers?: Record<string, string> }
  | "silence"
  | "a cut-off answer"
  | "an endless answer"
  | "half an answer"
  | "hang up";

/** HTTP server on a free loopback port. */
export interface TestService {
  readonly url: string;
  /** Requests received since the test started. */
  readonly calls: readonly ReceivedCall[];
  /** Returns the response for a request, given the request and its zero-based number. */
  answers: (call: ReceivedCall, index: number) => Answer;
  /** Whether the client has closed an endless response. */
  wasCut: boolean;
}

function* endlessly(): Generator<string> {
  for (;;) yield " ".repeat(65_536);
}

/** Starts a server for each test of the calling suite. */
export function useService(): TestService {
  let server: TestServer;
  let calls: ReceivedCall[] = [];
  const service = {
    url: "",
    get calls() {
      return calls;
    },
    answers: (): Answer => ({ json: {} }),
    wasCut: false,
  };
  beforeEach(async () => {
    calls = [];
    service.wasCut = false;
    service.answers = () => ({ json: {} });
    server = await serve((...call) => respond(service, calls, ...call));
    service.url = server.url;
  });
  afterEach(() => server.close());
  return service;
}

async function respond(
  service: TestService,
  calls: ReceivedCall[],
  ...[request, response, text]: Parameters<Listener>
): Promise<void> {
  const { method, url, headers } = request;
  const call = { method, url, headers, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
  const answer = service.answers(call, calls.push(call) - 1);
  switch (answer) {
    case "silence":
      return;
    case "half an answer":
      response.write("{");
      return;
    case "a cut-off answer":
      // Half of the response is sent before the connection closes.
      response.writeHead(200, { "content-length": "100" });
      response.write('{"half":', () => request.socket.destroy());
      return;
    case "an endless answer":
      response.on("close", () => (service.wasCut = true));
      await pipeline(endlessly(), response).catch(() => undefined);
      return;
    case "hang up":
      request.socket.destroy();
      return;
    default:
      response.writeHead(answer.status ?? 200, answer.headers);
      response.end("json" in answer ? JSON.stringify(answer.json) : answer.text);
  }
}
