import { expect, test as base } from "@playwright/test";
import { withLocalnet } from "crosscall/testing/browser";

const RPC_URL = "https://rpc.example/v1/key";

const test = withLocalnet(base, {
  network: { chains: [{ id: 8_453 }, { id: 10 }], keepsRetired: true },
  wallet: ({ accounts }) => ({ accounts: [accounts.stranger], isConnected: true, name: "Second wallet" }),
  redirects: (network) => ({ [RPC_URL]: network.chains[1].rpcUrl }),
});

test("passes its options to the network and the wallet, and redirects RPC URLs", async ({ page, network, wallet }) => {
  expect(network.chains.map(({ id }) => id)).toEqual([8_453, 10]);
  expect(wallet.address).toBe(network.accounts.stranger.address);
  await page.goto("/");
  expect(await page.evaluate('ethereum.request({ method: "eth_accounts" })')).toEqual([wallet.address]);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  const answered = await page.evaluate(
    `fetch(${JSON.stringify(RPC_URL)}, ${JSON.stringify(init)}).then((response) => response.json())`,
  );
  expect(answered).toMatchObject({ result: "0xa" });
});
