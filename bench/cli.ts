// CPU time of whole commands, run from the build and from source, compared with that of an empty program and of
// Hardhat. `npm run bench:cli`, with `-- --help` for options.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import type { Stages } from "../packages/crosscall/src/terminal/stages.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";
import { toTable } from "./table.ts";

const RUNS = 7;

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const PRELOAD = new URL("cli/reportCpu.mjs", import.meta.url).href;
const BUILD = join(ROOT, "dist/node_modules/crosscall/dist/main.js");
const SOURCE = join(ROOT, "packages/crosscall/src/main.ts");
const HARDHAT = join(createRequire(import.meta.url).resolve("hardhat/package.json"), "../dist/src/cli.js");

/** An empty program. Every program's CPU time includes its CPU time. */
const EMPTY = "node -e 0";

const ACCOUNT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const TOKEN = "0x3333333333333333333333333333333333333333";
const CONTRACT = "0x4444444444444444444444444444444444444444";

const PLAN = {
  recipe: "erc4626Deposit",
  args: { vault: CONTRACT, asset: TOKEN },
  proxy: CONTRACT,
  tradeType: "EXACT_INPUT",
  amount: "1000000",
  user: ACCOUNT,
  refundTo: ACCOUNT,
  originChainId: 31_337,
  originCurrency: TOKEN,
  destinationChainId: 31_338,
};

interface Row {
  readonly name: string;
  /** Minimum of all runs, in milliseconds, because other work on the machine only adds to it. */
  readonly cpuMs: number;
  readonly toEmpty: number;
  /** Limit in milliseconds; undefined for programs to compare with. */
  readonly bar?: number;
}

process.exitCode = await runBenchmark({
  name: "bench:cli",
  description: "Measure the CPU time of commands that need no network, compared with that of an empty program.",
  failure: "Exits with 1 if a limit is missed.",
  measure,
});

async function measure(stages: Stages, signal: AbortSignal): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "crosscall-bench-"));
  try {
    const plan = join(folder, "plan.json");
    await writeFile(plan, JSON.stringify(PLAN));
    const programs: readonly { readonly name: string; readonly args: readonly string[]; readonly bar?: number }[] = [
      { name: EMPTY, args: ["-e", "0"] },
      { name: "hardhat --version", args: [HARDHAT, "--version"] },
      ...["--version", "--help", "plan --help", "up --help", "replay campaign run --help"].flatMap((command) => [
        { name: `crosscall ${command}`, args: [BUILD, ...command.split(" ")], bar: 150 },
        { name: `crosscall ${command}, from source`, args: [SOURCE, ...command.split(" ")], bar: 250 },
      ]),
      { name: "crosscall plan plan.json", args: [BUILD, "plan", plan], bar: 500 },
      { name: "crosscall check plan.json", args: [BUILD, "check", plan], bar: 500 },
    ];
    const times = await stages.run("Run each program", async ({ update }) => {
      const lowest = new Map<string, number>();
      for (let run = 0; run < RUNS; run += 1) {
        for (const { name, args } of programs) {
          update(`${run + 1} of ${RUNS}, ${name}`);
          lowest.set(name, Math.min(lowest.get(name) ?? Infinity, await cpuOf(args, signal)));
        }
      }
      return lowest;
    });
    const empty = times.get(EMPTY) ?? Number.NaN;
    const rows = programs.map(({ name, bar }): Row => {
      const cpuMs = times.get(name) ?? Number.NaN;
      return { name, cpuMs, toEmpty: cpuMs / empty, ...(bar === undefined ? {} : { bar }) };
    });
    const ok = rows.every(({ cpuMs, bar = Infinity }) => cpuMs <= bar);
    return { ok, json: { ok, runs: RUNS, rows }, text: toText(rows) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function cpuOf(args: readonly string[], signal: AbortSignal): Promise<number> {
  const child = spawn(process.execPath, ["--import", PRELOAD, ...args], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
    signal,
  });
  const closed = once(child, "close") as Promise<[number | null]>;
  const [cpu, [status]] = await Promise.all([text(child.stdio[3] as Readable), closed]);
  if (status !== 0) throw new Error(`${args.join(" ")} exited with ${String(status)}`);
  return Number(cpu);
}

function toText(rows: readonly Row[]): string {
  return toTable([
    ["program", "CPU ms", `to ${EMPTY}`, "at most ms"],
    ...rows.map(({ name, cpuMs, toEmpty, bar }) => [
      name,
      cpuMs.toFixed(0),
      toEmpty.toFixed(1),
      bar === undefined ? "" : String(bar),
    ]),
  ]);
}
