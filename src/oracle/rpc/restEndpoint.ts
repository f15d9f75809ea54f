import { TimedOutError } from "@crosscall/sdk/internal/core/errors";
import { createHttpClient, type HttpAnswer } from "./httpClient.ts";
import type { RpcEndpoint } from "./rpcEndpoint.ts";
import { RpcError } from "./rpcErrors.ts";
import { parseJson } from "@crosscall/sdk/internal/protocol/schema/json";

/** What a call of a method is over HTTP: a POST where there is a body. */
export interface RestCall {
  /** Appended to the base URL. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** What an HTTP API knows its caller by. */
export interface RestCredentials {
  /** Headers of the next call. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** Closes connections. */
  close(): void;
}

/** Credentials that stay the same. */
export function fixedHeaders(headers: Readonly<Record<string, string>>): RestCredentials {
  return { headers: () => Promise.resolve(headers), close: () => undefined };
}

/** What an endpoint of an HTTP API is made of. */
export interface RestEndpointOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly credentials?: RestCredentials;
  readonly toCall: (method: string, params: readonly unknown[]) => RestCall;
  /** Whether an answer says that what was asked for is not there; left out, HTTP 404 does. */
  readonly isAbsent?: (status: number, content: unknown) => boolean;
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** An endpoint of an HTTP API that stands beside those of JSON-RPC: what is not there is answered by null. */
export function createRestEndpoint(options: RestEndpointOptions): RpcEndpoint {
  const { url, timeoutMs, credentials, toCall, isAbsent = (status) => status === 404 } = options;
  const http = createHttpClient(url);

  const send = async ({ path, body }: RestCall): Promise<HttpAnswer> => {
    try {
      return await http.send({
        method: body === undefined ? "GET" : "POST",
        path,
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        ...(credentials === undefined ? {} : { headers: await credentials.headers() }),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (cause) {
      if (cause instanceof RpcError) throw cause;
      throw new RpcError(http.host, cause instanceof TimedOutError ? "timeout" : "unreachable", { cause });
    }
  };

  return {
    name: http.host,
    async call(method, params) {
      const { status, body } = await send(toCall(method, params));
      const content = parseJson(body);
      if (status === 429) throw new RpcError(http.host, "rate-limited");
      if (isAbsent(status, content)) return null;
      if (status >= 400) throw new RpcError(http.host, "refused", { detail: `HTTP ${status}` });
      if (content === undefined) throw new RpcError(http.host, "malformed", { detail: "it is no JSON" });
      return content;
    },
    close() {
      http.close();
      credentials?.close();
    },
  };
}
