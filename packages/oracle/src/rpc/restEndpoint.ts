import { createHttpClient, type HttpResponse } from "./httpClient.ts";
import type { RpcEndpoint } from "./rpcEndpoint.ts";
import { failureOf, MAX_RESPONSE_BYTES, redirected, RpcError } from "./rpcErrors.ts";
import { parseJson } from "@crosscall/protocol/schema";

export interface RestCall {
  /** Path, which is appended to the base URL. */
  readonly path: string;
  /** Body, which is sent as JSON with POST. */
  readonly body?: unknown;
}

export interface RestCredentials {
  /** Returns the headers of the next request. */
  headers(): Promise<Readonly<Record<string, string>>>;
  close(): void;
}

export function fixedHeaders(headers: Readonly<Record<string, string>>): RestCredentials {
  return { headers: () => Promise.resolve(headers), close: () => undefined };
}

export interface RestEndpointOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly credentials?: RestCredentials;
  readonly toCall: (method: string, params: readonly unknown[]) => RestCall;
  /** Whether the response means that the resource does not exist; HTTP 404 by default. */
  readonly isAbsent?: (status: number, content: unknown) => boolean;
}

/** Creates an endpoint of an HTTP API that replaces JSON-RPC. A missing resource is null. */
export function createRestEndpoint(options: RestEndpointOptions): RpcEndpoint {
  const { url, timeoutMs, credentials, toCall, isAbsent = (status) => status === 404 } = options;
  const http = createHttpClient(url);

  const send = async ({ path, body }: RestCall): Promise<HttpResponse> => {
    try {
      return await http.send({
        method: body === undefined ? "GET" : "POST",
        path,
        timeoutMs,
        maxBytes: MAX_RESPONSE_BYTES,
        ...(credentials === undefined ? {} : { headers: await credentials.headers() }),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (cause) {
      if (cause instanceof RpcError) throw cause;
      throw new RpcError(http.host, failureOf(cause), { cause });
    }
  };

  return {
    name: http.host,
    async call(method, params) {
      const { status, body } = await send(toCall(method, params));
      const content = parseJson(body);
      if (status >= 300 && status < 400) throw redirected(http.host);
      if (status === 429) throw new RpcError(http.host, "rate-limited");
      if (isAbsent(status, content)) return null;
      if (status >= 400) throw new RpcError(http.host, "refused", { detail: `HTTP ${status}` });
      if (content === undefined) throw new RpcError(http.host, "malformed", { detail: "it is not JSON" });
      return content;
    },
    close() {
      http.close();
      credentials?.close();
    },
  };
}
