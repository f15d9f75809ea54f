import { expect } from "chai";
import fc from "fast-check";
import { getEventListeners } from "node:events";

import { createSemaphore, createTokenBucket } from "../../../../../packages/sdk/src/client/transport/limiter.ts";
import { rejected } from "../../../../support/rejection.ts";
import { settle, virtualTimer } from "../virtualTimer.ts";

const never = new AbortController().signal;
const MINUTE_MS = 60_000;

describe("a token bucket", () => {
  it("grants one fifth of the tokens immediately, then the rest evenly, in order of arrival", async () => {
    const timer = virtualTimer();
    const bucket = createTokenBucket(14, timer);
    const given: [number, number][] = [];
    for (let call = 0; call < 5; call += 1) {
      void bucket.take(never, "it").then(() => given.push([call, timer.now()]));
    }
    await settle();
    expect(given).to.deep.equal([
      [0, 0],
      [1, 0],
    ]);
    await timer.advance(MINUTE_MS);
    // Within a minute, thirteen more tokens are granted, one every 4,615.4 ms. The last of them belongs to the next
    // minute.
    expect(given.slice(2)).to.deep.equal([
      [2, 4_616],
      [3, 9_231],
      [4, 13_847],
    ]);
    expect(timer.due).to.deep.equal([]);
  });

  it("grants one token a minute at a rate of one a minute", async () => {
    const timer = virtualTimer();
    const bucket = createTokenBucket(1, timer);
    const times: number[] = [];
    for (let call = 0; call < 3; call += 1) void bucket.take(never, "it").then(() => times.push(timer.now()));
    await timer.advance(3 * MINUTE_MS);
    expect(times).to.deep.equal([0, MINUTE_MS, 2 * MINUTE_MS]);
  });

  it("lets a waiting caller abort without using a token or blocking others", async () => {
    const timer = virtualTimer();
    const bucket = createTokenBucket(1, timer);
    await bucket.take(never, "it");
    const controller = new AbortController();
    const left = rejected(bucket.take(controller.signal, "it"));
    let isServed = false;
    const next = bucket.take(never, "it").then(() => (isServed = true));
    controller.abort();
    expect((await left).code).to.equal("ABORTED");
    expect(getEventListeners(controller.signal, "abort")).to.deep.equal([]);
    await timer.advance(MINUTE_MS - 1);
    expect(isServed).to.equal(false);
    await timer.advance(1);
    await next;
  });

  it("clears its timer when the last caller leaves, and rejects aborted callers", async () => {
    const timer = virtualTimer();
    const bucket = createTokenBucket(1, timer);
    await bucket.take(never, "it");
    const controller = new AbortController();
    const left = rejected(bucket.take(controller.signal, "it"));
    expect(timer.due).to.have.length(1);
    controller.abort();
    await left;
    expect(timer.due).to.deep.equal([]);
    expect((await rejected(bucket.take(controller.signal, "it"))).code).to.equal("ABORTED");
    expect(timer.due).to.deep.equal([]);
  });

  it("never exceeds its rate in any minute, and eventually grants every request", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 120 }),
        async (perMinute, pauses) => {
          const timer = virtualTimer();
          const bucket = createTokenBucket(perMinute, timer);
          const times: number[] = [];
          for (const pause of pauses) {
            await timer.advance(pause);
            void bucket.take(never, "it").then(() => times.push(timer.now()));
          }
          await timer.advance((pauses.length + 1) * MINUTE_MS);
          expect(times).to.have.length(pauses.length);
          for (const start of times) {
            const inMinute = times.filter((time) => time >= start && time < start + MINUTE_MS);
            expect(inMinute.length).to.be.at.most(perMinute);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("a call semaphore", () => {
  it("admits callers up to its limit, then the next waiting caller on each release, in order", async () => {
    const semaphore = createSemaphore(2);
    const entered: number[] = [];
    const leaves: (() => void)[] = [];
    for (let call = 0; call < 4; call += 1) {
      void semaphore.enter(never, "it").then((leave) => {
        entered.push(call);
        leaves.push(leave);
      });
    }
    await settle();
    expect(entered).to.deep.equal([0, 1]);
    leaves[1]?.();
    await settle();
    expect(entered).to.deep.equal([0, 1, 2]);
    leaves[0]?.();
    leaves[2]?.();
    await settle();
    expect(entered).to.deep.equal([0, 1, 2, 3]);
    await semaphore.enter(never, "it");
  });

  it("loses no slot if a waiting caller leaves, or is admitted as the signal aborts", async () => {
    const semaphore = createSemaphore(1);
    const leave = await semaphore.enter(never, "it");
    const controller = new AbortController();
    const left = rejected(semaphore.enter(controller.signal, "it"));
    controller.abort();
    expect((await left).code).to.equal("ABORTED");

    const late = new AbortController();
    const letIn = semaphore.enter(late.signal, "it");
    await settle();
    leave();
    late.abort();
    (await letIn)();
    (await semaphore.enter(never, "it"))();
  });
});
