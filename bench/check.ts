// Time of a check of 20 calls, compared with the time that other libraries need to decode them: `npm run bench:check`, with
// `-- --help` for options.
import { Interface } from "ethers";
import { type Abi, decodeFunctionData, type Hex } from "viem";

import { checkCalls, decodeCalls } from "../packages/sdk/src/calls/index.ts";
import { PLAN, PLAN_ABI } from "./check/plan.ts";
import { timeOperations } from "./library/operations.ts";
import { runBenchmark } from "./runBenchmark.ts";
import { toTable } from "./table.ts";

const LIMIT_MS = 5;

process.exitCode = await runBenchmark({
  name: "bench:check",
  description: "Measure the time to check a plan of 20 calls.",
  failure: `Exits with 1 if half of the checks take more than ${LIMIT_MS} ms.`,
  async measure(stages, signal) {
    const txs = "request" in PLAN ? [] : PLAN.txs;
    const started = performance.now();
    const findings = checkCalls(PLAN);
    const firstMs = performance.now() - started;
    const ethers = new Interface(PLAN_ABI as Abi as ConstructorParameters<typeof Interface>[0]);
    const timings = await stages.run("Time the checks", () =>
      timeOperations(
        [
          { name: "check", run: () => checkCalls(PLAN) },
          { name: "decode, with inner calls and commands", run: () => decodeCalls(txs) },
          {
            name: "viem: decode the outer calls, with their ABI",
            run: () => txs.map(({ data }) => decodeFunctionData<Abi>({ abi: PLAN_ABI, data: data as Hex })),
          },
          {
            name: "ethers: decode the outer calls, with their ABI",
            run: () => txs.map(({ data }) => ethers.parseTransaction({ data })),
          },
        ],
        signal,
      ),
    );
    const ok = timings.every(
      ({ name, medianMicroseconds }) => name !== "check" || medianMicroseconds <= LIMIT_MS * 1_000,
    );
    const codes = findings.map(({ code }) => code);
    const toMs = (microseconds: number): string => (microseconds / 1_000).toFixed(2);
    const table = toTable([
      [`${txs.length} calls, ms`, "p50", "p99", "limit", ""],
      ...timings.map(({ name, medianMicroseconds, p99Microseconds }) => [
        name,
        toMs(medianMicroseconds),
        toMs(p99Microseconds),
        ...(name === "check" ? [LIMIT_MS.toFixed(2), ok ? "met" : "MISSED"] : ["", ""]),
      ]),
      ["the first check, which indexes all functions", toMs(firstMs * 1_000), "", "", ""],
    ]);
    const text = `${table}\n\nFindings: ${codes.join(", ")}. The other libraries only decode: no other known library checks calls.`;
    return { ok, json: { ok, calls: txs.length, limitMs: LIMIT_MS, firstMs, timings, codes }, text };
  },
});
