import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import {
  HttpResponse,
  type RpcAnswer,
  type RpcRequest,
  type MisbehavingNodeKind,
  type MisbehavingNodeOptions,
} from "./nodeBehavior.ts";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { openNode } from "./nodeKinds.ts";

/** A node for tests: a loopback HTTP proxy in front of a real node. */
export interface MisbehavingNode extends AsyncDisposable {
  readonly url: string;
  /** Received requests, in order. */
  readonly requests: readonly RpcRequest[];
  /** Stops misbehaving. */
  release(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a node that misbehaves in one way and passes everything else to a real node. */
export async function misbehavingNode(
  kind: MisbehavingNodeKind,
  options: MisbehavingNodeOptions,
): Promise<MisbehavingNode> {
  rejectUnknownOptions(options, {
    rpcUrl: 1,
    blocks: 1,
    every: 1,
    refusal: 1,
    methods: 1,
    garbage: 1,
    gasPrice: 1,
    chainId: 1,
  });
  const requests: RpcRequest[] = [];
  const behavior = openNode(kind, options, (body) => post(options.rpcUrl, body));
  const server = createServer((incoming, response) => {
    void (async () => {
      // Allows requests from pages of any origin.
      response.setHeader("access-control-allow-origin", "*").setHeader("access-control-allow-headers", "content-type");
      if (incoming.method === "OPTIONS") return void response.writeHead(204).end();
      const parsed = JSON.parse(await text(incoming)) as RpcRequest | readonly RpcRequest[];
      const batch = [parsed].flat() as readonly RpcRequest[];
      requests.push(...batch);
      const answers = await Promise.all(batch.map((request) => behavior.answer(request)));
      respond(response, Array.isArray(parsed) ? answers : answers[0]);
      // If the real node is down, the proxy closes the connection.
    })().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    release: () => behavior.release(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Responded = RpcAnswer | HttpResponse;

function respond(response: ServerResponse, answered: Responded | readonly Responded[] | undefined): void {
  const whole = [answered].flat().find((each) => each instanceof HttpResponse);
  response.setHeader("content-type", "application/json");
  if (whole === undefined) response.end(JSON.stringify(answered));
  else response.writeHead(whole.status, { ...whole.headers }).end(whole.body);
}

async function post(url: string, request: RpcRequest): Promise<RpcAnswer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  return (await response.json()) as RpcAnswer;
}
