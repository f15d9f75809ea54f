import { expect } from "chai";

import { createSemaphore } from "../../../../../packages/sdk/src/client/transport/limiter.ts";
import { rejected } from "../../../../support/refusal.ts";
import { settle } from "../virtualTimer.ts";

const never = new AbortController().signal;

describe("call semaphore", () => {
  it("admits up to its limit, then the next waiter on each release, in order", async () => {
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

  it("loses no slot if a waiter leaves, or is admitted as the signal fires", async () => {
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
