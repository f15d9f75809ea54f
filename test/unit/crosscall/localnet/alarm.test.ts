import { expect } from "chai";

import { Alarm } from "../../../../packages/crosscall/src/localnet/alarm.ts";

const LONG_MS = 3_600_000;

describe("Alarm", () => {
  it("ends a wait early", async () => {
    const alarm = new Alarm();
    const waited = alarm.wait(LONG_MS, new AbortController().signal);
    alarm.ring();
    expect(await waited).to.equal("rung");
  });

  it("ends only the next wait if no wait is in progress", async () => {
    const alarm = new Alarm();
    const { signal } = new AbortController();
    alarm.ring();
    alarm.ring();
    expect(await alarm.wait(LONG_MS, signal)).to.equal("rung");
    expect(await alarm.wait(1, signal)).to.equal("elapsed");
  });

  it("ends the current wait and all later waits when the signal aborts", async () => {
    const alarm = new Alarm();
    const controller = new AbortController();
    const waited = alarm.wait(LONG_MS, controller.signal);
    controller.abort();
    expect(await waited).to.equal("aborted");
    alarm.ring();
    expect(await alarm.wait(LONG_MS, controller.signal)).to.equal("aborted");
  });
});
