import { expect } from "chai";

import { Alarm } from "../../../../packages/crosscall/src/localnet/alarm.ts";

const LONG_MS = 3_600_000;

describe("an alarm", () => {
  it("ends a wait before its time", async () => {
    const alarm = new Alarm();
    const waited = alarm.wait(LONG_MS, new AbortController().signal);
    alarm.ring();
    expect(await waited).to.equal("rung");
  });

  it("ends the next wait if none was in progress, and only that one", async () => {
    const alarm = new Alarm();
    const { signal } = new AbortController();
    alarm.ring();
    alarm.ring();
    expect(await alarm.wait(LONG_MS, signal)).to.equal("rung");
    expect(await alarm.wait(1, signal)).to.equal("elapsed");
  });

  it("ends a wait when the signal fires, and every later one", async () => {
    const alarm = new Alarm();
    const controller = new AbortController();
    const waited = alarm.wait(LONG_MS, controller.signal);
    controller.abort();
    expect(await waited).to.equal("aborted");
    alarm.ring();
    expect(await alarm.wait(LONG_MS, controller.signal)).to.equal("aborted");
  });
});
