import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** A real browser without a window, from the npm package. The test closes it. */
export async function openBrowser(): Promise<Browser> {
  // The package's own arguments, one process for all among them, do not outlive the first page that is closed.
  return playwright.launch({ executablePath: await chromium.executablePath(), args: ["--no-sandbox"], headless: true });
}
