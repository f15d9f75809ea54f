import { expect } from "@playwright/test";

import { test } from "./test";

test("a custom page lists tokens, quotes, swaps and tracks the request with the hooks", async ({
  page,
  network,
  wallet,
  strangers,
}) => {
  await page.goto("/hooks");
  await page.getByRole("button", { name: "Connect Local wallet" }).click();
  await expect(page.getByText("1 ETH = $2500")).toBeVisible();
  const [, destination] = network.chains;
  await page.getByLabel("Buy").selectOption(destination.contracts.dollar.toLowerCase());
  await expect(page.getByLabel("Quote")).toHaveText(/^24\d\d\.\d+$/u);
  await network.fills.hold({ user: wallet.address });
  await page.getByRole("button", { name: "Swap" }).click();
  await expect(page.getByLabel("Status")).toHaveText("pending");
  await network.fills.releaseAll();
  await expect(page.getByLabel("Progress")).toHaveText("completed");
  await expect(page.getByLabel("Status")).toHaveText("success");
  await expect(page.getByLabel("Requests").getByRole("listitem").first()).toHaveText("success");
  expect(strangers).toEqual([]);
});
