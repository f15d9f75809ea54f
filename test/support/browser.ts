import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** Starts a real headless browser from the npm package before the tests of a suite, and closes it after them. */
export function useBrowser(): () => Browser {
  let folder = "";
  let browser: Browser | undefined;
  before(async () => {
    // Chromium sometimes leaves temporary files.
    folder = await mkdtemp(join(tmpdir(), "crosscall-browser-"));
    browser = await playwright.launch({
      executablePath: await chromium.executablePath(),
      // Omits the package's default arguments: with --single-process, the browser exits when the first page closes.
      args: ["--no-sandbox"],
      headless: true,
      env: { ...process.env, TMPDIR: folder },
    });
  });
  after(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return () => {
    if (browser === undefined) throw new Error("the browser starts in a before hook: read it in a hook or a test");
    return browser;
  };
}
