import { expect } from "chai";
import { sql } from "kysely";
import { encodeErrorResult, parseAbi } from "viem";

import { localnet, type Localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { REVERTER } from "../../packages/crosscall/src/localnet/scenarios/families/failScenario.ts";
import { STATUS_CHANNEL } from "../../packages/crosscall/src/localnet/store/notices.ts";
import { openStore, type Store } from "../../packages/crosscall/src/localnet/store/store.ts";
import { createSender, endOf, quoteDollars, requestIdOf } from "../integration/support/scenarioRuns.ts";
import { onNode } from "../integration/support/requests.ts";
import { useBrowser } from "../support/browser.ts";
import { closeConsole, type ConsolePage, openConsole } from "../support/consolePages.ts";
import { newPostgresDatabase } from "../support/postgres.ts";

const HOSTILE = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(2)>`,
  `'-alert(3)-'`,
  `</title></pre></script><svg onload=alert(4)>`,
  "${alert(5)}{{alert(6)}}<%= alert(7) %>`",
  `<p hx-get="/console/requests" hx-trigger="load" data-gone="rows" hx-on::load="alert(8)">`,
  `javascript:alert(9)`,
].join("");

describe("hostile text in the console", () => {
  const browser = useBrowser();
  let network: Localnet;
  let store: Store;
  let requestId: string;

  before(async () => {
    const databaseUrl = await newPostgresDatabase();
    network = await localnet({ keepsRetired: true, oracle: false, databaseUrl, logLevel: "error" });
    store = await openStore({ url: databaseUrl, onError: () => undefined });
    await onNode(network.chains[1], "hardhat_setCode", REVERTER.address, REVERTER.code);
    const data = encodeErrorResult({ abi: parseAbi(["error Error(string)"]), errorName: "Error", args: [HOSTILE] });
    const quote = await quoteDollars(network, {
      referrer: HOSTILE,
      txs: [{ to: REVERTER.address, data, value: "0" }],
    });
    requestId = requestIdOf(quote);
    await createSender(network)(quote);
    await endOf(network, requestId);
  });
  after(async () => {
    await store.close();
    await network.close();
  });

  const open = (path: string): Promise<ConsolePage> =>
    openConsole(browser(), `${network.consoleUrl}${path}`, { signInUrl: network.createSignInUrl() });

  /** Elements and attributes that appear only in the hostile text. */
  async function expectText({ page }: ConsolePage, minimum: number): Promise<void> {
    const injected = page.locator("script:not([src]), img, svg[onload], [onerror], [hx-on\\:\\:load], [data-gone]");
    expect(await injected.count()).to.equal(0);
    expect(await page.locator('a[href^="javascript"]').count()).to.equal(0);
    expect((await page.content()).split("&lt;script&gt;alert(1)").length - 1).to.be.at.least(minimum);
  }

  it("is shown as text if it is a contract's revert reason", async () => {
    const console = await open(`/requests/${requestId}`);
    await console.page.locator("#replay .verdict").waitFor();
    expect(await console.page.locator("#replay").textContent()).to.include("<script>alert(1)</script>");
    await expectText(console, 2);
    await closeConsole(console);
  });

  it("is shown as text in every field of a request, even after a live update", async () => {
    const [list, page] = [await open("/requests"), await open(`/requests/${requestId}`)];
    const { details } = await store.db
      .selectFrom("orders")
      .select("details")
      .where("request_id", "=", requestId)
      .executeTakeFirstOrThrow();
    const currency = { ...details.currencyOut.currency, symbol: HOSTILE, name: HOSTILE };
    const amount = { ...details.currencyOut, currency, amountFormatted: HOSTILE };
    await store.db
      .updateTable("orders")
      .set({ details: JSON.stringify({ ...details, currencyIn: amount, currencyOut: amount }), trade_type: HOSTILE })
      .where("request_id", "=", requestId)
      .execute();
    await store.db
      .updateTable("requests")
      .set({
        user: HOSTILE,
        recipient: HOSTILE,
        refund_to: HOSTILE,
        request_type: HOSTILE,
        origin_symbol: HOSTILE,
        destination_symbol: HOSTILE,
        fail_details: HOSTILE,
        // A page can connect only after the notification.
        updated_at: new Date(),
        referrer: HOSTILE,
      })
      .where("id", "=", requestId)
      .execute();
    const payload = JSON.stringify({ requestId, status: "refund", updatedAt: Date.now(), webhookKeyHash: null });
    await sql`select pg_notify(${STATUS_CHANNEL}, ${payload}::text)`.execute(store.db);
    await list.page.locator(`[data-id="${requestId}"]`).filter({ hasText: "<script>" }).waitFor();
    await page.page.locator("#request").filter({ hasText: "No signature" }).waitFor();
    for (const [console, minimum] of [
      [list, 4],
      [page, 8],
      [await open("/requests"), 4],
      [await open(`/requests/${requestId}`), 8],
    ] as const) {
      await expectText(console, minimum);
      await closeConsole(console);
    }
  });

  it("is shown as text in filters, commands and a composed request", async () => {
    const filters = ["term", "user", "currencyInSymbol"].map((name) => `${name}=${encodeURIComponent(HOSTILE)}`);
    const list = await open(`/requests?${filters.join("&")}`);
    await expectText(list, 3);
    await closeConsole(list);
    const composer = await open(`/quote?request=${encodeURIComponent(HOSTILE)}`);
    await expectText(composer, 2);
    await composer.page.getByRole("button", { name: "Check the calls" }).click();
    await composer.page.getByRole("alert").waitFor();
    await expectText(composer, 2);
    await composer.page.context().close();
  });

  it("is shown as text in errors", async () => {
    for (const [path, minimum] of [
      [`/requests/${encodeURIComponent(HOSTILE)}`, 1],
      [`/requests?failReason=${encodeURIComponent(HOSTILE)}`, 1],
      [`/requests?${encodeURIComponent(HOSTILE)}=1`, 1],
      // The error describes a chain id without including the text.
      [`/chains/${encodeURIComponent(HOSTILE)}`, 0],
    ] as const) {
      const console = await open(path);
      await expectText(console, minimum);
      await console.page.context().close();
      const unexpected = console.complaints.filter((text) => !text.startsWith("Failed to load resource"));
      expect(unexpected, path).to.deep.equal([]);
    }
  });

  it("is shown as text in the list of held fills", async () => {
    await network.fills.hold({ user: HOSTILE });
    const console = await open("/fills");
    await expectText(console, 1);
    await closeConsole(console);
  });
});
