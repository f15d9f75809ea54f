import { FakeServer, type Listener } from "../../support/httpServer.ts";

type Json = Readonly<Record<string, unknown>>;

/** Service that forwards requests to an honest service and changes the responses. */
export class FakeService extends FakeServer {
  /** Changes a status. If unset, the service returns honest statuses. */
  claim: ((status: Json) => Json) | undefined;
  /** Changes a quote. If unset, the service returns honest quotes. */
  quote: ((quote: Json) => Json) | undefined;

  static start(truth: string): Promise<FakeService> {
    const service = new FakeService();
    return service.listen((...call) => service.#respond(truth, ...call));
  }

  async #respond(truth: string, ...[request, response, body]: Parameters<Listener>): Promise<void> {
    const { method = "GET", url = "/" } = request;
    const key = String(request.headers["x-api-key"] ?? "");
    const headers = { "content-type": "application/json", ...(key === "" ? {} : { "x-api-key": key }) };
    const { status, text } = await this.#ask(`${truth}${url}`, { method, headers, ...(body === "" ? {} : { body }) });
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  }

  async #ask(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
    const response = await fetch(url, init);
    const text = await response.text();
    const change = url.includes("/intents/status/v3") ? this.claim : url.includes("/quote/v2") ? this.quote : undefined;
    if (change === undefined) return { status: response.status, text };
    return { status: 200, text: JSON.stringify(change(JSON.parse(text) as Json)) };
  }
}
