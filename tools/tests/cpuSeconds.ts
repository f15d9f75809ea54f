import { readFileSync } from "node:fs";

/** Ticks per second in `/proc`. */
const TICKS = 100;

/** Returns the CPU time of ended programs that this process ran; 0 if there is no `/proc`. */
export function endedProgramsSeconds(): number {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // The name of the program can contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[13]) + Number(fields[14])) / TICKS;
  } catch {
    return 0;
  }
}

/** Returns the CPU time of this process, its threads, and the ended programs that it ran. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + endedProgramsSeconds();
}
