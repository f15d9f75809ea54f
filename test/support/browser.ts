import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** Headless browser from the npm package. */
export interface StartedBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** @param args additional arguments for the browser */
export async function startBrowser(args: readonly string[] = []): Promise<StartedBrowser> {
  // Chromium sometimes leaves temporary files.
  const folder = await mkdtemp(join(tmpdir(), "crosscall-browser-"));
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    // Omits the package's default arguments, because with --single-process, the browser exits when the first page
    // closes.
    args: ["--no-sandbox", ...args],
    headless: true,
    env: { ...process.env, TMPDIR: folder },
  });
  return {
    browser,
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Starts a browser before the tests of a suite, and closes it after them. */
export function useBrowser(args: readonly string[] = []): () => Browser {
  let started: StartedBrowser | undefined;
  before(async () => {
    started = await startBrowser(args);
  });
  after(() => started?.close());
  return () => {
    if (started === undefined) throw new Error("the browser starts in a before hook: read it in a hook or a test");
    return started.browser;
  };
}
