import { expect } from "chai";
import * as Type from "typebox";

import { type ServiceCall, callService } from "../../../../packages/sdk/src/client/callService.ts";
import { createServiceClient, type ServiceClientOptions } from "../../../../packages/sdk/src/client/client.ts";
import { type CrosscallError, TimedOutError } from "../../../../packages/protocol/src/core/errors.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { type Answer, freeUrl, useService } from "./service.ts";

const API_KEY = "the-secret-key";
const Schema = Type.Object({ steps: Type.Array(Type.Object({ id: Type.String() })) });
const RESPONSE = { steps: [{ id: "deposit" }], more: true };

describe("callService", () => {
  const service = useService();

  type Call = Partial<Omit<ServiceCall<typeof Schema>, "needs">>;
  const run = (call: Call = {}, options: Partial<ServiceClientOptions> = {}): Promise<unknown> =>
    callService(createServiceClient({ baseUrl: service.url, random: () => 0, ...options }), {
      method: "GET",
      path: "/things",
      schema: Schema,
      needs: ["steps"],
      ...call,
    });
  const refuse = (call?: Call, options?: Partial<ServiceClientOptions>): Promise<CrosscallError> =>
    rejected(run(call, options));
  const refuseAnswer = (answer: Answer): Promise<CrosscallError> => {
    service.answers = () => answer;
    return refuse();
  };

  beforeEach(() => {
    service.answers = () => ({ json: RESPONSE });
  });

  describe("sends", () => {
    it("a GET request without query or body, and returns the entire response", async () => {
      expect(await run()).to.deep.equal(RESPONSE);
      expect(service.calls).to.have.length(1);
      const { method, url, headers, body } = service.calls[0]!;
      expect([method, url, body]).to.deep.equal(["GET", "/things", undefined]);
      expect(headers).to.include({ accept: "application/json" });
      expect(headers).not.to.have.any.keys("content-type", "x-api-key");
    });

    it("the query, escaped and without undefined values", async () => {
      await run({ query: { text: "a b&c=d/é", count: 0, flag: false, missing: undefined, empty: "" } });
      expect(service.calls[0]?.url).to.equal("/things?text=a+b%26c%3Dd%2F%C3%A9&count=0&flag=false&empty=");
    });

    it("no question mark if every parameter is undefined", async () => {
      await run({ query: { missing: undefined } });
      expect(service.calls[0]?.url).to.equal("/things");
    });

    it("a body as JSON", async () => {
      await run({ method: "POST", body: { amount: "1", list: [1, null] } });
      const { method, headers, body } = service.calls[0]!;
      expect([method, body]).to.deep.equal(["POST", { amount: "1", list: [1, null] }]);
      expect(headers).to.include({ "content-type": "application/json" });
    });

    it("the API key as x-api-key", async () => {
      await run({}, { apiKey: API_KEY });
      expect(service.calls[0]?.headers).to.include({ "x-api-key": API_KEY });
    });

    it("requests below the path of the base URL", async () => {
      await run({}, { baseUrl: `${service.url}/api/v9//` });
      expect(service.calls[0]?.url).to.equal("/api/v9/things");
    });
  });

  describe("an error status", () => {
    const facts = { code: "SERVICE_ERROR", status: 400, endpoint: "GET /things", errorData: undefined, tries: 1 };
    const bodies: Record<string, [Answer, Record<string, unknown>]> = {
      "with errorCode and errorData": [
        { status: 400, json: { message: "no", errorCode: "NO_QUOTES", errorData: { field: "amount" } } },
        { ...facts, errorCode: "NO_QUOTES", errorData: { field: "amount" } },
      ],
      "with code, as the signature endpoint sends it": [
        { status: 400, json: { message: "no", code: "BAD_ID" } },
        { ...facts, errorCode: "BAD_ID" },
      ],
      "with both: errorCode counts": [
        { status: 400, json: { errorCode: "NO_QUOTES", code: "OTHER" } },
        { ...facts, errorCode: "NO_QUOTES" },
      ],
      "with a code that is not a string": [
        { status: 400, json: { code: 5 } },
        { ...facts, errorCode: undefined },
      ],
      "with only a message": [
        { status: 400, json: { message: "no" } },
        { ...facts, errorCode: undefined },
      ],
      "from a proxy, in HTML": [
        { status: 502, text: "<html>Bad Gateway</html>", headers: { "content-type": "text/html" } },
        { ...facts, status: 502, errorCode: undefined, tries: 3 },
      ],
      "without a body": [
        { status: 500, text: "" },
        { ...facts, status: 500, errorCode: undefined },
      ],
      "with JSON that is not an object": [
        { status: 400, json: null },
        { ...facts, errorCode: undefined },
      ],
    };
    for (const [name, [answer, expected]] of Object.entries(bodies)) {
      it(`${name} causes a service error`, async () => {
        expect(factsOf(await refuseAnswer(answer))).to.deep.equal(expected);
      });
    }

    it("is reported with the method and path of the request", async () => {
      service.answers = () => ({ status: 404, json: {} });
      const error = await refuse({ method: "POST", path: "/other", query: { a: 1 }, body: {} });
      expect(factsOf(error)).to.include({ status: 404, endpoint: "POST /other" });
    });

    it("has a specific hint for keys, ids, limits and server errors, and a general hint for the rest", async () => {
      const hints = new Map<string, number[]>();
      for (const status of [400, 401, 403, 404, 422, 429, 500, 503]) {
        const { hint } = await refuseAnswer({ status, json: {} });
        hints.set(hint, [...(hints.get(hint) ?? []), status]);
      }
      expect([...hints.keys()].map((hint) => typeof hint)).to.deep.equal(Array(5).fill("string"));
      expect([...hints.values()]).to.deep.equal([[400, 422], [401, 403], [404], [429], [500, 503]]);
    });

    it("has the same hint for every transient code, with any status", async () => {
      const hints = new Set<string>();
      for (const [status, errorCode] of [
        [400, "RPC_HTTP_ERROR"],
        [400, "REQUEST_TIMED_OUT"],
        [503, "SERVICE_UNAVAILABLE"],
        [503, "PRICE_FETCH_FAILED"],
      ] as const) {
        hints.add((await refuseAnswer({ status, json: { errorCode } })).hint);
      }
      const { hint } = await refuseAnswer({ status: 503, json: { errorCode: "NO_QUOTES" } });
      expect(hints.size).to.equal(1);
      expect(hints.has(hint)).to.equal(false);
    });
  });

  describe("a malformed response", () => {
    const malformed: Record<string, [Answer, string]> = {
      "that is not JSON": [{ text: "<html></html>" }, ""],
      "that is empty": [{ text: "" }, ""],
      "that is null": [{ json: null }, ""],
      "that is an array": [{ json: [] }, ""],
      "with a needed field missing": [{ json: {} }, "steps"],
      "with a needed field null": [{ json: { steps: null } }, "steps"],
      "with a needed field of the wrong type": [{ json: { steps: "none" } }, "steps"],
      "with an item of a needed list of the wrong type": [{ json: { steps: [{ id: "a" }, 5] } }, "steps[1]"],
    };
    for (const [name, [answer, path]] of Object.entries(malformed)) {
      it(`${name} is rejected with the path`, async () => {
        expect(factsOf(await refuseAnswer(answer))).to.deep.equal({
          code: "MALFORMED_DATA",
          what: "the response of GET /things",
          path,
          endpoint: "GET /things",
          tries: 1,
        });
      });
    }
  });

  describe("without a response", () => {
    for (const answer of ["silence", "half an answer"] as const) {
      it(`fails at the timeout after ${answer}`, async () => {
        service.answers = () => answer;
        expect(factsOf(await refuse({}, { timeoutMs: 30 }))).to.deep.equal({
          code: "TIMED_OUT",
          timeoutMs: 30,
          endpoint: "GET /things",
          tries: 3,
        });
      });

      it(`fails when the signal aborts after ${answer}`, async () => {
        const controller = new AbortController();
        const reason = new Error("the caller's own");
        service.answers = () => {
          setImmediate(() => controller.abort(reason));
          return answer;
        };
        const error = await refuse({ signal: controller.signal });
        expect(factsOf(error)).to.deep.equal({ code: "ABORTED" });
        expect(error.cause).to.equal(reason);
      });
    }

    it("fails with the kit error that the caller aborted with", async () => {
      const controller = new AbortController();
      const reason = new TimedOutError({ what: "a longer run", timeoutMs: 5, hint: "Wait longer." });
      service.answers = () => {
        setImmediate(() => controller.abort(reason));
        return "silence";
      };
      expect(await refuse({ signal: controller.signal })).to.equal(reason);
    });

    it("sends nothing if the signal is already aborted", async () => {
      expect((await refuse({ signal: AbortSignal.abort() })).code).to.equal("ABORTED");
      expect(service.calls).to.deep.equal([]);
    });

    it("reports the address of a refused connection", async () => {
      const baseUrl = await freeUrl();
      const error = await refuse({}, { baseUrl });
      expect(factsOf(error)).to.deep.equal({
        code: "SERVICE_UNREACHABLE",
        endpoint: `GET ${baseUrl}/things`,
        tries: 3,
      });
      expect(error.cause).to.be.instanceOf(TypeError);
    });

    it("reports a closed connection", async () => {
      expect((await refuseAnswer("hang up")).code).to.equal("SERVICE_UNREACHABLE");
    });
  });
});
