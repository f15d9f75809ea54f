import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A call of the server. */
export interface RecordedCall {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As text. */
  readonly body: string;
}

/** What the server answers; texts are sent as they are, all else as JSON. */
export interface RecordedAnswer {
  readonly status?: number;
  readonly body: unknown;
}

/** An HTTP server that answers in the shapes that a chain's servers were seen to answer in. */
export interface RecordedServer {
  readonly url: string;
  /** All calls so far. */
  readonly calls: RecordedCall[];
  /** Answers otherwise from now on; left out, as at the start. */
  answer(handle?: (call: RecordedCall) => RecordedAnswer | "hang up"): void;
  close(): void;
}

/** Starts a server on a free port. */
export async function startRecordedServer(
  atStart: (call: RecordedCall) => RecordedAnswer | "hang up",
): Promise<RecordedServer> {
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

/** An error that a JSON-RPC method answers with. */
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

/** Answers JSON-RPC, alone and in batches. */
export function jsonRpc(call: (method: string, params: readonly unknown[]) => unknown) {
  return ({ body }: RecordedCall): RecordedAnswer => {
    const parsed = JSON.parse(body) as JsonRpcRequest | JsonRpcRequest[];
    const answers = [parsed].flat().map(({ id, method, params }) => {
      const result = call(method, params);
      if (!(result instanceof JsonRpcFault)) return { jsonrpc: "2.0", id, result };
      return { jsonrpc: "2.0", id, error: { code: result.code, message: result.message } };
    });
    return { body: Array.isArray(parsed) ? answers : answers[0] };
  };
}
