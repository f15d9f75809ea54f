import { expect, type Locator, type Page } from "@playwright/test";
import type { Localnet } from "crosscall/localnet";
import type { InjectedWallet } from "crosscall/testing/browser";
import { type Address, createPublicClient, createTestClient, erc20Abi, http, parseUnits, publicActions } from "viem";

import { test, testWith } from "./test";

/** Opens the app, connects the wallet and enters an amount of the first chain's native currency. */
async function openSwap(page: Page, address: Address): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Connect Local wallet" }).click();
  await expect(page.getByText(address)).toBeVisible();
  await page.getByPlaceholder("0").first().fill("1");
}

const swapButton = (page: Page): Locator => page.getByRole("button", { name: "Swap", exact: true });
const dialog = (page: Page): Locator => page.getByRole("dialog");
/** The text has the duration only if the page saw the fill. */
const completed = (page: Page): Locator => dialog(page).getByText(/^(?:Transaction Completed|Completed in)/u);

function dollarsOf({ chains }: Localnet, index: 0 | 1, account: Address): Promise<bigint> {
  const { rpcUrl, contracts } = chains[index];
  return createPublicClient({ transport: http(rpcUrl) }).readContract({
    address: contracts.dollar,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [account],
  });
}

/** Selects the first chain's dollar token as the token to sell. */
async function sellDollars(page: Page, { chains }: Localnet, account: Address): Promise<void> {
  await chains[0].fund(account, "USDC", parseUnits("500", 6));
  await page.getByRole("button", { name: /ETH.*Local 900001/u }).click();
  await dialog(page).getByText("USDC", { exact: true }).first().click();
  // Until then, the button swaps the previously selected currency.
  await expect(page.getByText(/1 USDC = /u)).toBeVisible();
}

test.afterEach(async ({ network, strangers }) => {
  await network.fills.releaseAll();
  await network.scenarios.clear();
  expect(strangers).toEqual([]);
});

const methodsOf = ({ requests }: InjectedWallet): readonly string[] => requests.map(({ method }) => method);

test("shows tokens, prices and a quote from the service", async ({ page, network, wallet }) => {
  await openSwap(page, wallet.address);
  await expect(page.getByText("$2,500.00")).toBeVisible();
  await expect(page.getByText(/1 ETH = 2,\d+(\.\d+)? USDC/u)).toBeVisible();
  await page.getByRole("button", { name: /USDC.*Local 900002/u }).click();
  for (const symbol of ["USDT", "WETH", "TKN"]) {
    await expect(dialog(page).getByText(symbol, { exact: true }).first()).toBeVisible();
  }
  expect(network.chains.map(({ name }) => name)).toEqual(["Local 900001", "Local 900002"]);
});

test("swaps, and shows the progress and success", async ({ page, network, wallet }) => {
  await network.fills.hold({ user: wallet.address });
  await openSwap(page, wallet.address);
  const before = await dollarsOf(network, 1, wallet.address);
  await swapButton(page).click();
  await expect.poll(async () => (await network.fills.list()).total).toBe(1);
  await expect(dialog(page).getByText("Relay processes your transaction")).toBeVisible();
  await network.fills.releaseAll();
  await expect(completed(page)).toBeVisible();
  expect(await dollarsOf(network, 1, wallet.address)).toBeGreaterThan(before);
});

test("switches the wallet to the quote's chain", async ({ page, network, wallet }) => {
  await openSwap(page, wallet.address);
  const [origin, destination] = network.chains;
  await wallet.switchChain(destination.id);
  await swapButton(page).click();
  await expect(completed(page)).toBeVisible();
  expect(wallet.chainId).toBe(origin.id);
});

test("shows that the user rejected, and swaps on the second attempt", async ({ page, wallet }) => {
  await openSwap(page, wallet.address);
  wallet.rejectNext("eth_sendTransaction");
  await swapButton(page).click();
  await expect.poll(() => methodsOf(wallet).includes("eth_sendTransaction")).toBe(true);
  await expect(dialog(page)).toBeHidden();
  await swapButton(page).click();
  await expect(completed(page)).toBeVisible();
});

test("shows a refund with its reason", async ({ page, network, wallet }) => {
  await network.scenarios.set("SLIPPAGE", { next: 1000 });
  await openSwap(page, wallet.address);
  await swapButton(page).click();
  await expect(dialog(page).getByText(/We've refunded .* ETH on Local 900001/u)).toBeVisible();
});

test("shows a failure without a refund", async ({ page, network, wallet }) => {
  await network.scenarios.set("refund:MANUAL_REFUND_REQUIRED", { next: 1000 });
  await openSwap(page, wallet.address);
  await swapButton(page).click();
  await expect(dialog(page).getByText("Transaction failed")).toBeVisible();
  await expect(dialog(page).getByText("couldn't be refunded automatically")).toBeVisible();
});

test("shows that no route exists", async ({ page, network, wallet }) => {
  await network.scenarios.set("quote:NO_SWAP_ROUTES_FOUND");
  await openSwap(page, wallet.address);
  await expect(page.getByText("No available routes")).toBeVisible();
});

// The widget deposits a token by a transfer, unless the account has sent at most one transaction.
const testWithNewAccount = testWith(({ accounts }) => ({ accounts: accounts.spare }));

testWithNewAccount("approves and deposits a token in one batch", async ({ page, network, wallet }) => {
  await openSwap(page, wallet.address);
  await sellDollars(page, network, wallet.address);
  await swapButton(page).click();
  await expect(completed(page)).toBeVisible();
  expect(methodsOf(wallet)).toContain("wallet_sendCalls");
  expect(methodsOf(wallet)).not.toContain("eth_sendTransaction");
});

const testWithoutBatches = testWith(({ accounts }) => ({ accounts: accounts.spare, batches: "unsupported" }));

testWithoutBatches("approves and deposits a token in separate transactions", async ({ page, network, wallet }) => {
  await openSwap(page, wallet.address);
  await sellDollars(page, network, wallet.address);
  await swapButton(page).click();
  await expect(completed(page)).toBeVisible();
  expect(methodsOf(wallet).filter((method) => method === "eth_sendTransaction")).toHaveLength(2);
});

test("deposits a token by a transfer", async ({ page, network, wallet }) => {
  const client = createTestClient({ mode: "hardhat", transport: http(network.chains[0].rpcUrl) }).extend(publicActions);
  const nonce = await client.getTransactionCount({ address: wallet.address });
  await client.setNonce({ address: wallet.address, nonce: Math.max(nonce, 2) });
  await openSwap(page, wallet.address);
  await sellDollars(page, network, wallet.address);
  await swapButton(page).click();
  await expect(completed(page)).toBeVisible();
  expect(methodsOf(wallet).filter((method) => method === "eth_sendTransaction")).toHaveLength(1);
});
