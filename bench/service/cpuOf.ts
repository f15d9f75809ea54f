import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks per second in the kernel's process times. */
const TICKS_PER_SECOND = 100;

/**
 * Returns the CPU time of a process and all its descendants, including those that have ended, in milliseconds.
 * Undefined if the system has no `/proc`.
 */
export function cpuOf(pid: number): number | undefined {
  const children = new Map<number, number[]>();
  const ticks = new Map<number, number>();
  let names: string[];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  } catch {
    return undefined;
  }
  for (const name of names) {
    const fields = readStat(name);
    if (fields === undefined) continue;
    const [, parent, , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.map(Number);
    ticks.set(Number(name), user + system + endedUser + endedSystem);
    children.set(parent ?? 0, [...(children.get(parent ?? 0) ?? []), Number(name)]);
  }
  const sum = (one: number): number =>
    (ticks.get(one) ?? 0) + (children.get(one) ?? []).reduce((total, child) => total + sum(child), 0);
  return (sum(pid) / TICKS_PER_SECOND) * 1_000;
}

/** Reads the fields after the process name, which can contain spaces. The first one is the state. */
function readStat(name: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
