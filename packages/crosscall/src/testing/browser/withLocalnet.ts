import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from "@playwright/test";
import type { Page } from "playwright-core";

import { type Localnet, localnet, type LocalnetOptions } from "../../localnet/index.ts";
import { LOCAL_API_KEY } from "../../localnet/defaults.ts";
import { injectWallet } from "./injectWallet.ts";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import type { InjectedWallet, WalletOptions } from "./wallet.ts";

/** Options of `withLocalnet`. */
export interface BrowserTestOptions {
  /**
   * Options of each worker's network. By default, its chains are 900001 and 900002, because no library has RPC URLs for
   * them, and it accepts requests without an API key, because browsers send none.
   */
  readonly network?: LocalnetOptions;
  /**
   * Returns the options of each page's wallet. By default, the wallet has the network's chains and the network's user.
   */
  readonly wallet?: (network: Localnet) => Partial<WalletOptions>;
  /**
   * Returns prefixes of URLs that the app requests, and their replacements. For example, replace the live service's URL
   * with `network.url`, so that the app needs no other configuration.
   */
  readonly redirects?: (network: Localnet) => Readonly<Record<string, string>>;
}

/** Timeout of the network's start in milliseconds, separate from the timeout of the first test. */
const START_TIMEOUT_MS = 300_000;

type TestArgs = PlaywrightTestArgs & PlaywrightTestOptions;
type WorkerArgs = PlaywrightWorkerArgs & PlaywrightWorkerOptions;

/**
 * Extends Playwright's `test` with a local network (`network`, one for each worker) and a wallet in each `page`
 * (`wallet`).
 */
export function withLocalnet<Test extends TestArgs, Worker extends WorkerArgs>(
  test: TestType<Test, Worker>,
  options: BrowserTestOptions = {},
): TestType<Test & { readonly wallet: InjectedWallet }, Worker & { readonly network: Localnet }> {
  rejectUnknownOptions(options, { network: 1, wallet: 1, redirects: 1 });
  const base = test as TestType<TestArgs, WorkerArgs>;
  const extended = base.extend<{ readonly wallet: InjectedWallet }, { readonly network: Localnet }>({
    network: [
      // Playwright requires the pattern to find the fixtures that this one uses.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        await using network = await localnet({
          chains: [{ id: 900_001 }, { id: 900_002 }],
          defaultApiKey: LOCAL_API_KEY,
          ...options.network,
        });
        await use(network);
      },
      { scope: "worker", timeout: START_TIMEOUT_MS },
    ],
    wallet: [
      async ({ page, network }, use) => {
        await redirect(page, options.redirects?.(network) ?? {});
        await use(await injectWallet(page, { chains: network.chains, ...options.wallet?.(network) }));
        // Otherwise, a pending request would fail the test when the page closes.
        await page.unrouteAll({ behavior: "ignoreErrors" });
      },
      { auto: true },
    ],
  });
  return extended as TestType<Test & { readonly wallet: InjectedWallet }, Worker & { readonly network: Localnet }>;
}

async function redirect(page: Page, redirects: Readonly<Record<string, string>>): Promise<void> {
  for (const [from, to] of Object.entries(redirects)) {
    await page.route(
      (url) => url.href.startsWith(from),
      async (route) => {
        const response = await route.fetch({ url: `${to}${route.request().url().slice(from.length)}` });
        await route.fulfill({ response });
      },
    );
  }
}
