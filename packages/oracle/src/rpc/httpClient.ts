import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

import { ServiceUnreachableError, TimedOutError } from "@crosscall/protocol/core";

export interface HttpCall {
  readonly method: "GET" | "POST";
  /** Path, which is appended to the base URL. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  /** Maximum length of a response in bytes. Longer responses are discarded. */
  readonly maxBytes: number;
}

export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

export class ResponseTooLargeError extends ServiceUnreachableError {}

/** Keeps connections open. */
export interface HttpClient {
  /** Host and port, without the rest of the URL, which may contain keys. */
  readonly host: string;
  /**
   * Sends a request. Does not follow redirects or accept compression.
   *
   * @throws {@link ServiceUnreachableError} if there is no response
   *
   * @throws {@link ResponseTooLargeError} if the response is too long, or too many long responses arrive concurrently
   *
   * @throws {@link TimedOutError} if the response takes too long
   */
  send(call: HttpCall): Promise<HttpResponse>;
  close(): void;
}

/** Maximum number of connections. Additional requests wait for a free connection. */
const MAX_CONNECTIONS = 64;

/** Maximum total length of responses in progress, as a multiple of the longest response, to limit memory use. */
const LONGEST_AT_ONCE = 4;

/** Codes of errors of a connection that the server closed. */
const CLOSED: readonly (string | undefined)[] = ["ECONNRESET", "EPIPE"];

/** @param baseUrl base URL; its user and password become an `Authorization` header */
export function createHttpClient(baseUrl: string): HttpClient {
  const url = new URL(baseUrl);
  const isSecure = url.protocol === "https:";
  const settings = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const agent = isSecure ? new HttpsAgent(settings) : new HttpAgent(settings);
  const request = isSecure ? httpsRequest : httpRequest;
  const basePath = url.pathname.replace(/\/$/u, "");
  const target = {
    agent,
    hostname: url.hostname.replace(/^\[|\]$/gu, ""),
    port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
    ...(url.username === "" ? {} : { auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` }),
  };
  let buffered = 0;
  const send = (call: HttpCall): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      const { method, path = "", headers, body, timeoutMs, maxBytes } = call;
      const endpoint = `${method} ${url.host}`;
      const fail = (cause: unknown): void => reject(new ServiceUnreachableError({ endpoint, cause }));
      const outgoing = request({
        ...target,
        method,
        path: `${basePath}${path}` === "" ? `/${url.search}` : `${basePath}${path}${url.search}`,
        headers: {
          ...(body === undefined
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
          ...headers,
        },
      });
      const timer = setTimeout(() => {
        const hint = "Check the endpoint, or increase its timeout.";
        reject(new TimedOutError({ what: endpoint, timeoutMs, hint }));
        outgoing.destroy();
      }, timeoutMs);
      outgoing.on("close", () => clearTimeout(timer));
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection while this request was sent. Requests only read or sign, so repeating
        // one is safe.
        if (outgoing.reusedSocket && CLOSED.includes(error.code)) resolve(send(call));
        else fail(error);
      });
      outgoing.on("response", (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        const refuse = (): void => {
          const cause = new Error(`the response is longer than ${maxBytes} bytes`);
          chunks.length = 0;
          reject(new ResponseTooLargeError({ endpoint, cause }));
          outgoing.destroy();
        };
        response.on("close", () => {
          buffered -= length;
        });
        if (Number(response.headers["content-length"] ?? 0) > maxBytes) refuse();
        response.on("data", (chunk: Buffer) => {
          length += chunk.length;
          buffered += chunk.length;
          chunks.push(chunk);
          if (length > maxBytes || buffered > LONGEST_AT_ONCE * maxBytes) refuse();
        });
        response.on("error", fail);
        response.on("end", () => {
          clearTimeout(timer);
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") });
        });
      });
      outgoing.end(body);
    });
  return { host: url.host, send, close: () => agent.destroy() };
}

/** Compares URLs. Ignores spelling and a trailing slash. */
export function isSameUrl(one: string, other: string): boolean {
  return normalized(one) === normalized(other);
}

function normalized(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replace(/\/$/u, "") : url;
}
