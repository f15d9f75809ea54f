import type { WebhookHandler } from "./createWebhookHandler.ts";
import type { WebhookHeaders } from "./verifyWebhook.ts";

export interface FastifyApplication {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: string,
    options: { parseAs: "buffer"; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  post(path: string, handler: (request: FastifyCall, reply: FastifyAnswer) => Promise<unknown>): unknown;
}

export interface FastifyCall {
  readonly headers: WebhookHeaders;
  readonly body: unknown;
}

export interface FastifyAnswer {
  code(status: number): { send(body: unknown): unknown };
}

export interface FastifyWebhookOptions {
  readonly path: string;
}

/**
 * Returns a Fastify plugin that serves a webhook: `app.register(createFastifyWebhook(handler, { path: "/webhook" }))`.
 * It reads the raw body and leaves the application's own parsers unchanged.
 */
export function createFastifyWebhook(
  handler: WebhookHandler,
  { path }: FastifyWebhookOptions,
): (app: FastifyApplication) => Promise<void> {
  return (app) => {
    // Within the plugin's scope only, so the rest of the application keeps its parsers.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: handler.maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    app.post(path, async ({ headers, body }, reply) => {
      const rawBody = body instanceof Uint8Array ? body : new Uint8Array();
      const answer = await handler.handle({ rawBody, headers });
      return reply.code(answer.status).send(answer.body);
    });
    return Promise.resolve();
  };
}
