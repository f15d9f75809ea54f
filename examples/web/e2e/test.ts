import { test as base } from "@playwright/test";
import { type BrowserTestOptions, withLocalnet } from "crosscall/testing/browser";

/** Responses of the third parties that the widget calls. */
const STAND_INS: Readonly<Record<string, object>> = {
  // Addresses of exchanges, without which the widget fails.
  "https://assets.relay.link/app/cexAddresses.json": { addresses: [] },
  // The ENS name of an address.
  "https://api.ensideas.com/ens/resolve/": { name: null },
};

const ICONS = "https://assets.relay.link/icons/";
const ICON = '<svg xmlns="http://www.w3.org/2000/svg"/>';

/** URL of the live service in the app, which the tests redirect to the local network. */
const SERVICE_URL = "https://api.relay.link";

/** Playwright's test with a local network and this wallet. */
export function testWith(wallet?: BrowserTestOptions["wallet"]) {
  return withLocalnet(base, {
    // The widget reads requests with GET /requests/v2, and requests quotes of version 2.
    network: { keepsRetired: true },
    ...(wallet && { wallet }),
    redirects: (network) => ({ [SERVICE_URL]: network.url }),
  }).extend<{ readonly strangers: readonly string[] }>({
    /** URLs of other hosts, which no page may request. */
    strangers: [
      async ({ page }, use) => {
        const strangers: string[] = [];
        await page.route(
          ({ href, hostname }) => hostname !== "127.0.0.1" && !href.startsWith(SERVICE_URL),
          async (route) => {
            const url = route.request().url();
            const headers = { "access-control-allow-origin": "*" };
            const json = Object.entries(STAND_INS).find(([beginning]) => url.startsWith(beginning))?.[1];
            if (json !== undefined) return route.fulfill({ json, headers });
            if (url.startsWith(ICONS)) return route.fulfill({ body: ICON, contentType: "image/svg+xml", headers });
            strangers.push(url);
            return route.abort();
          },
        );
        await use(strangers);
      },
      { auto: true },
    ],
  });
}

export const test = testWith();
