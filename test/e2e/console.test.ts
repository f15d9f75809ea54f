import { Connection, Keypair } from "@solana/web3.js";
import { expect } from "chai";
import { encodeFunctionData, erc20Abi, parseEther } from "viem";

import { createServiceClient } from "../../packages/sdk/src/index.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import { getSignature } from "../../packages/sdk/src/client/readEndpoints.ts";
import { requireScenario } from "../../packages/crosscall/src/localnet/scenarios/catalogue.ts";
import { SVM_CHAIN_ID } from "../../packages/protocol/src/chains/chainIds.ts";
import type { SvmTransactionData } from "../../packages/crosscall/src/localnet/market/quote/routes/svmDeposit.ts";
import { callAdmin } from "../integration/support/adminCalls.ts";
import { createSender, dollarRequest, endOf, quoteDollars, requestIdOf } from "../integration/support/scenarioRuns.ts";
import { recordOf } from "../integration/support/serviceCalls.ts";
import { useBrowser } from "../support/browser.ts";
import { closeConsole, type ConsolePage, findBarriers, openConsole, overflowOf } from "../support/consolePages.ts";
import { runCrosscall } from "../support/programs.ts";
import { signWeb3, toWeb3Instructions } from "../support/solanaWeb3.ts";
import { until } from "../support/until.ts";
import { useNetwork } from "../support/useNetwork.ts";

describe("the console", () => {
  const network = useNetwork({ oracle: false, logLevel: "error", svm: true });
  const browser = useBrowser();
  let send: ReturnType<typeof createSender>;
  let filled: string;
  let failed: string;
  let unpaid: { readonly requestId: string; readonly signature: string };

  before(async () => {
    send = createSender(network);
    unpaid = await failDeposit();
    filled = await fill();
    failed = await fill({ txs: [tooLarge()] });
  });
  afterEach(() => network.fills.releaseAll());

  const open = (path: string, options?: Parameters<typeof openConsole>[2]): Promise<ConsolePage> =>
    openConsole(browser(), `${network.consoleUrl}${path}`, { ...options, signInUrl: network.createSignInUrl() });

  /** Call that transfers more than a fill delivers. */
  function tooLarge() {
    const args = [network.accounts.user.address, parseEther("1")] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
    return { to: network.chains[1].contracts.dollar, data, value: "0" };
  }

  /** Sends a deposit on Solana for which the account has too little. */
  async function failDeposit() {
    const keypair = Keypair.generate();
    const user = keypair.publicKey.toBase58();
    const currency = "11111111111111111111111111111111";
    const body = { address: user, currency, amount: "500000000" };
    await callAdmin(network, "POST", `/admin/chains/${SVM_CHAIN_ID}/faucet`, body);
    const quote = await quoteDollars(network, {
      user,
      refundTo: user,
      recipient: network.accounts.user.address,
      originChainId: SVM_CHAIN_ID,
      originCurrency: currency,
      amount: "600000000",
    });
    const data = quote.steps[0]?.items[0]?.data as SvmTransactionData | undefined;
    const connection = new Connection(network.svm?.rpcUrl ?? "", "confirmed");
    const signed = await signWeb3(connection, keypair, toWeb3Instructions(data?.instructions ?? []));
    const signature = await connection.sendTransaction(signed, { skipPreflight: true });
    return { requestId: requestIdOf(quote), signature };
  }

  async function fill(change: Partial<QuoteRequest> = {}): Promise<string> {
    const quote = await quoteDollars(network, change);
    await send(quote);
    await endOf(network, requestIdOf(quote));
    return requestIdOf(quote);
  }

  it("opens at the network's URL, and links to every view", async () => {
    const console = await open("");
    const { page } = console;
    expect(page.url()).to.equal(`${network.url}/console/requests`);
    for (const view of ["Fills", "Chains", "Quote", "Requests"]) {
      await page.getByRole("link", { name: view, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: view }).waitFor();
    }
    await closeConsole(console);
  });

  it("shows new requests and their changes without a reload", async () => {
    const console = await open("/requests");
    const { page } = console;
    const quote = await quoteDollars(network);
    const row = page.locator(`[data-id="${requestIdOf(quote)}"]`);
    await row.filter({ hasText: "waiting" }).waitFor();
    expect(await page.locator(".row[data-sort]").first().getAttribute("data-id")).to.equal(requestIdOf(quote));
    await send(quote);
    await row.filter({ hasText: "success" }).waitFor();
    expect(await row.count()).to.equal(1);
    await closeConsole(console);
  });

  it("filters by the URL's parameters, and drops rows that no longer match", async () => {
    await network.fills.hold();
    const quote = await quoteDollars(network);
    await send(quote);
    await until(async () => (await network.fills.list()).total === 1);
    const console = await open("/requests?status=pending&user=&requestType=Crosschain%20Swap");
    const { page } = console;
    const row = page.locator(`[data-id="${requestIdOf(quote)}"]`);
    await row.waitFor();
    expect(await page.locator(".row[data-sort]").count()).to.equal(1);
    expect(await page.getByLabel("status").inputValue()).to.equal("pending");
    await network.fills.releaseAll();
    await row.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Clear" }).click();
    await page.getByLabel("status").selectOption("refund");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.locator(`[data-id="${failed}"]`).waitFor();
    expect(await page.locator(".row[data-sort]").count()).to.equal(1);
    await closeConsole(console);
  });

  it("names the invalid filter", async () => {
    const { page } = await open("/requests?failReason=none");
    expect(await page.getByRole("alert").textContent()).to.include("failReason");
    await page.context().close();
  });

  it("shows a filled request with both chains, fees that sum to the total, and the service's signature", async () => {
    const console = await open(`/requests/${filled}`);
    const { page } = console;
    const steps = await page.locator(".timeline li").allTextContents();
    expect(steps.length).to.equal(6);
    for (const [index, text] of ["waiting", "deposit", "pending", "submitted", "fill", "success"].entries()) {
      expect(steps[index]).to.include(text);
    }
    const times = await page.locator(".timeline time").allTextContents();
    expect(times).to.deep.equal(times.toSorted());
    expect(await page.locator(".hero h1").textContent()).to.match(/^0\.01 ETH → 24\.\d+ USDC \$24\.\d\d$/u);
    const fees = await page.getByRole("figure", { name: "Fees, quoted" }).textContent();
    const usdOf = (name: string): number => Number(new RegExp(`${name} +(\\S+) USD`, "u").exec(fees ?? "")?.[1]);
    const sum = usdOf("provider fee") + usdOf("app fee") + usdOf("swap impact");
    expect(sum).to.be.closeTo(usdOf("total"), 1e-9);
    expect(usdOf("sponsor pays") + usdOf("user pays")).to.be.closeTo(usdOf("total"), 1e-9);
    expect(await page.getByRole("img", { name: "Funds flow" }).textContent()).to.include("0.01 ETH");
    const client = createServiceClient({ baseUrl: network.url });
    const { signature } = await getSignature(client, { requestId: filled });
    expect(await page.locator(`code[title="${signature}"]`).count()).to.equal(1);
    await closeConsole(console);
  });

  it("follows a request until it ends", async () => {
    const quote = await quoteDollars(network);
    const console = await open(`/requests/${requestIdOf(quote)}`);
    const record = console.page.getByRole("figure", { name: "Record" });
    await console.page.getByText("Record", { exact: true }).first().click();
    await record.getByText('"status": "waiting"').waitFor();
    await send(quote);
    await console.page.locator(".timeline").getByText("success").waitFor();
    await record.getByText('"status": "success"').waitFor();
    await closeConsole(console);
  });

  it("replays a failed fill in place, and shows its cause, its failed call and a hint", async () => {
    const console = await open(`/requests/${failed}`);
    const { page } = console;
    const replay = page.locator("#replay .verdict");
    await replay.waitFor();
    expect(await replay.textContent())
      .to.include("TRANSFER_AMOUNT_EXCEEDS_BALANCE in txs[0]")
      .and.include("condition")
      .and.include("to do");
    expect(await page.locator("#replay .cause").textContent()).to.include("transfer");
    expect(await page.locator("#request").textContent())
      .to.include("TRANSFER_AMOUNT_EXCEEDS_BALANCE")
      .and.include("The fill failed")
      .and.include(requireScenario("TRANSFER_AMOUNT_EXCEEDS_BALANCE", "reason").hint);
    expect(await page.getByRole("img", { name: "Funds flow" }).first().textContent()).to.include("refund to");
    expect(await page.getByRole("figure", { name: "Calls of the order" }).textContent()).to.include("transfer");
    await closeConsole(console);
  });

  it("holds fills, and releases them with the quoted amount or another one", async () => {
    const console = await open("/fills");
    const { page } = console;
    await page.getByLabel(/field=value/u).fill(`user=${network.accounts.user.address}\ndestinationChainId=31338`);
    await page.getByRole("button", { name: "Hold fills" }).click();
    await page.getByText("destinationChainId 31338").waitFor();
    const quotes = [await quoteDollars(network), await quoteDollars(network)];
    const [first = "", second = ""] = quotes.map(requestIdOf);
    for (const quote of quotes) await send(quote);
    const card = page.locator("article", { hasText: first.slice(-6) });
    expect(await card.textContent()).to.match(/held since .*24\.\d+ USDC \$24\.\d\d.*recipientuser/su);
    await page.getByRole("button", { name: `Release as quoted: ${first}` }).click();
    await card.waitFor({ state: "detached" });
    await page.getByRole("link", { name: `Follow request ${first.slice(0, 8)}` }).click();
    await page.locator(".timeline").getByText("success").waitFor();
    await page.goto(`${network.consoleUrl}/fills/${second}`);
    const { minimumAmount = "" } = (await network.fills.list()).held[0] ?? {};
    await page.getByLabel("Delivered amount").fill(minimumAmount);
    await page.getByRole("button", { name: "Release" }).click();
    await page.locator(".timeline").getByText("success").waitFor();
    const { outputCurrency } = (await recordOf(network, second)).data.route?.actual.destination ?? {};
    expect(outputCurrency?.amount).to.equal(minimumAmount);
    await closeConsole(console);
  });

  it("shows that a fill is held, and releases it from the request's page", async () => {
    await network.fills.hold();
    const quote = await quoteDollars(network);
    const console = await open(`/requests/${requestIdOf(quote)}`);
    const { page } = console;
    await send(quote);
    await page.getByText("This fill is held").waitFor();
    expect(await page.locator(".timeline li").last().textContent()).to.include("held");
    const list = await open("/requests");
    await list.page.locator(`[data-id="${requestIdOf(quote)}"] .status.held`).waitFor();
    await page.getByRole("button", { name: /^Release as quoted/u }).click();
    await page.locator(".timeline").getByText("success").waitFor();
    expect(await page.locator(".timeline li").allTextContents()).to.satisfy((steps: readonly string[]) =>
      steps.some((step) => step.includes("released")),
    );
    await list.page.locator(`[data-id="${requestIdOf(quote)}"] .status.held`).waitFor({ state: "detached" });
    await closeConsole(list);
    await closeConsole(console);
  });

  it("runs a demo request in one click, and names the scenario that it injects", async () => {
    const console = await open("/requests");
    const { page } = console;
    for (const [outcome, status] of [
      ["is filled", "success"],
      ["is refunded: SLIPPAGE", "refund"],
    ] as const) {
      await page.goto(`${network.consoleUrl}/requests`);
      await page.getByLabel("A demo request that").selectOption(outcome);
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.waitForURL("**/console/requests/0x*");
      await page.locator(".hero .status", { hasText: status }).waitFor();
    }
    expect(await page.locator(".callout.injected").textContent()).to.include("Injected by the scenario SLIPPAGE");
    await page.getByRole("link", { name: "Replay the fill" }).first().click();
    await page.locator("#replay .verdict").waitFor();
    expect(await page.locator("#replay").textContent()).to.include("Injected by the scenario SLIPPAGE");
    const calls = page.getByRole("figure", { name: "The failed fill" });
    expect(await calls.locator("li li").count()).to.be.at.least(4);
    expect(await calls.textContent())
      .to.include("router.multicall(calls: below")
      .and.include("USDC.approve(spender: vault proxy");
    await closeConsole(console);
  });

  it("explains what to do without requests or held fills, and loads less than 100 kB", async () => {
    const none = await open("/requests?user=0x00000000000000000000000000000000000000bb");
    expect(await none.page.locator(".empty").textContent()).to.include("No request matches these filters");
    await none.page.goto(`${network.consoleUrl}/fills`);
    expect(await none.page.locator(".empty").textContent()).to.include("Fills run as soon as they are paid");
    await none.page.getByRole("button", { name: "Run one that is held" }).click();
    await none.page.getByText("This fill is held").waitFor();
    await network.fills.release(new URL(none.page.url()).pathname.split("/").at(-1) ?? "");
    await none.page.goto(`${network.consoleUrl}/fills`);
    expect(await none.page.locator(".empty").textContent()).to.include("Fills run as soon as they are paid");
    await closeConsole(none);
    const list = await open("/requests");
    await list.page.waitForLoadState("load");
    const sizes = await list.page.evaluate<number[]>(
      "performance.getEntries().flatMap(({ transferSize = 0 }) => [transferSize])",
    );
    expect(sizes.reduce((sum, size) => sum + size, 0))
      .to.be.above(20_000)
      .and.below(100_000);
    expect(await list.page.locator(".empty").isVisible()).to.equal(false);
    await closeConsole(list);
  });

  it("shows a chain, mines and delays its blocks, and funds accounts", async () => {
    const [, chain] = network.chains;
    const console = await open(`/chains/${chain.id}`);
    const { page } = console;
    const { blockNumber } = await chain.state();
    await page.getByLabel("Blocks", { exact: true }).fill("3");
    await page.getByRole("button", { name: "Mine", exact: true }).click();
    await page
      .locator("#head")
      .getByText(`${blockNumber + 3}`, { exact: true })
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.locator("#head").getByText("paused").waitFor();
    await page.getByRole("button", { name: "Mine on each transaction" }).click();
    await page.locator("#head").getByText("one block per transaction").waitFor();
    await page.getByLabel("Delay, ms").fill("1");
    await page.getByRole("button", { name: "Delay RPC calls" }).click();
    await page.getByText("1 ms", { exact: true }).waitFor();
    await chain.setLatency({ latencyMs: 0 });
    await page.getByLabel("Account").fill("0x00000000000000000000000000000000000000aa");
    await page.getByLabel("Currency").selectOption("USDT");
    await page.getByLabel("Amount, whole units").fill("2.5");
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL(`**/chains/${chain.id}`);
    await page
      .locator("#head")
      .getByText(`${blockNumber + 4}`, { exact: true })
      .first()
      .waitFor();
    await closeConsole(console);
  });

  it("checks, quotes, verifies and simulates a request", async () => {
    const console = await open("/quote");
    const { page } = console;
    const { router } = network.chains[1].contracts;
    const request = { ...dollarRequest(network), txs: [{ ...tooLarge(), to: router }] };
    await page.getByLabel("Body of POST /quote/v3").fill(JSON.stringify(request));
    await page.getByRole("button", { name: "Check the calls" }).click();
    await page.locator(".findings li").first().waitFor();
    await page.getByLabel("Body of POST /quote/v3").fill(JSON.stringify(dollarRequest(network)));
    await page.getByRole("button", { name: "Quote, verify and preflight" }).click();
    await page.getByText("The preflight passes.").waitFor();
    expect(await page.locator("#report").textContent()).to.include("bound");
    expect(await page.getByRole("link", { name: "Link to this request" }).getAttribute("href")).to.include("request=");
    await closeConsole(console);
  });

  it("copies the equivalent commands", async () => {
    const console = await open(`/requests?status=refund&currencyOutSymbol=USDC`);
    const { page } = console;
    await page.getByText("As curl, SDK code and command").click();
    await page.getByRole("button", { name: "Copy Command" }).click();
    await page.getByText("Copied").waitFor({ state: "attached" });
    const command = await page.evaluate<string>("navigator.clipboard.readText()");
    const { exitCode, stdout } = await runCrosscall([...command.split(" ").slice(1), "--json"]);
    expect([exitCode, stdout.includes(failed)]).to.deep.equal([0, true]);
    await closeConsole(console);
  });

  it("can be used with the keyboard alone", async () => {
    const console = await open("/requests");
    const { page } = console;
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("/");
    await page.keyboard.type("jg");
    expect(await page.getByRole("searchbox").inputValue()).to.equal("jg");
    await page.keyboard.press("Tab");
    await page.keyboard.press("j");
    await page.evaluate("document.activeElement.blur()");
    for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
    const id = await page.locator(".row[data-sort]").first().getAttribute("data-id");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/requests/${id}`);
    for (const key of ["g", "c"]) await page.keyboard.press(key);
    await page.waitForURL("**/console/chains");
    await closeConsole(console);
  });

  it("shows why a deposit on Solana failed, and links to its transaction", async () => {
    const console = await open(`/requests/${unpaid.requestId}`);
    const { page } = console;
    const cause = /It has 0\.49\d+ SOL, and needs 0\.6 SOL\./u;
    expect(await page.locator(".callout.bad").textContent()).to.match(cause);
    await page.getByRole("link", { name: "details of the failed deposit" }).click();
    await page.getByRole("heading", { level: 1, name: "Transaction" }).waitFor();
    expect(page.url()).to.equal(`${network.consoleUrl}/chains/${SVM_CHAIN_ID}/transactions/${unpaid.signature}`);
    expect(await page.locator(".verdict.fails").textContent()).to.match(cause);
    const inner = page.locator(".tree li li").filter({ hasText: "System transfer(lamports: 0.6 SOL)" });
    expect(await inner.textContent()).to.include("the cause");
    await page.getByRole("link", { name: "SVM chain", exact: true }).click();
    const row = page.getByRole("row").filter({ hasText: unpaid.signature.slice(0, 8) });
    expect(await row.textContent()).to.include("failure");
    await page.getByRole("link", { name: "Chains", exact: true }).last().click();
    await page.getByRole("cell", { name: String(SVM_CHAIN_ID), exact: true }).waitFor();
    await closeConsole(console);
  });

  const views = () =>
    ["/requests", `/requests/${filled}`, `/requests/${failed}`, "/fills", "/chains", "/quote"].concat(
      `/fills/${failed}`,
      `/chains/${network.chains[0].id}`,
      `/requests/${failed}/replay`,
      `/requests/${unpaid.requestId}`,
      `/chains/${SVM_CHAIN_ID}`,
      `/chains/${SVM_CHAIN_ID}/transactions/${unpaid.signature}`,
    );

  it("has no serious accessibility violations in light and dark mode", async () => {
    await network.fills.hold();
    const quote = await quoteDollars(network);
    await send(quote);
    await until(async () => (await network.fills.list()).total === 1);
    for (const colorScheme of ["light", "dark"] as const) {
      for (const view of views()) {
        const console = await open(view, { colorScheme });
        if (view === `/requests/${failed}`) await console.page.locator("#replay .verdict").waitFor();
        await console.page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))");
        expect(
          await findBarriers(console.page, colorScheme === "dark" ? ["color-contrast"] : undefined),
          `${view} ${colorScheme}`,
        ).to.deep.equal([]);
        await closeConsole(console);
      }
    }
  });

  it("fits a window of 360 pixels", async () => {
    for (const view of views()) {
      const console = await open(view, { width: 360 });
      if (view === `/requests/${failed}`) await console.page.locator("#replay .verdict").waitFor();
      expect(await overflowOf(console.page), view).to.be.at.most(0);
      await closeConsole(console);
    }
  });
});
