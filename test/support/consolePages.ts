import axe from "axe-core";
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";

/** Console page, and all problems that the browser reports: errors, policy violations and dialogs. */
export interface ConsolePage {
  readonly page: Page;
  readonly complaints: readonly string[];
}

interface OpenOptions {
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
  /** Sign-in link to open first. */
  readonly signInUrl?: string;
}

export async function openConsole(
  browser: Browser,
  url: string,
  { width = 1_280, colorScheme = "light", signInUrl }: OpenOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin && !request.url().startsWith("data:")) {
      complaints.push(`a request to ${request.url()}`);
    }
  });
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  if (signInUrl !== undefined) await page.goto(signInUrl);
  await page.goto(url);
  return { page, complaints };
}

export async function closeConsole({ page, complaints }: ConsolePage): Promise<void> {
  await page.context().close();
  expect(complaints).to.deep.equal([]);
}

/**
 * Returns the serious and critical findings of axe-core.
 *
 * @param rules rules to check; all by default
 */
export async function findBarriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const options = { preload: false, ...(rules === undefined ? {} : { runOnly: rules }) };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}

/** Returns the number of pixels by which the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
}
