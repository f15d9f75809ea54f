import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

import { expect } from "chai";

import { AbortedError, ChainError, type Timer } from "../../../../../packages/protocol/src/core/index.ts";
import { createUpstream } from "../../../../../packages/crosscall/src/replay/fork/upstream.ts";
import { failureOf } from "../../../../integration/support/failureOf.ts";

interface Body {
  readonly id: number;
  readonly method: string;
}

/** Response to one request: to each call, or to the whole HTTP request. */
type Answer = (bodies: readonly Body[], response: ServerResponse) => unknown;

const result = (value: unknown) => (bodies: readonly Body[]) => bodies.map(({ id }) => ({ id, result: value }));
const rejection = (code: number, message: string, data?: unknown) => (bodies: readonly Body[]) =>
  bodies.map(({ id }) => ({ id, error: { code, message, data } }));
const status =
  (code: number, headers: Record<string, string> = {}, text = "") =>
  (_bodies: readonly Body[], response: ServerResponse) => {
    response.writeHead(code, headers).end(text);
    return undefined;
  };
const hangUp = (_bodies: readonly Body[], response: ServerResponse) => {
  response.destroy();
  return undefined;
};

/** Starts a node with these responses, of which the last repeats, and a client whose waits only are recorded. */
async function openUpstream(answers: readonly Answer[], { path = "" } = {}) {
  const waits: number[] = [];
  const requests: string[][] = [];
  const stop = new AbortController();
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const bodies = (Array.isArray(body) ? body : [body]) as Body[];
      requests.push(bodies.map(({ method }) => method));
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      const sent = answer?.(bodies, response) as readonly unknown[] | undefined;
      if (sent !== undefined) response.end(JSON.stringify(Array.isArray(body) ? sent : sent[0]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const timer: Timer = {
    now: () => 0,
    schedule(durationMs, run) {
      waits.push(durationMs);
      // A long wait is aborted instead.
      setImmediate(durationMs > 10_000 ? () => stop.abort() : run);
      return () => undefined;
    },
  };
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const upstream = createUpstream({ rpcUrl, chainId: 1, timeoutMs: 600_000, signal: stop.signal, timer });
  return {
    upstream,
    waits,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const READ = { method: "eth_getCode", params: [] };
const OTHER = { method: "eth_getBalance", params: [] };

describe("createUpstream", () => {
  const transient: Record<string, Answer> = {
    "a rate limit": rejection(-32_005, "limit exceeded"),
    "a rate limit in words": rejection(-32_000, "Too many requests, slow down"),
    "a lagging node": rejection(-32_000, "header not found"),
    "HTTP 429": status(429),
    "a busy node": rejection(-32_603, "Internal error: service temporarily unavailable"),
    "a rate limit without an id": () => [{ error: { code: 429, message: "Too many requests" } }],
    "a rate limit with a null id": () => [{ id: null, error: { code: -32_005, message: "limit exceeded" } }],
    "HTTP 503": status(503),
    "HTTP 522": status(522),
    "a dropped connection": hangUp,
  };
  for (const [name, answer] of Object.entries(transient)) {
    it(`retries ${name} with increasing waits`, async () => {
      await using world = await openUpstream([answer, answer, answer, result("0x1")]);
      expect(await world.upstream.send([READ])).to.deep.include.members([{ id: 0, result: "0x1" }]);
      expect(world.waits).to.deep.equal([200, 400, 800]);
      expect(world.upstream.sent).to.equal(4);
    });
  }

  it("repeats only the rejected calls of a batch, and keeps the order", async () => {
    const half: Answer = (bodies) =>
      bodies.map(({ id, method }) =>
        method === READ.method ? { id, error: { code: -32_005, message: "rate limit" } } : { id, result: "0x2" },
      );
    await using world = await openUpstream([half, result("0x1")]);
    const responses = await world.upstream.send([READ, OTHER]);
    expect(responses.map((response) => "result" in response && response.result)).to.deep.equal(["0x1", "0x2"]);
    expect(world.requests).to.deep.equal([[READ.method, OTHER.method], [READ.method]]);
  });

  it("retries a batch that is rejected as a whole", async () => {
    const whole: Answer = (_bodies, response) => {
      response.end(JSON.stringify({ id: null, error: { code: -32_005, message: "rate limit" } }));
      return undefined;
    };
    await using world = await openUpstream([whole, result("0x1")]);
    const responses = await world.upstream.send([READ, OTHER]);
    expect(responses.map((response) => "result" in response && response.result)).to.deep.equal(["0x1", "0x1"]);
  });

  it("waits as long as the node asks", async () => {
    const backoff = rejection(-32_005, "limit", { rate: { backoff_seconds: 5 } });
    await using world = await openUpstream([status(429, { "retry-after": "3" }), backoff, result("0x1")]);
    await world.upstream.send([READ]);
    expect(world.waits).to.deep.equal([3_000, 5_000]);
  });

  it("does not wait longer than a minute", async () => {
    await using world = await openUpstream([status(429, { "retry-after": "3600" })]);
    expect(await failureOf(world.upstream.send([READ]))).to.be.instanceOf(ChainError);
    expect([world.waits, world.requests.length]).to.deep.equal([[], 1]);
  });

  it("ends a wait when the signal aborts", async () => {
    await using world = await openUpstream([status(429, { "retry-after": "30" })]);
    expect(await failureOf(world.upstream.send([READ]))).to.be.instanceOf(AbortedError);
    expect(world.requests.length).to.equal(1);
  });

  it("returns the node's last error after five attempts", async () => {
    await using world = await openUpstream([
      rejection(-32_005, "first"),
      rejection(-32_005, "daily limit of 5 reached"),
    ]);
    const [response] = await world.upstream.send([READ]);
    expect(response).to.deep.include({ error: { code: -32_005, message: "daily limit of 5 reached" } });
    expect(world.upstream.sent).to.equal(5);
  });

  it("reports the node's last message, without keys in the URL", async () => {
    const path = "/v2/0123456789abcdef";
    await using world = await openUpstream([status(429, {}, `over the limit of ${path.slice(1)}`)], { path });
    const failure = await failureOf(world.upstream.send([READ]));
    expect(failure).to.be.instanceOf(ChainError);
    expect((failure as Error).message).to.match(/responded with status 429: over the limit of \[api key\]$/u);
    await using dropped = await openUpstream([hangUp], { path });
    expect(((await failureOf(dropped.upstream.send([READ]))) as Error).message).to.match(/does not respond: \w/u);
  });

  it("gives up earlier if nothing listens at the URL", async () => {
    const world = await openUpstream([hangUp]);
    await world[Symbol.asyncDispose]();
    const failure = await failureOf(world.upstream.send([READ]));
    expect((failure as Error).message).to.match(/does not respond: .*ECONNREFUSED/u);
    expect(world.waits).to.deep.equal([200, 400]);
  });

  it("does not retry permanent failures", async () => {
    for (const answer of [
      rejection(-32_601, "no such method"),
      rejection(3, "execution reverted: rate limit exceeded"),
    ]) {
      await using world = await openUpstream([answer]);
      const [response] = await world.upstream.send([READ]);
      expect(response).to.have.property("error");
      expect(world.upstream.sent).to.equal(1);
    }
  });
});
