import { expect } from "chai";

import { createServiceClient } from "../../../../../packages/sdk/src/client/client.ts";
import { toIntentStatus } from "../../../../../packages/sdk/src/client/watchRequest/advanceStatus.ts";
import {
  type RequestOutcome,
  watchRequest,
  type WatchRequestParameters,
} from "../../../../../packages/sdk/src/client/watchRequest/watchRequest.ts";
import type { Clock } from "../../../../../packages/protocol/src/core/timer.ts";
import type { CrosscallError } from "../../../../../packages/protocol/src/core/errors.ts";
import type { IntentStatus } from "../../../../../packages/protocol/src/request/intentStatus.ts";
import { factsOf, rejected } from "../../../../support/rejection.ts";
import { type Answer, useService } from "../service.ts";
import { statusEvent } from "../webhooks/signed.ts";

const NEVER_MS = 60_000;

describe("watchRequest", () => {
  const service = useService();
  let nowMs = 0;
  const clock: Clock = { now: () => nowMs };
  beforeEach(() => (nowMs = 0));
  /** Returns responses in turn, and sets the clock to the time of each. */
  const respondAt = (...answers: [number, Answer][]): void => {
    service.answers = (_call, index) => {
      const [at, answer] = answers[Math.min(index, answers.length - 1)]!;
      nowMs = at;
      return answer;
    };
  };
  const pending = { json: { status: "pending" } };

  const respondInTurn = (...statuses: IntentStatus[]): void => {
    service.answers = (_call, index) => ({ json: statuses[Math.min(index, statuses.length - 1)] });
  };
  const watch = (parameters: Partial<WatchRequestParameters> = {}): Promise<RequestOutcome> =>
    watchRequest(createServiceClient({ baseUrl: service.url }), {
      requestId: "0xab",
      pollIntervalMs: 1,
      ...parameters,
    });
  const refuse = (parameters?: Partial<WatchRequestParameters>): Promise<CrosscallError> => rejected(watch(parameters));

  it("polls until success, and reports the first status and each change once", async () => {
    const statuses: IntentStatus[] = [
      { status: "waiting" },
      { status: "waiting", updatedAt: 1 },
      { status: "depositing" },
      { status: "pending" },
      { status: "pending" },
      { status: "submitted" },
      { status: "success", txHashes: ["0x01"] },
    ];
    respondInTurn(...statuses);
    const reported: IntentStatus[] = [];
    expect(await watch({ onStatus: (status) => reported.push(status) })).to.deep.equal({
      outcome: "success",
      requestId: "0xab",
      inTxHashes: [],
      txHashes: ["0x01"],
      status: statuses[6],
    });
    expect(reported).to.deep.equal([0, 2, 3, 5, 6].map((index) => statuses[index]));
    expect(service.calls.map(({ url }) => url)).to.deep.equal(statuses.map(() => "/intents/status/v3?requestId=0xab"));
  });

  it("ends with a refund, with the transaction hashes of both sides", async () => {
    const refund: IntentStatus = { status: "refund", details: "SLIPPAGE", inTxHashes: ["0x01"], txHashes: ["0x02"] };
    respondInTurn({ status: "pending" }, refund);
    expect(await watch()).to.deep.equal({
      outcome: "refund",
      requestId: "0xab",
      inTxHashes: ["0x01"],
      txHashes: ["0x02"],
      status: refund,
    });
  });

  it("continues after a failure, through pending, to its refund", async () => {
    respondInTurn({ status: "submitted" }, { status: "failure" }, { status: "pending" }, { status: "refund" });
    const reported: string[] = [];
    const { outcome } = await watch({ onStatus: ({ status }) => reported.push(status) });
    expect([outcome, reported]).to.deep.equal(["refund", ["submitted", "failure", "pending", "refund"]]);
  });

  it("ends with the failure after a last poll if no refund arrives", async () => {
    respondAt(
      [0, pending],
      [10, { json: { status: "failure" } }],
      [109, { json: { status: "failure" } }],
      [110, { json: { status: "failure" } }],
    );
    expect((await watch({ refundGraceMs: 100, clock })).outcome).to.equal("failure");
    // The source may have polled once more.
    expect(service.calls).to.have.length.of.at.least(5);
  });

  it("waits a minute for the refund by default", async () => {
    const failure = { json: { status: "failure" } };
    respondAt([0, failure], [59_999, failure], [60_000, failure]);
    expect((await watch({ clock })).outcome).to.equal("failure");
    expect(service.calls).to.have.length.of.at.least(4);
  });

  it("waits again after each sign of a refund, and returns the refund", async () => {
    respondAt(
      [10, { json: { status: "failure" } }],
      [100, pending],
      [190, pending],
      [199, { json: { status: "refund" } }],
    );
    expect((await watch({ refundGraceMs: 100, clock })).outcome).to.equal("refund");
  });

  it("does not wait for a refund if waiting is disabled", async () => {
    respondInTurn({ status: "failure" });
    expect((await watch({ refundGraceMs: 0 })).outcome).to.equal("failure");
    expect(service.calls).to.have.length(1);
  });

  it("ends with the failure at the entire watch's deadline", async () => {
    respondAt([0, { json: { status: "failure" } }], [100, pending]);
    expect((await watch({ timeoutMs: 100, clock })).outcome).to.equal("failure");
  });

  it("fails at the deadline, but not before", async () => {
    respondAt([50, pending], [99, pending], [100, pending]);
    expect(factsOf(await refuse({ timeoutMs: 100, clock }))).to.deep.equal({ code: "TIMED_OUT", timeoutMs: 100 });
    expect(service.calls).to.have.length.of.at.least(4);
  });

  it("fails at the deadline after one last poll", async () => {
    respondAt([100, pending]);
    const error = await refuse({ timeoutMs: 100, pollIntervalMs: NEVER_MS, clock });
    expect(error.code).to.equal("TIMED_OUT");
    expect(service.calls).to.have.length(2);
  });

  it("accepts a success that a poll returns after the deadline", async () => {
    respondAt([500, { json: { status: "success" } }]);
    expect((await watch({ timeoutMs: 100, clock })).outcome).to.equal("success");
  });

  it("does not sleep beyond the deadline", async () => {
    respondInTurn({ status: "pending" });
    const ticking: Clock = { now: () => (nowMs += 20) };
    const error = await refuse({ timeoutMs: 100, pollIntervalMs: NEVER_MS, clock: ticking });
    expect(error.code).to.equal("TIMED_OUT");
    expect(service.calls).to.have.length(2);
  });

  it("splits waits that exceed the platform's limit", async () => {
    respondInTurn({ status: "pending" });
    const waits: number[] = [];
    const { setTimeout: original } = globalThis;
    globalThis.setTimeout = ((run: () => void, waitMs?: number) => {
      waits.push(waitMs ?? 0);
      return original(run, waitMs);
    }) as typeof setTimeout;
    try {
      const signal = AbortSignal.timeout(30);
      expect((await refuse({ timeoutMs: 2 ** 40, pollIntervalMs: 2 ** 40, signal })).code).to.equal("ABORTED");
    } finally {
      globalThis.setTimeout = original;
    }
    expect(Math.max(...waits)).to.equal(2 ** 31 - 1);
    expect(waits.filter((waitMs) => waitMs === 2 ** 31 - 1).length < 5).to.equal(true);
  });

  it("polls again after the interval, but not before", async () => {
    const times: number[] = [];
    service.answers = (_call, index) => {
      times.push(performance.now());
      return { json: { status: index === 0 ? "pending" : "success" } };
    };
    await watch({ pollIntervalMs: 40 });
    // Node.js timers can fire up to a millisecond early.
    expect(times[1]! - times[0]!).to.be.at.least(39);
  });

  it("watches for ten minutes by default", async () => {
    respondAt([599_999, pending], [600_000, pending]);
    const client = createServiceClient({ baseUrl: service.url });
    const error = await rejected(watchRequest(client, { requestId: "0xab", pollIntervalMs: 1, clock }));
    expect(factsOf(error)).to.deep.equal({ code: "TIMED_OUT", timeoutMs: 600_000 });
    // The run polls once more after the timeout, possibly in addition to a scheduled poll.
    expect(service.calls.length).to.be.within(3, 4);
  });

  it("stops immediately on abort between two polls", async () => {
    respondInTurn({ status: "pending" });
    const controller = new AbortController();
    const error = await refuse({
      pollIntervalMs: NEVER_MS,
      signal: controller.signal,
      onStatus: () => setImmediate(() => controller.abort()),
    });
    expect(error.code).to.equal("ABORTED");
    expect(service.calls).to.have.length(1);
  });

  it("stops immediately on abort during a poll", async () => {
    const controller = new AbortController();
    service.answers = () => {
      setImmediate(() => controller.abort());
      return "silence";
    };
    expect((await refuse({ signal: controller.signal })).code).to.equal("ABORTED");
  });

  for (const fault of [{ status: 503, json: {} }, { status: 429, json: {} }, "hang up"] as const) {
    it(`continues after a transient failure: ${JSON.stringify(fault)}`, async () => {
      service.answers = (_call, index) => (index === 0 ? fault : { json: { status: "success" } });
      expect((await watch()).outcome).to.equal("success");
    });
  }

  it("fails after half a minute of failures", async () => {
    const down = { status: 503, json: { message: "down", errorCode: "SERVICE_UNAVAILABLE" } };
    respondAt([29_999, down], [30_000, down]);
    const error = await refuse({ clock });
    expect(factsOf(error)).to.include({ code: "SERVICE_ERROR", status: 503 });
    expect(service.calls).to.have.length(2);
  });

  it("counts the half minute from the last successful response", async () => {
    const down = { status: 503, json: { message: "down" } };
    respondAt([20_000, down], [25_000, pending], [54_999, down], [55_000, down]);
    await refuse({ clock });
    expect(service.calls).to.have.length(4);
  });

  it("throws the service's error for an unknown request", async () => {
    service.answers = () => ({ status: 404, json: { message: "no" } });
    expect(factsOf(await refuse())).to.include({ code: "SERVICE_ERROR", status: 404 });
    expect(service.calls).to.have.length(1);
  });
});

describe("toIntentStatus", () => {
  const detailsOf = (change: object) => toIntentStatus(statusEvent(change)).details;

  it("uses the reason of a failure as the details", () => {
    expect(detailsOf({ status: "refund", failReason: "SLIPPAGE" })).to.equal("SLIPPAGE");
    expect(detailsOf({ status: "refund", failReason: "SLIPPAGE", details: "more" })).to.equal("more");
  });

  it("returns no details for an event without a reason (`N/A` on the live service)", () => {
    expect(detailsOf({ status: "pending", failReason: "N/A" })).to.equal(undefined);
    expect(detailsOf({ status: "pending", failReason: null })).to.equal(undefined);
  });
});
