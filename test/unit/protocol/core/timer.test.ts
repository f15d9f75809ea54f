import { getEventListeners } from "node:events";

import { expect } from "chai";

import { InvalidStateError } from "../../../../packages/protocol/src/core/errors.ts";
import { systemTimer, waitOn, withTimeLimit } from "../../../../packages/protocol/src/core/timer.ts";
import { virtualTimer } from "../../sdk/client/virtualTimer.ts";
import { rejected } from "../../../support/refusal.ts";

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
  it("waits for its time, and removes timer and listener", async () => {
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

  it("stops immediately on abort, and removes timer and listener", async () => {
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

  it("returns the work's result, and removes timer and listener", async () => {
    const timer = virtualTimer();
    const { signal } = new AbortController();
    const limit = { timer, timeoutMs: 5, onTimeout: () => late, signal };
    expect(await withTimeLimit(limit, () => Promise.resolve(1))).to.equal(1);
    expect([timer.due, listeners(signal)]).to.deep.equal([[], 0]);
  });

  it("ends the work with its error at the time limit", async () => {
    const timer = virtualTimer();
    const work = rejected(
      withTimeLimit({ timer, timeoutMs: 5, onTimeout: () => late, signal: undefined }, untilAborted),
    );
    await timer.advance(5);
    expect(await work).to.equal(late);
  });

  it("ends the work with the caller's reason, also if the signal had already fired", async () => {
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
