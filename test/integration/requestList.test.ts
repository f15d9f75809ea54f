import { expect } from "chai";
import { zeroAddress } from "viem";

import { getQuote } from "../support/complete.ts";
import { createServiceClient } from "../../packages/sdk/src/index.ts";
import { get, listRequests } from "./support/serviceCalls.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { etherRequest } from "./support/requests.ts";

describe("GET /requests/v3", () => {
  const network = useNetwork({ clock: { now: () => now } });
  const [origin, destination] = chainsOf(network);
  // All quotes have the same time, so the order and the pages depend only on the ids.
  let now = 1_800_000_000_000;
  const ids: string[] = [];

  const quote = async (recipient: string) => {
    const answer = await getQuote(
      createServiceClient({ baseUrl: network.url }),
      etherRequest(network, { recipient, destinationCurrency: zeroAddress }),
    );
    ids.push(answer.steps[0]?.requestId ?? "");
    return answer;
  };

  before(async () => {
    for (let count = 0; count < 7; count += 1) await quote(network.accounts.stranger.address);
    now += 60_000;
    for (let count = 0; count < 4; count += 1) await quote(network.accounts.user.address);
  });

  it("returns every request once, newest first, across pages", async () => {
    const seen: { id: string; createdAt: string }[] = [];
    let continuation: string | undefined;
    let pages = 0;
    do {
      const page = await listRequests(
        network,
        `?limit=3${continuation === undefined ? "" : `&continuation=${continuation}`}`,
      );
      seen.push(...page.requests);
      continuation = page.continuation;
      pages += 1;
    } while (continuation !== undefined);
    expect(pages).to.equal(4);
    expect(seen.map(({ id }) => id).toSorted()).to.deep.equal(ids.toSorted());
    const times = seen.map(({ createdAt }) => createdAt);
    expect(times).to.deep.equal(times.toSorted().toReversed());
  });

  it("returns all requests in ascending order, across pages", async () => {
    const first = await listRequests(network, "?limit=10&sortDirection=asc");
    const second = await listRequests(
      network,
      `?limit=10&sortDirection=asc&continuation=${first.continuation ?? "missing"}`,
    );
    const seen = [...first.requests, ...second.requests].map(({ id }) => id);
    expect(seen.toSorted()).to.deep.equal(ids.toSorted());
    expect(second).to.not.have.property("continuation");
    const down = await listRequests(network, "?limit=50");
    expect(seen.toReversed()).to.deep.equal(down.requests.map(({ id }) => id));
  });

  it("serves its documentation, its chains and its health", async () => {
    expect((await fetch(`${network.url}/documentation/`)).status).to.equal(200);
    const { body: openapi } = await get(network, "/documentation/json");
    // The control routes are documented separately from the live service's routes.
    const paths = Object.keys((openapi as { paths: object }).paths).filter((path) => !path.startsWith("/admin/"));
    expect(paths).to.have.members([
      "/access-tokens",
      "/app-fees/{wallet}/balances",
      "/app-fees/{wallet}/claim",
      "/app-fees/{wallet}/claims",
      "/authorize",
      "/chains",
      "/chains/health",
      "/chains/{chainId}/currencies/{address}",
      "/chains/{chainId}/currencies/{address}/chart",
      "/chains/liquidity",
      "/config",
      "/config/v2",
      "/currencies/token/price",
      "/currencies/token/price/v2",
      "/currencies/trending",
      "/currencies/v1",
      "/currencies/v2",
      "/deposit-addresses/v1",
      "/intents/status",
      "/intents/status/v2",
      "/execute",
      "/execute/permits",
      "/execute/permits/v2",
      "/execute/swap",
      "/execute/swap/multi-input",
      "/fast-fill",
      "/intents/status/v3",
      "/lives",
      "/prices/rates",
      "/metrics",
      "/metrics/usage",
      "/price",
      "/quote",
      "/quote/v2",
      "/quote/v3",
      "/ready",
      "/requests",
      "/requests/metadata",
      "/requests/v2",
      "/requests/v3",
      "/requests/{requestId}/signature",
      "/requests/{requestId}/signature/v2",
      "/swap-sources",
      "/transactions/deposit-address/reindex",
      "/transactions/index",
      "/transactions/single",
      "/transactions/status",
    ]);
    expect((await get(network, "/lives")).body).to.deep.equal({ status: "ok" });
    const { body } = await get(network, "/chains");
    // Simulated chains are last in the list.
    expect((body as { chains: { id: number; httpRpcUrl: string }[] }).chains.map(({ id }) => id)).to.deep.equal([
      origin.id,
      destination.id,
      792_703_809,
      3_586_256,
      1_337,
      8_253_038,
      728_126_428,
    ]);
  });
});
