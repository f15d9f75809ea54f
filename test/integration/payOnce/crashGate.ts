import type { Crash } from "./scenarios.ts";

/** Error that every operation of a dead process throws. */
export class ProcessDied extends Error {}

/** Kills a run at a chosen operation. */
export class CrashGate {
  isDead = false;
  private readonly counts = new Map<string, number>();
  private readonly crash: Crash | null;

  constructor(crash: Crash | null) {
    this.crash = crash;
  }

  async pass<Result>(at: Crash["at"], work: () => Promise<Result>): Promise<Result> {
    this.requireAlive();
    const count = (this.counts.get(at) ?? 0) + 1;
    this.counts.set(at, count);
    const diesHere = this.crash?.at === at && this.crash.count === count;
    if (diesHere && this.crash.phase === "before") this.die();
    const result = await work();
    if (diesHere) this.die();
    this.requireAlive();
    return result;
  }

  requireAlive(): void {
    if (this.isDead) throw new ProcessDied("the process is dead");
  }

  private die(): never {
    this.isDead = true;
    throw new ProcessDied("the process died");
  }
}
