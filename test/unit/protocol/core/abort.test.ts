import { getEventListeners } from "node:events";

import { expect } from "chai";

import { sleep, throwIfAborted } from "../../../../packages/protocol/src/core/abort.ts";
import { TimedOutError } from "../../../../packages/protocol/src/core/errors.ts";
import { caught, factsOf, rejected } from "../../../support/refusal.ts";

const LONG_MS = 60_000;

const countTimers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

describe("throwIfAborted", () => {
  it("returns with a live signal and without a signal", () => {
    throwIfAborted(new AbortController().signal, "it");
    throwIfAborted(undefined, "it");
  });

  it("throws the kit's error with the caller's reason as its cause", () => {
    const reason = new RangeError("the caller's own");
    const error = caught(() => throwIfAborted(AbortSignal.abort(reason), "it"));
    expect(factsOf(error)).to.deep.equal({ code: "ABORTED" });
    expect(error.cause).to.equal(reason);
  });

  it("keeps an error of the kit that the caller aborted with", () => {
    const reason = new TimedOutError({ what: "a longer run", timeoutMs: 5, hint: "Wait longer." });
    expect(caught(() => throwIfAborted(AbortSignal.abort(reason), "it"))).to.equal(reason);
  });
});

describe("sleep", () => {
  it("waits for the given time, with and without a signal", async () => {
    for (const signal of [new AbortController().signal, undefined]) {
      const start = performance.now();
      await sleep(30, signal, "the test");
      // Timers of Node may fire up to a millisecond early.
      expect(performance.now() - start).to.be.at.least(29);
    }
  });

  it("does not start if the signal has already fired", async () => {
    const timers = countTimers();
    const sleeping = sleep(LONG_MS, AbortSignal.abort(), "the test");
    expect(countTimers()).to.equal(timers);
    expect((await rejected(sleeping)).code).to.equal("ABORTED");
  });

  it("stops immediately on abort, and removes timer and listener", async () => {
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

  it("rejects with the error of the kit that the caller aborted with", async () => {
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
