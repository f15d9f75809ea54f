import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { type Clock, compact, MalformedDataError, systemClock } from "@crosscall/protocol/core";
import type { StatusEvent } from "@crosscall/protocol/request/events";
import { type RawBody, rawBytes, requireWebhookKey, verifyWebhook, type WebhookHeaders } from "./verifyWebhook.ts";
import { WebhookRefusedError } from "./webhookRefusedError.ts";

/** Options of `createWebhookHandler`. */
export interface WebhookHandlerOptions {
  /** The API key of the webhook. */
  readonly apiKey: string;
  /**
   * Called once per event. The delivery is acknowledged when the function resolves. If the function throws, the service
   * delivers the event again.
   */
  readonly onEvent?: (event: StatusEvent) => void | Promise<void>;
  /** Feed that passes events to `watchRequest`. */
  readonly feed?: StatusFeed;
  /** Called when a delivery is rejected, or `onEvent` throws. The response contains no details. */
  readonly onError?: (error: unknown) => void;
  /** Maximum deviation of the webhook's time from now, in milliseconds. Defaults to 300,000. */
  readonly toleranceMs?: number;
  /** Maximum body length in bytes. Defaults to 65,536. */
  readonly maxBodyBytes?: number;
  /** Number of remembered events, which are used to drop repeated deliveries. Defaults to 10,000. */
  readonly rememberedEvents?: number;
  readonly clock?: Clock;
}

export interface WebhookDelivery {
  /** Unparsed. */
  readonly rawBody: RawBody;
  readonly headers: WebhookHeaders;
}

/**
 * Response to a delivery. Status 2xx acknowledges the delivery. After any other status, the service delivers the event
 * again.
 */
export interface WebhookAnswer {
  readonly status: 200 | 400 | 401 | 413 | 500;
  readonly body: { readonly message: string };
}

export interface WebhookRequest extends AsyncIterable<Uint8Array> {
  readonly headers: WebhookHeaders;
  /** Raw body in frameworks that keep it, such as NestJS and cloud functions. */
  readonly rawBody?: unknown;
  /** Body from a body parser. Bytes and text are accepted, but not a parsed body. */
  readonly body?: unknown;
  /** Whether the Node.js stream was already read. */
  readonly readableDidRead?: boolean;
}

export interface WebhookResponse {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  end(body: string): unknown;
}

/** Handles webhook deliveries. */
export interface WebhookHandler {
  /** Maximum body length in bytes. */
  readonly maxBodyBytes: number;
  /** Handles a delivery from any server. Never throws. */
  handle(delivery: WebhookDelivery): Promise<WebhookAnswer>;
  /**
   * Handles a request to a Node.js server: with an unread body, with `rawBody`, or after a parser that keeps bytes or
   * text, such as `express.raw` and `express.text`. Never throws.
   */
  node(request: WebhookRequest, response: WebhookResponse): Promise<void>;
  /** Handles a request to a server that uses `Request`, such as a route of Next.js or a worker. Never throws. */
  web(request: Request): Promise<Response>;
}

const MAX_BODY_BYTES = 65_536;
const REMEMBERED_EVENTS = 10_000;

/** Messages of responses, which contain no details. */
const ANSWERS = {
  taken: { status: 200, body: { message: "taken" } },
  malformed: { status: 400, body: { message: "it is not a status event of a request" } },
  refused: { status: 401, body: { message: "the signature is invalid" } },
  tooLarge: { status: 413, body: { message: "the body is too large" } },
  failed: { status: 500, body: { message: "the event could not be processed; deliver it again" } },
} as const satisfies Record<string, WebhookAnswer>;

/**
 * Creates a handler for the service's webhooks, which verifies each delivery, drops duplicates, and responds as the
 * service expects.
 */
export function createWebhookHandler(options: WebhookHandlerOptions): WebhookHandler {
  rejectUnknownOptions(options, {
    apiKey: 1,
    onEvent: 1,
    feed: 1,
    onError: 1,
    toleranceMs: 1,
    maxBodyBytes: 1,
    rememberedEvents: 1,
    clock: 1,
  });
  requireWebhookKey(options.apiKey);
  const { clock = systemClock, onError, onEvent, feed, maxBodyBytes = MAX_BODY_BYTES } = options;
  const once = createOnceByKey(options.rememberedEvents ?? REMEMBERED_EVENTS);

  async function take(rawBody: unknown, headers: WebhookHeaders): Promise<WebhookAnswer> {
    try {
      if ((rawBytes(rawBody)?.length ?? 0) > maxBodyBytes) return ANSWERS.tooLarge;
      const event = await verifyWebhook(
        compact({
          rawBody: rawBody as RawBody,
          headers,
          apiKey: options.apiKey,
          now: clock.now(),
          toleranceMs: options.toleranceMs,
        }),
      );
      await once(identify(event), async () => {
        await onEvent?.(event);
        feed?.publish(event);
      });
      return ANSWERS.taken;
    } catch (error) {
      onError?.(error);
      if (error instanceof WebhookRefusedError) return isOwnFault(error) ? ANSWERS.failed : ANSWERS.refused;
      return error instanceof MalformedDataError ? ANSWERS.malformed : ANSWERS.failed;
    }
  }

  return {
    maxBodyBytes,
    handle: ({ rawBody, headers }) => take(rawBody, headers),
    async node(request, response) {
      const read = keptBody(request) ?? (await readBody(request, maxBodyBytes));
      // The caller disconnected.
      if (read === undefined) return;
      const { status, body } = read === "too large" ? ANSWERS.tooLarge : await take(read.body, request.headers);
      // Does not wait for the rest of an oversized body.
      response.writeHead(status, {
        "content-type": "application/json",
        ...(status === 413 && { connection: "close" }),
      });
      response.end(JSON.stringify(body));
    },
    async web(request) {
      const read = request.bodyUsed ? undefined : await readBody(request.body ?? [], maxBodyBytes);
      const { status, body } = read === "too large" ? ANSWERS.tooLarge : await take(read?.body, request.headers);
      return Response.json(body, { status });
    },
  };
}

/** Whether this server cannot verify the delivery, which can be genuine. */
function isOwnFault({ flaw }: WebhookRefusedError): boolean {
  return flaw === "body-missing" || flaw === "body-parsed";
}

interface Body {
  readonly body: unknown;
}

/** Returns the body that a framework kept or parsed when it read the stream, or undefined if the stream is unread. */
function keptBody({ rawBody, body, readableDidRead }: WebhookRequest): Body | undefined {
  const raw = [rawBody, body].find((one) => rawBytes(one) !== undefined);
  if (raw !== undefined) return { body: raw };
  return readableDidRead === true ? { body } : undefined;
}

/**
 * Returns the key of an event. It is the same for repeated deliveries, although the service signs each with a new time.
 */
function identify({ data: { requestId, status, updatedAt } }: StatusEvent): string {
  return JSON.stringify([requestId, status, updatedAt]);
}

async function readBody(
  request: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Body | "too large" | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      length += chunk.length;
      if (length > maxBytes) return "too large";
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return { body: concat(chunks, length) };
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

/**
 * Runs work once per key. Concurrent calls share the result, and failed work can run again.
 * @param remembered maximum number of keys; the oldest key is dropped first
 */
function createOnceByKey(remembered: number): (key: string, work: () => Promise<void>) => Promise<void> {
  const runs = new Map<string, Promise<void>>();
  return (key, work) => {
    const earlier = runs.get(key);
    if (earlier !== undefined) return earlier;
    const run = work().catch((error: unknown) => {
      runs.delete(key);
      throw error;
    });
    runs.set(key, run);
    for (const oldest of runs.keys()) {
      if (runs.size <= remembered) break;
      runs.delete(oldest);
    }
    return run;
  };
}

export interface FastifyApplication {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: string,
    options: { parseAs: "buffer"; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  post(path: string, handler: (request: FastifyCall, reply: FastifyResponse) => Promise<unknown>): unknown;
}

export interface FastifyCall {
  readonly headers: WebhookHeaders;
  readonly body: unknown;
  /** Raw body from plugins that keep it. */
  readonly rawBody?: unknown;
}

export interface FastifyResponse {
  code(status: number): { send(body: unknown): unknown };
}

export interface FastifyWebhookOptions {
  readonly path: string;
}

/**
 * Returns a Fastify plugin that serves a webhook: `app.register(createFastifyWebhook(handler, { path: "/webhook" }))`.
 * The plugin reads the raw body and does not change the application's own parsers.
 */
export function createFastifyWebhook(
  handler: WebhookHandler,
  options: FastifyWebhookOptions,
): (app: FastifyApplication) => Promise<void> {
  rejectUnknownOptions(options, { path: 1 });
  const { path } = options;
  return (app) => {
    // Applies only within the plugin's scope, so that the rest of the application keeps its parsers.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: handler.maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    app.post(path, async ({ headers, body, rawBody }, reply) => {
      const raw = [rawBody, body].find((one) => rawBytes(one) !== undefined);
      const answer = await handler.handle({ rawBody: (raw ?? body) as RawBody, headers });
      return reply.code(answer.status).send(answer.body);
    });
    return Promise.resolve();
  };
}

/** Feed that passes webhook events to the calls of `watchRequest`. */
export interface StatusFeed {
  publish(event: StatusEvent): void;
  /** Calls a listener for each event of a request, until the returned function is called. */
  subscribe(requestId: string, listener: (event: StatusEvent) => void): () => void;
}

/**
 * Creates a status feed. The feed stores no events, so a late subscriber first requests the current status from the
 * service.
 */
export function createStatusFeed(): StatusFeed {
  const listeners = new Map<string, Set<(event: StatusEvent) => void>>();
  return {
    publish(event) {
      for (const listener of listeners.get(event.data.requestId.toLowerCase()) ?? []) listener(event);
    },
    subscribe(requestId, listener) {
      // A new function, because the same listener can subscribe twice.
      const own = (event: StatusEvent): void => listener(event);
      const key = requestId.toLowerCase();
      const ofRequest = listeners.get(key) ?? new Set();
      listeners.set(key, ofRequest.add(own));
      return () => {
        ofRequest.delete(own);
        if (ofRequest.size === 0 && listeners.get(key) === ofRequest) listeners.delete(key);
      };
    },
  };
}
