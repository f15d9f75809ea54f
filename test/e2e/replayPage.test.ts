import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect } from "chai";
import type { Page } from "playwright-core";

import type { ReplayReport } from "../../packages/crosscall/src/replay/replayReport.ts";
import { toReportHtml } from "../../packages/crosscall/src/replay/report/toReportHtml.ts";
import { useBrowser } from "../support/browser.ts";
import { failingReport, withForeignText } from "../unit/crosscall/replay/report/fixtures.ts";
import { useFolder } from "../support/useFolder.ts";

describe("the replay page in a browser", () => {
  const browser = useBrowser();
  const folder = useFolder();

  interface Opened {
    readonly page: Page;
    readonly requests: string[];
    readonly complaints: string[];
  }

  async function open(report: ReplayReport): Promise<Opened> {
    const file = join(folder, "report.html");
    await writeFile(file, toReportHtml(report));
    const page = await browser().newPage({ viewport: { width: 1280, height: 900 } });
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(pathToFileURL(file).href);
    return { page, requests, complaints };
  }

  it("sends no requests and logs no errors", async () => {
    const { page, requests, complaints } = await open(failingReport());
    expect(requests).to.deep.equal([pathToFileURL(join(folder, "report.html")).href]);
    expect(complaints).to.deep.equal([]);
    expect(await page.title()).to.equal("The fill fails: TRANSFER_AMOUNT_EXCEEDS_BALANCE in txs[1].");
    await page.close();
  });

  it("labels its diagrams for screen readers", async () => {
    const { page } = await open(failingReport());
    const names = ["Funds flow", "Received Vault against delivered USDC", "Gas used against delivered USDC"];
    for (const name of names) expect(await page.getByRole("img", { name }).isVisible(), name).to.equal(true);
    await page.close();
  });

  it("expands and collapses calls without a script", async () => {
    const { page } = await open(failingReport());
    const cause = page.locator(".cause");
    expect(await cause.isVisible()).to.equal(true);
    await page.locator(".tree summary").first().click();
    expect(await cause.isVisible()).to.equal(false);
    await page.locator(".tree summary").first().click();
    expect(await cause.isVisible()).to.equal(true);
    await page.close();
  });

  it("follows the color scheme of the browser", async () => {
    const { page } = await open(failingReport());
    const look = (): Promise<string[]> =>
      page.evaluate<string[]>(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]",
      );
    await page.emulateMedia({ colorScheme: "light" });
    const light = await look();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await look();
    expect(light).to.deep.equal(["rgb(22, 27, 38)", "rgb(255, 255, 255)"]);
    expect(dark).to.deep.equal(["rgb(231, 233, 238)", "rgb(18, 22, 30)"]);
    await page.close();
  });

  it("prints calls even if they are collapsed on the screen", async () => {
    const { page } = await open(failingReport());
    await page.locator(".tree summary").first().click();
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".cause").isVisible()).to.equal(true);
    await page.close();
  });

  it("shows hostile names as text, and executes none of them", async () => {
    const hostile = `</title></svg><script>alert(1)</script><img src="http://127.0.0.1:1/x" onerror="alert(2)">`;
    const { page, requests, complaints } = await open(withForeignText(hostile));
    expect(requests).to.have.length(1);
    expect(complaints).to.deep.equal([]);
    expect(await page.locator("script, img:not(svg)").count()).to.equal(0);
    expect(await page.locator("dd", { hasText: hostile }).count()).to.be.greaterThan(0);
    await page.close();
  });
});
