import { createAccessToken, createServiceClient } from "@crosscall/sdk";
import { expect, test as base } from "@playwright/test";
import { withLocalnet } from "crosscall/testing/browser";
import { createPublicClient, erc20Abi, http, parseUnits } from "viem";

import type { AppConfig } from "../src/setup";

// The SDK trusts the addresses of local networks with these chain ids by default.
const test = withLocalnet(base, { network: { chains: [{ id: 31_337 }, { id: 31_338 }], protocols: ["aave"] } });

test.beforeEach(async ({ page, network, wallet }) => {
  const [origin, destination] = network.chains;
  const { dollar, aavePool, aaveToken } = destination.contracts;
  const config: AppConfig = {
    serviceUrl: network.url,
    tokenUrl: "/token",
    originChainId: origin.id,
    destinationChainId: destination.id,
    asset: dollar,
    pool: aavePool!,
    aToken: aaveToken!,
  };
  await page.route("/config.json", (route) => route.fulfill({ json: config }));
  const backend = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  await page.route("/token", async (route) => route.fulfill({ body: (await createAccessToken(backend)).token }));
  await page.goto("/");
  await page.getByRole("button", { name: "Connect Local wallet" }).click();
  await expect(page.getByText(wallet.address)).toBeVisible();
});

test.afterEach(async ({ network }) => {
  await network.scenarios.clear();
});

test("supplies USDC on the other chain", async ({ page, network, wallet }) => {
  const [, destination] = network.chains;
  const client = createPublicClient({ transport: http(destination.rpcUrl) });
  await page.getByLabel("USDC").fill("40");
  // The network's ETH price is 2,500 dollars.
  await expect(page.getByLabel("Price")).toHaveText(/^0\.01[67]\d* ETH on Local 31337$/u);
  await page.getByRole("button", { name: "Supply" }).click();
  await expect(page.getByRole("status")).toHaveText("success");
  const supplied = await client.readContract({
    address: destination.contracts.aaveToken!,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [wallet.address],
  });
  // Aave rounds.
  expect(supplied).toBeGreaterThanOrEqual(parseUnits("40", 6) - 2n);
});

test("lets the user cancel", async ({ page, wallet }) => {
  wallet.rejectNext("eth_sendTransaction");
  await page.getByRole("button", { name: "Supply" }).click();
  await expect(page.getByRole("status")).toHaveText("cancelled");
});

test("shows a refund", async ({ page, network }) => {
  await network.scenarios.set("SLIPPAGE");
  // Scenarios apply only to new quotes, so request one for another amount.
  await page.getByLabel("USDC").fill("30");
  await page.getByRole("button", { name: "Supply" }).click();
  await expect(page.getByRole("status")).toHaveText("refund");
  await expect(page.getByRole("alert")).toBeVisible();
});
