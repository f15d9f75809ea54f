import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Request that the server received. */
export interface RecordedCall {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Body as text. */
  readonly body: string;
}

/** Server's response. Text is sent unchanged, and any other value as JSON. */
export interface RecordedResponse {
  readonly status?: number;
  readonly body: unknown;
}

/** Reaction to a request. With `hang`, the server sends nothing until it closes. */
export type RecordedReaction = RecordedResponse | "hang up" | "hang";

/** HTTP server that returns recorded responses from a chain's servers. */
export interface RecordedServer {
  readonly url: string;
  /** All requests received. */
  readonly calls: RecordedCall[];
  /** Replaces the responses to future requests. If omitted, restores the initial responses. */
  answer(handle?: (call: RecordedCall) => RecordedReaction): void;
  close(): void;
}

/** Starts a server on a free port. */
export async function startRecordedServer(atStart: (call: RecordedCall) => RecordedReaction): Promise<RecordedServer> {
  const calls: RecordedCall[] = [];
  let handle = atStart;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const call = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
      calls.push(call);
      const answer = handle(call);
      if (answer === "hang") return;
      if (answer === "hang up") {
        response.destroy();
        return;
      }
      response.statusCode = answer.status ?? 200;
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer: (next = atStart) => {
      handle = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Error for a JSON-RPC method to return. */
export class JsonRpcFault {
  readonly code: number;
  readonly message: string;

  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}

interface JsonRpcRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown[];
}

/** Handles single and batched JSON-RPC requests. */
export function jsonRpc(call: (method: string, params: readonly unknown[]) => unknown) {
  return ({ body }: RecordedCall): RecordedResponse => {
    const parsed = JSON.parse(body) as JsonRpcRequest | JsonRpcRequest[];
    const answers = [parsed].flat().map(({ id, method, params }) => {
      const result = call(method, params);
      if (!(result instanceof JsonRpcFault)) return { jsonrpc: "2.0", id, result };
      return { jsonrpc: "2.0", id, error: { code: result.code, message: result.message } };
    });
    return { body: Array.isArray(parsed) ? answers : answers[0] };
  };
}
