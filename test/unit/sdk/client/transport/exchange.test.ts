import { getEventListeners } from "node:events";
import { inspect } from "node:util";

import { expect } from "chai";
import * as Type from "typebox";

import { callService, type ServiceCall } from "../../../../../packages/sdk/src/client/callService.ts";
import { createServiceClient, type ServiceClientOptions } from "../../../../../packages/sdk/src/client/client.ts";
import type { CrosscallError } from "../../../../../packages/protocol/src/core/errors.ts";
import { factsOf, rejected } from "../../../../support/rejection.ts";
import { type Answer, freeUrl, useService } from "../service.ts";
import { settle, virtualTimer } from "../virtualTimer.ts";

const API_KEY = "the-secret-key";
const Schema = Type.Object({ fine: Type.Boolean() });
const FINE: Answer = { json: { fine: true } };
const NOW = Date.UTC(2026, 10, 21, 12);

describe("the transport", () => {
  const service = useService();
  const foreign = useService();

  type Call = Partial<Omit<ServiceCall<typeof Schema>, "needs">>;
  type Options = Partial<ServiceClientOptions>;
  const run = (call: Call = {}, options: Options = {}): Promise<unknown> =>
    callService(createServiceClient({ baseUrl: service.url, random: () => 0, ...options }), {
      method: "GET",
      path: "/things",
      schema: Schema,
      needs: ["fine"],
      ...call,
    });
  const respondInTurn = (...answers: Answer[]): void => {
    service.answers = (_call, index) => answers[Math.min(index, answers.length - 1)]!;
  };

  describe("retries", () => {
    const passing: Record<string, Answer> = {
      "status 502": { status: 502, text: "<html>Bad Gateway</html>" },
      "status 503": { status: 503, json: { message: "restarting" } },
      "status 504": { status: 504, text: "" },
      "status 429 without Retry-After": { status: 429, json: { message: "slower" } },
      "status 429 with Retry-After": { status: 429, json: {}, headers: { "retry-after": "0" } },
      PRICE_FETCH_FAILED: { status: 503, json: { errorCode: "PRICE_FETCH_FAILED" } },
      SERVICE_UNAVAILABLE: { status: 400, json: { errorCode: "SERVICE_UNAVAILABLE" } },
      REQUEST_TIMED_OUT: { status: 400, json: { errorCode: "REQUEST_TIMED_OUT" } },
      RPC_HTTP_ERROR: { status: 500, json: { errorCode: "RPC_HTTP_ERROR" } },
      "a closed connection": "hang up",
      "a truncated response": "a cut-off answer",
    };
    for (const [name, answer] of Object.entries(passing)) {
      it(`a GET request after ${name}`, async () => {
        respondInTurn(answer, FINE);
        expect(await run()).to.deep.equal({ fine: true });
        expect(service.calls).to.have.length(2);
      });
    }

    it("a GET request after a missing response", async () => {
      respondInTurn("silence", FINE);
      const timer = virtualTimer();
      const answer = run({}, { timer, timeoutMs: 1_000 });
      while (service.calls.length < 1) await settle();
      await timer.advance(1_000);
      while (service.calls.length < 2) {
        await settle();
        await timer.advance(0);
      }
      expect(await answer).to.deep.equal({ fine: true });
      expect(service.calls).to.have.length(2);
    });

    const lasting: Record<string, Answer> = {
      "status 400": { status: 400, json: {} },
      "status 401": { status: 401, json: { errorCode: "UNAUTHORIZED" } },
      "status 404": { status: 404, json: {} },
      "status 500": { status: 500, json: { errorCode: "UNKNOWN_ERROR" } },
      "status 501": { status: 501, text: "" },
      NO_QUOTES: { status: 400, json: { errorCode: "NO_QUOTES" } },
      "a redirect": { status: 302, text: "", headers: { location: "/other" } },
      "a success response with another format": { json: { errorCode: "RPC_HTTP_ERROR" } },
      "a success response that is not JSON": { text: "<html></html>" },
    };
    for (const [name, answer] of Object.entries(lasting)) {
      it(`nothing after ${name}`, async () => {
        respondInTurn(answer, FINE);
        expect(factsOf(await rejected(run()))).to.include({ tries: 1 });
        expect(service.calls).to.have.length(1);
      });
    }

    it("quotes and announcements as it does GET requests", async () => {
      for (const path of ["/quote/v2", "/transactions/index", "/transactions/single"]) {
        let failures = 1;
        service.answers = () => (failures-- > 0 ? "hang up" : FINE);
        expect(await run({ method: "POST", path, body: {} })).to.deep.equal({ fine: true });
      }
      expect(service.calls).to.have.length(6);
    });

    it("any other POST request only if it cannot have taken effect", async () => {
      const post: Call = { method: "POST", path: "/execute", body: {} };
      for (const answer of [
        "hang up",
        "a cut-off answer",
        passing["status 503"]!,
        passing.SERVICE_UNAVAILABLE!,
      ] as Answer[]) {
        respondInTurn(answer);
        expect(factsOf(await rejected(run(post)))).to.include({ tries: 1 });
      }
      respondInTurn(passing["status 429 without Retry-After"]!);
      expect(factsOf(await rejected(run(post)))).to.include({ status: 429, tries: 3 });
      expect(factsOf(await rejected(run(post, { baseUrl: await freeUrl() })))).to.include({ tries: 3 });
    });

    it("as often as the client allows, or fewer times if the call requires it", async () => {
      respondInTurn({ status: 503, json: {} });
      expect(factsOf(await rejected(run({}, { retry: { maxTries: 5 } })))).to.include({ tries: 5 });
      expect(factsOf(await rejected(run({}, { retry: false })))).to.include({ tries: 1 });
      expect(factsOf(await rejected(run({ maxTries: 2 })))).to.include({ tries: 2 });
      expect(factsOf(await rejected(run({ maxTries: 9 })))).to.include({ tries: 3 });
      expect(service.calls).to.have.length(11);
    });
  });

  describe("waits", () => {
    it("a random part of a bound that doubles up to its maximum", async () => {
      respondInTurn({ status: 503, json: {} });
      const timer = virtualTimer();
      const options = {
        timer,
        timeoutMs: 50_000,
        random: () => 0.5,
        retry: { maxTries: 5, baseDelayMs: 1_000, maxDelayMs: 3_000 },
      };
      const failed = rejected(run({}, options));
      const starts: number[] = [];
      for (const delayMs of [500, 1_000, 1_500, 1_500]) {
        await timer.untilDueAt(timer.now() + delayMs);
        await timer.advance(delayMs);
        starts.push(timer.now());
      }
      expect(factsOf(await failed)).to.include({ status: 503, tries: 5 });
      expect(starts).to.deep.equal([500, 1_500, 3_000, 4_500]);
      expect(timer.due).to.deep.equal([]);
    });

    const headers: Record<string, string> = { "in seconds": "20", "as a date": "Sat, 21 Nov 2026 12:00:20 GMT" };
    for (const [name, header] of Object.entries(headers)) {
      for (const status of [429, 503]) {
        it(`as long as a ${status} response requires ${name}, plus a random part`, async () => {
          respondInTurn({ status, json: {}, headers: { "retry-after": header } }, FINE);
          const timer = virtualTimer(NOW);
          const answer = run({}, { timer, random: () => 0.999 });
          await timer.untilDueAt(NOW + 20_499);
          await timer.advance(20_499);
          expect(await answer).to.deep.equal({ fine: true });
          expect(timer.due).to.deep.equal([]);
        });
      }
    }

    it("not at all if the wait would exceed the entire call's deadline", async () => {
      respondInTurn({ status: 429, json: {}, headers: { "retry-after": "61" } }, FINE);
      const timer = virtualTimer();
      expect(factsOf(await rejected(run({}, { timer })))).to.include({ status: 429, tries: 1, retryAfterMs: 61_000 });
      expect(timer.due).to.deep.equal([]);
    });

    it("at most until the caller aborts", async () => {
      respondInTurn({ status: 429, json: {}, headers: { "retry-after": "20" } });
      const timer = virtualTimer();
      const controller = new AbortController();
      const failed = rejected(run({ signal: controller.signal }, { timer }));
      await timer.untilDueAt(20_000);
      controller.abort();
      expect((await failed).code).to.equal("ABORTED");
      expect([timer.due, getEventListeners(controller.signal, "abort"), service.calls.length]).to.deep.equal([
        [],
        [],
        1,
      ]);
    });
  });

  it("fails the entire call at its deadline, with the previous failure as the cause", async () => {
    respondInTurn("hang up", "silence");
    const timer = virtualTimer();
    const failed = rejected(run({}, { timer, timeoutMs: 5_000, totalTimeoutMs: 4_000 }));
    await timer.untilDueAt(4_000);
    while (service.calls.length < 2) {
      await settle();
      await timer.advance(0);
    }
    await timer.advance(4_000);
    const error = await failed;
    expect(factsOf(error)).to.deep.equal({ code: "TIMED_OUT", timeoutMs: 4_000, endpoint: "GET /things", tries: 2 });
    expect((error.cause as CrosscallError).code).to.equal("SERVICE_UNREACHABLE");
    expect(timer.due).to.deep.equal([]);
  });

  it("fails an attempt if its fetch never completes", async () => {
    const fetch: typeof globalThis.fetch = () => new Promise(() => undefined);
    const timer = virtualTimer();
    const failed = rejected(run({}, { timer, fetch, retry: false }));
    await timer.untilDueAt(15_000);
    await timer.advance(15_000);
    expect(factsOf(await failed)).to.include({ code: "TIMED_OUT", timeoutMs: 15_000 });
  });

  it("removes every timer and listener when a call ends", async () => {
    const timer = virtualTimer();
    const { signal } = new AbortController();
    const answers: Answer[] = [FINE, { status: 400, json: {} }, { text: "" }, "an endless answer"];
    for (const answer of answers) {
      service.answers = () => answer;
      await run({ signal }, { timer, maxResponseBytes: 100_000 }).catch((error: unknown) => error);
      expect([timer.due, getEventListeners(signal, "abort")]).to.deep.equal([[], []]);
    }
  });

  describe("reads responses", () => {
    it("up to the allowed length, and not one byte more", async () => {
      const text = JSON.stringify({ fine: true, more: "é" });
      service.answers = () => ({ text });
      const length = Buffer.byteLength(text);
      expect(await run({}, { maxResponseBytes: length })).to.deep.equal({ fine: true, more: "é" });
      expect(factsOf(await rejected(run({}, { maxResponseBytes: length - 1 })))).to.deep.equal({
        code: "MALFORMED_DATA",
        what: "the response of GET /things",
        path: "",
        endpoint: "GET /things",
        tries: 1,
      });
    });

    it("up to that length if they never end", async () => {
      service.answers = () => "an endless answer";
      expect((await rejected(run({}, { maxResponseBytes: 1_000_000 }))).code).to.equal("MALFORMED_DATA");
      while (!service.wasCut) await settle();
      expect(service.calls).to.have.length(1);
    });

    it("from a proxy that sends a long page with an error status", async () => {
      service.answers = () => ({ status: 403, text: "<html>".padEnd(5_000) });
      expect(factsOf(await rejected(run({}, { maxResponseBytes: 1_000 })))).to.include({ status: 403 });
    });
  });

  describe("delays requests", () => {
    it("by the rate limit of their family, separately for each family", async () => {
      service.answers = () => FINE;
      const timer = virtualTimer();
      const client = createServiceClient({
        baseUrl: service.url,
        timer,
        totalTimeoutMs: 300_000,
        limits: { quote: 1, listing: 1, other: 1 },
      });
      const call = (method: "GET" | "POST", path: string) => callService(client, { method, path, schema: Schema });
      await Promise.all([call("POST", "/quote/v2"), call("GET", "/requests/v3"), call("GET", "/chains")]);
      const second = call("GET", "/requests/v2");
      await timer.untilDueAt(60_000);
      expect(service.calls).to.have.length(3);
      await timer.advance(60_000);
      expect(await second).to.deep.equal({ fine: true });
    });

    it("even on retries, but not beyond the deadline", async () => {
      respondInTurn({ status: 503, json: {} });
      const timer = virtualTimer();
      const failed = rejected(run({}, { timer, limits: { other: 1 }, totalTimeoutMs: 30_000 }));
      await timer.untilDueAt(0);
      await timer.advance(0);
      await timer.untilDueAt(60_000);
      await timer.advance(30_000);
      expect(factsOf(await failed)).to.include({ code: "TIMED_OUT", timeoutMs: 30_000, tries: 1 });
      expect(timer.due).to.deep.equal([]);
    });

    it("by the number of concurrent requests", async () => {
      let running = 0;
      let most = 0;
      service.answers = () => FINE;
      const fetch: typeof globalThis.fetch = async (...args) => {
        most = Math.max(most, (running += 1));
        const response = await globalThis.fetch(...args);
        running -= 1;
        return response;
      };
      const client = createServiceClient({ baseUrl: service.url, fetch, maxConcurrentCalls: 3 });
      const call = () => callService(client, { method: "GET", path: "/things", schema: Schema });
      await Promise.all(Array.from({ length: 12 }, call));
      expect([most, service.calls.length]).to.deep.equal([3, 12]);
    });

    it("not at all if limits are disabled", async () => {
      service.answers = () => FINE;
      const client = createServiceClient({ baseUrl: service.url, timer: virtualTimer(), limits: false });
      const call = () => callService(client, { method: "GET", path: "/things", schema: Schema });
      await Promise.all(Array.from({ length: 250 }, call));
      expect(service.calls).to.have.length(250);
    });
  });

  describe("keeps the API key", () => {
    const echo = { message: `bad key ${API_KEY}`, errorCode: `X_${API_KEY}`, errorData: { [API_KEY]: [API_KEY] } };
    const outcomes: Record<string, [Answer, Options]> = {
      "a service error that echoes the key": [{ status: 401, json: echo }, {}],
      "a malformed response": [{ json: { fine: API_KEY } }, {}],
      "a failure of a fetch that exposes the key": [
        FINE,
        { fetch: (_url, init) => Promise.reject(Object.assign(new Error(API_KEY), { init })), retry: false },
      ],
      "a closed connection": ["hang up", {}],
      silence: ["silence", { timeoutMs: 20, retry: false }],
    };
    for (const [name, [answer, options]] of Object.entries(outcomes)) {
      it(`out of ${name}, in every printed form`, async () => {
        service.answers = () => answer;
        const error = await rejected(run({}, { apiKey: API_KEY, ...options }));
        const shown = [
          JSON.stringify(error),
          String(error),
          error.stack,
          inspect(error, { depth: 20, showHidden: true }),
        ];
        expect(shown.join("\n")).not.to.include(API_KEY);
      });
    }

    it("in the query out of errors", async () => {
      service.answers = ({ url }) => ({ status: 404, json: { message: `${url} is not known` } });
      const call = { query: { apiKey: "k/1,k2" }, secrets: ["k/1", "k2"] };
      const error = await rejected(run(call, { apiKey: API_KEY }));
      expect(error.message).not.to.match(/k\/1|k%2F1|k2/u);
    });

    it("from redirect targets", async () => {
      foreign.answers = () => FINE;
      service.answers = () => ({ status: 307, text: "", headers: { location: `${foreign.url}/stolen` } });
      expect(factsOf(await rejected(run({}, { apiKey: API_KEY })))).to.include({ status: 307, tries: 1 });
      expect(foreign.calls).to.deep.equal([]);
    });
  });

  it("reports the id of the request, or of the response if the request has none", async () => {
    const idOf = async (call: Call, json: unknown): Promise<unknown> => {
      service.answers = () => ({ status: 400, json });
      return factsOf(await rejected(run(call))).requestId;
    };
    expect(await idOf({ requestId: "0x01" }, { requestId: "0x02" })).to.equal("0x01");
    expect(await idOf({}, { requestId: "0x02" })).to.equal("0x02");
    expect(await idOf({}, { errorData: { requestId: "0x03" } })).to.equal("0x03");
    expect(await idOf({}, {})).to.equal(undefined);
    service.answers = () => "hang up";
    expect(factsOf(await rejected(run({ requestId: "0x01" })))).to.include({ requestId: "0x01", tries: 3 });
  });
});
