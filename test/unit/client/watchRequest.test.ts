import { expect } from "chai";

import { createServiceClient } from "../../../src/client/client.ts";
import { watchRequest, type WatchRequestParameters } from "../../../src/client/watchRequest.ts";
import type { Clock } from "../../../src/core/clock.ts";
import type { CrosscallError } from "../../../src/core/errors.ts";
import type { IntentStatus } from "../../../src/protocol/intentStatus.ts";
import { factsOf, rejected } from "../core/refusal.ts";
import { useService } from "./service.ts";

const NEVER_MS = 60_000;

/** A clock that shows each of these times once, and the last one from then on. */
function clockOf(...times: number[]): Clock {
  let index = 0;
  return { now: () => times[Math.min(index++, times.length - 1)]! };
}

describe("watchRequest", () => {
  const service = useService();

  const answerInTurn = (...statuses: IntentStatus[]): void => {
    service.answers = (_call, index) => ({ json: statuses[Math.min(index, statuses.length - 1)] });
  };
  const watch = (parameters: Partial<WatchRequestParameters> = {}): Promise<IntentStatus> =>
    watchRequest(createServiceClient({ baseUrl: service.url }), {
      requestId: "0xab",
      pollIntervalMs: 1,
      ...parameters,
    });
  const refuse = (parameters?: Partial<WatchRequestParameters>): Promise<CrosscallError> => rejected(watch(parameters));

  it("asks until success, and tells the first status and each change once", async () => {
    const statuses: IntentStatus[] = [
      { status: "waiting" },
      { status: "waiting", updatedAt: 1 },
      { status: "depositing" },
      { status: "pending" },
      { status: "pending" },
      { status: "submitted" },
      { status: "success", txHashes: ["0x01"] },
    ];
    answerInTurn(...statuses);
    const told: IntentStatus[] = [];
    expect(await watch({ onStatus: (status) => told.push(status) })).to.deep.equal(statuses[6]);
    expect(told).to.deep.equal([0, 2, 3, 5, 6].map((index) => statuses[index]));
    expect(service.calls.map(({ url }) => url)).to.deep.equal(statuses.map(() => "/intents/status/v3?requestId=0xab"));
  });

  const endings: [IntentStatus, string | undefined][] = [
    [{ status: "failure", details: "EXECUTION_REVERTED" }, "EXECUTION_REVERTED"],
    [{ status: "failure" }, undefined],
    [{ status: "refund", details: "SLIPPAGE" }, "SLIPPAGE"],
    [{ status: "refund", details: null }, undefined],
  ];
  for (const [ending, details] of endings) {
    it(`fails on ${JSON.stringify(ending)}, after telling it`, async () => {
      answerInTurn({ status: "pending" }, ending);
      const told: IntentStatus[] = [];
      expect(factsOf(await refuse({ onStatus: (status) => told.push(status) }))).to.deep.equal({
        code: "REQUEST_NOT_FILLED",
        requestId: "0xab",
        status: ending.status,
        details,
      });
      expect(told).to.deep.equal([{ status: "pending" }, ending]);
    });
  }

  it("fails at the deadline, after a last look", async () => {
    answerInTurn({ status: "pending" });
    const clock = clockOf(1_000, 1_050, 1_099, 1_100);
    expect(factsOf(await refuse({ timeoutMs: 100, clock }))).to.deep.equal({ code: "TIMED_OUT", timeoutMs: 100 });
    expect(service.calls).to.have.length(3);
  });

  it("takes a success that comes after the deadline", async () => {
    answerInTurn({ status: "success" });
    expect(await watch({ timeoutMs: 100, clock: clockOf(0, 500) })).to.deep.equal({ status: "success" });
  });

  it("does not sleep beyond the deadline", async () => {
    answerInTurn({ status: "pending" });
    const clock = clockOf(0, 99, 100);
    const error = await refuse({ timeoutMs: 100, pollIntervalMs: NEVER_MS, clock });
    expect(error.code).to.equal("TIMED_OUT");
    expect(service.calls).to.have.length(2);
  });

  it("looks again after the interval, not before", async () => {
    const times: number[] = [];
    service.answers = (_call, index) => {
      times.push(performance.now());
      return { json: { status: index === 0 ? "pending" : "success" } };
    };
    await watch({ pollIntervalMs: 40 });
    // Timers of Node may fire up to a millisecond early.
    expect(times[1]! - times[0]!).to.be.at.least(39);
  });

  it("watches ten minutes when nothing else is said", async () => {
    answerInTurn({ status: "pending" });
    const client = createServiceClient({ baseUrl: service.url });
    const error = await rejected(watchRequest(client, { requestId: "0xab", clock: clockOf(0, 599_999, 600_000) }));
    expect(factsOf(error)).to.deep.equal({ code: "TIMED_OUT", timeoutMs: 600_000 });
    expect(service.calls).to.have.length(2);
  });

  it("ends at once when the signal fires between two looks", async () => {
    answerInTurn({ status: "pending" });
    const controller = new AbortController();
    const error = await refuse({
      pollIntervalMs: NEVER_MS,
      signal: controller.signal,
      onStatus: () => setImmediate(() => controller.abort()),
    });
    expect(error.code).to.equal("ABORTED");
    expect(service.calls).to.have.length(1);
  });

  it("ends at once when the signal fires during a look", async () => {
    const controller = new AbortController();
    service.answers = () => {
      setImmediate(() => controller.abort());
      return "silence";
    };
    expect((await refuse({ signal: controller.signal })).code).to.equal("ABORTED");
  });

  for (const fault of [{ status: 503, json: {} }, { status: 429, json: {} }, "hang up"] as const) {
    it(`bears a passing fault: ${JSON.stringify(fault)}`, async () => {
      service.answers = (_call, index) => (index === 0 ? fault : { json: { status: "success" } });
      expect(await watch()).to.deep.equal({ status: "success" });
    });
  }

  it("gives up on a service that fails for half a minute", async () => {
    service.answers = () => ({ status: 503, json: { message: "down", errorCode: "SERVICE_UNAVAILABLE" } });
    const error = await refuse({ clock: clockOf(0, 29_999, 30_000) });
    expect(factsOf(error)).to.include({ code: "SERVICE_ERROR", status: 503 });
    expect(service.calls).to.have.length(2);
  });

  it("counts the half minute from the last answer", async () => {
    service.answers = (_call, index) =>
      index === 1 ? { json: { status: "pending" } } : { status: 503, json: { message: "down" } };
    await refuse({ clock: clockOf(0, 20_000, 25_000, 54_999, 55_000) });
    expect(service.calls).to.have.length(4);
  });

  it("hands on what the service says of an unknown request", async () => {
    service.answers = () => ({ status: 404, json: { message: "no" } });
    expect(factsOf(await refuse())).to.include({ code: "SERVICE_ERROR", status: 404 });
    expect(service.calls).to.have.length(1);
  });
});
