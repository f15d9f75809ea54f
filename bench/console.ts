// Speed of the console's list of 10,000 requests in Chromium: time to the first paint, and the longest task on the main
// thread while scrolling through all rows. `npm run bench:console`, with `-- --help` for options.
import type { Browser, Page } from "playwright-core";

import type { Stages } from "../packages/crosscall/src/terminal/stages.ts";
import { readAssets } from "../packages/crosscall/src/localnet/console/assets.ts";
import { startBrowser } from "../test/support/browser.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";
import { withRequests } from "./service/withRequests.ts";
import { toTable } from "./table.ts";

const COUNT = 10_000;

/**
 * Pauses shorter than this go unnoticed while scrolling at full speed. Other processes on the machine also add to the
 * measured time.
 */
const LONGEST_TASK_MS = 100;

/** Below this time, a page seems to open immediately. */
const FIRST_PAINT_MS = 1_000;

const ASSETS_BYTES = 100_000;

process.exitCode = await runBenchmark({
  name: "bench:console",
  description: "Measure the console's list of 10,000 requests in a browser.",
  failure: "Exits with 1 if a limit is missed.",
  measure,
});

interface Scrolled {
  readonly rows: number;
  readonly longestTaskMs: number;
  readonly longTasks: number;
  /** CPU time of the longest task. Other processes affect only its duration. */
  readonly longestTaskCpuMs: number;
  readonly scrollMs: number;
}

async function measure(stages: Stages, signal: AbortSignal): Promise<Measured> {
  const server = await startPostgres();
  const started = await startBrowser();
  try {
    const measured = await withRequests(stages, server, COUNT, (network) =>
      stages.run("Open the list, and scroll to its end", async () => {
        const page = await started.browser.newPage({ viewport: { width: 1_280, height: 900 } });
        // The first visit also loads the scripts.
        await page.goto(`${network.consoleUrl}/requests`);
        const firstPaintMs = await readFirstPaint(page);
        const traced = await traceTasks(started.browser, () => scrollToEnd(page, signal));
        return { firstPaintMs, ...traced };
      }),
    );
    const assetBytes = (await readAssets()).reduce((sum, { gzipped }) => sum + gzipped.length, 0);
    const { rows, firstPaintMs, longestTaskMs, longestTaskCpuMs, longTasks, scrollMs } = measured;
    const ok =
      rows >= COUNT && firstPaintMs <= FIRST_PAINT_MS && longestTaskMs <= LONGEST_TASK_MS && assetBytes <= ASSETS_BYTES;
    const text = toTable([
      ["the list of requests in Chromium", "measured", "limit"],
      ["rows loaded", String(rows), `${COUNT} at least`],
      ["first contentful paint", `${firstPaintMs.toFixed(0)} ms`, `${FIRST_PAINT_MS} ms`],
      ["longest task while scrolling", `${longestTaskMs.toFixed(0)} ms`, `${LONGEST_TASK_MS} ms`],
      ["longest task, CPU time", `${longestTaskCpuMs.toFixed(0)} ms`, ""],
      ["tasks above 50 ms", String(longTasks), ""],
      ["time to load and scroll all rows", `${(scrollMs / 1_000).toFixed(1)} s`, ""],
      ["scripts and styles, gzipped", `${(assetBytes / 1_000).toFixed(1)} kB`, `${ASSETS_BYTES / 1_000} kB`],
    ]);
    return { ok, json: { ok, ...measured, assetBytes }, text };
  } finally {
    await started.close();
    await server.stop();
  }
}

function readFirstPaint(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
  }).observe({ type: "paint", buffered: true }))`);
}

async function traceTasks<Result>(
  browser: Browser,
  work: () => Promise<Result>,
): Promise<Result & Pick<Scrolled, "longestTaskCpuMs">> {
  const session = await browser.newBrowserCDPSession();
  let longest = 0;
  session.on("Tracing.dataCollected", ({ value }) => {
    for (const { name, tdur: cpuMicroseconds } of value) {
      if (name === "ThreadControllerImpl::RunTask") longest = Math.max(longest, Number(cpuMicroseconds ?? 0));
    }
  });
  const traceConfig = { includedCategories: ["toplevel"] };
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  const result = await work();
  const complete = new Promise<void>((resolve) => session.once("Tracing.tracingComplete", () => resolve()));
  await session.send("Tracing.end");
  await complete;
  await session.detach();
  return { ...result, longestTaskCpuMs: longest / 1_000 };
}

/** Scrolls by the window's height in each frame, as fast as pages load. */
async function scrollToEnd(page: Page, signal: AbortSignal): Promise<Omit<Scrolled, "longestTaskCpuMs">> {
  await page.evaluate(`globalThis.longTasks = [];
    new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: "longtask" });`);
  const start = performance.now();
  const scrolled = page.evaluate<Omit<Scrolled, "longestTaskCpuMs" | "scrollMs">>(`new Promise((resolve) => {
    const step = () => {
      scrollBy(0, innerHeight);
      const isAtEnd = document.querySelector("#more[hx-get]") === null
        && scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
      if (!isAtEnd) return void requestAnimationFrame(step);
      resolve({
        rows: document.querySelectorAll(".row[data-sort]").length,
        longestTaskMs: Math.max(0, ...globalThis.longTasks),
        longTasks: globalThis.longTasks.length,
      });
    };
    requestAnimationFrame(step);
  })`);
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
  return { ...(await Promise.race([scrolled, aborted])), scrollMs: performance.now() - start };
}
