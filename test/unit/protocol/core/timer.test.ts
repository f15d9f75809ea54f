import { expect } from "chai";
import { getEventListeners } from "node:events";

import { sleep, throwIfAborted, waitOn } from "../../../../packages/protocol/src/core/abort.ts";
import { systemClock, systemTimer, unixSeconds, withTimeLimit } from "../../../../packages/protocol/src/core/timer.ts";
import { InvalidStateError, TimedOutError } from "../../../../packages/protocol/src/core/errors.ts";
import { caught, factsOf, rejected } from "../../../support/rejection.ts";
import { virtualTimer } from "../../sdk/client/virtualTimer.ts";

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

describe("systemTimer", () => {
  it("runs due work, and skips canceled work", async () => {
    const ran: string[] = [];
    systemTimer.schedule(0, () => ran.push("cancelled"))();
    await new Promise<void>((resolve) => {
      systemTimer.schedule(1, () => {
        ran.push("due");
        resolve();
      });
    });
    expect(ran).to.deep.equal(["due"]);
  });
});

describe("waitOn", () => {
  it("waits for the given time, and removes its timer and listener", async () => {
    const timer = virtualTimer();
    const { signal } = new AbortController();
    let isOver = false;
    const waiting = waitOn(timer, 10, signal, "it").then(() => (isOver = true));
    await timer.advance(9);
    expect(isOver).to.equal(false);
    await timer.advance(1);
    await waiting;
    expect([timer.due, listeners(signal)]).to.deep.equal([[], 0]);
  });

  it("stops immediately on abort, and removes its timer and listener", async () => {
    const timer = virtualTimer();
    const controller = new AbortController();
    const waiting = rejected(waitOn(timer, 10, controller.signal, "it"));
    controller.abort();
    expect((await waiting).code).to.equal("ABORTED");
    expect([timer.due, listeners(controller.signal)]).to.deep.equal([[], 0]);
    expect((await rejected(waitOn(timer, 10, controller.signal, "it"))).code).to.equal("ABORTED");
    expect(timer.due).to.deep.equal([]);
  });
});

describe("withTimeLimit", () => {
  const late = new InvalidStateError({ message: "late", hint: "Hurry." });
  const untilAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });

  it("returns the work's result, and removes its timer and listener", async () => {
    const timer = virtualTimer();
    const { signal } = new AbortController();
    const limit = { timer, timeoutMs: 5, onTimeout: () => late, signal };
    expect(await withTimeLimit(limit, () => Promise.resolve(1))).to.equal(1);
    expect([timer.due, listeners(signal)]).to.deep.equal([[], 0]);
  });

  it("fails with the given error at the time limit", async () => {
    const timer = virtualTimer();
    const work = rejected(
      withTimeLimit({ timer, timeoutMs: 5, onTimeout: () => late, signal: undefined }, untilAborted),
    );
    await timer.advance(5);
    expect(await work).to.equal(late);
  });

  it("fails with the caller's reason, even if the signal is already aborted", async () => {
    const timer = virtualTimer();
    const controller = new AbortController();
    const limit = { timer, timeoutMs: 5, onTimeout: () => late, signal: controller.signal };
    const reason = new InvalidStateError({ message: "the caller's", hint: "Ask the caller." });
    const work = rejected(withTimeLimit(limit, untilAborted));
    controller.abort(reason);
    expect(await work).to.equal(reason);
    expect([timer.due, listeners(controller.signal)]).to.deep.equal([[], 0]);
    expect(await withTimeLimit(limit, (signal) => Promise.resolve(signal.reason))).to.equal(reason);
  });
});

describe("clock", () => {
  it("uses the machine's clock in milliseconds by default", () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).to.be.within(before, Date.now());
  });

  it("counts whole seconds as chains do", () => {
    for (const [nowMs, seconds] of [
      [0, 0],
      [999, 0],
      [1_000, 1],
      [1_790_000_000_999, 1_790_000_000],
    ] as const) {
      expect(unixSeconds({ now: () => nowMs })).to.equal(seconds);
    }
  });
});

const LONG_MS = 60_000;

const countTimers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

describe("throwIfAborted", () => {
  it("returns without throwing with an active signal and without a signal", () => {
    throwIfAborted(new AbortController().signal, "it");
    throwIfAborted(undefined, "it");
  });

  it("throws the kit's error with the caller's reason as its cause", () => {
    const reason = new RangeError("the caller's own");
    const error = caught(() => throwIfAborted(AbortSignal.abort(reason), "it"));
    expect(factsOf(error)).to.deep.equal({ code: "ABORTED" });
    expect(error.cause).to.equal(reason);
  });

  it("throws the kit error that the caller aborted with", () => {
    const reason = new TimedOutError({ what: "a longer run", timeoutMs: 5, hint: "Wait longer." });
    expect(caught(() => throwIfAborted(AbortSignal.abort(reason), "it"))).to.equal(reason);
  });
});

describe("sleep", () => {
  it("waits for the given time, with and without a signal", async () => {
    for (const signal of [new AbortController().signal, undefined]) {
      const start = performance.now();
      await sleep(30, signal, "the test");
      // Node.js timers can fire up to a millisecond early.
      expect(performance.now() - start).to.be.at.least(29);
    }
  });

  it("does not start if the signal is already aborted", async () => {
    const timers = countTimers();
    const sleeping = sleep(LONG_MS, AbortSignal.abort(), "the test");
    expect(countTimers()).to.equal(timers);
    expect((await rejected(sleeping)).code).to.equal("ABORTED");
  });

  it("stops immediately on abort, and removes its timer and listener", async () => {
    const controller = new AbortController();
    const timers = countTimers();
    const sleeping = sleep(LONG_MS, controller.signal, "the test");
    expect(countTimers()).to.equal(timers + 1);
    expect(getEventListeners(controller.signal, "abort")).to.have.length(1);
    controller.abort();
    expect(countTimers()).to.equal(timers);
    expect(getEventListeners(controller.signal, "abort")).to.deep.equal([]);
    expect((await rejected(sleeping)).code).to.equal("ABORTED");
  });

  it("rejects with the kit error that the caller aborted with", async () => {
    const controller = new AbortController();
    const reason = new TimedOutError({ what: "a longer run", timeoutMs: 5, hint: "Wait longer." });
    const sleeping = sleep(LONG_MS, controller.signal, "the test");
    controller.abort(reason);
    expect(await rejected(sleeping)).to.equal(reason);
  });

  it("leaves no listener on a long-lived signal", async () => {
    const { signal } = new AbortController();
    await sleep(1, signal, "the test");
    expect(getEventListeners(signal, "abort")).to.deep.equal([]);
  });
});
