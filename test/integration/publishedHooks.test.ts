import {
  queryDepositAddressStatus,
  queryExecutionStatus,
  queryQuote,
  queryRelayChains,
  queryRelayConfig,
  queryRequests,
  queryTokenList,
  queryTokenPrice,
  queryTrendingCurrencies,
  useRelayChains,
  useTokenPrice,
} from "@relayprotocol/relay-kit-hooks";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect } from "chai";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { type Address, parseEther, zeroAddress } from "viem";
import { sendTransaction } from "viem/actions";

import { createServiceClient, executeSteps, getQuote } from "../../packages/sdk/src/index.ts";
import { until } from "../support/until.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { appClock, userWallet } from "./support/parties.ts";
import { recordOf } from "./support/serviceCalls.ts";

// Date before the removal of GET /requests/v2, which these hooks use.
const AUGUST = Date.parse("2026-08-15T12:00:00Z");

// Unmodified published hooks. They send no API key to a local network. The chain ids are not defined in viem,
// because the hooks would prefer viem's definitions.
describe("the service's published hooks used with a local network", () => {
  const network = useNetwork({
    chains: [{ id: 900_001 }, { id: 900_002 }],
    defaultApiKey: "crosscall-local",
    clock: { now: () => AUGUST },
  });
  const [origin, destination] = chainsOf(network);
  const referrer = "app.example";

  const request = () => ({
    user: network.accounts.user.address,
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: zeroAddress,
    destinationCurrency: destination.contracts.dollar as string,
    tradeType: "EXACT_INPUT" as const,
    amount: parseEther("1").toString(),
    referrer,
  });

  /** Runs a hook in React, and returns the result of its query. */
  async function renderHook<Result>(
    key: unknown[],
    query: () => Promise<unknown>,
    hook: () => Result,
  ): Promise<Result> {
    const queryClient = new QueryClient();
    queryClient.setQueryData(key, await query());
    let result: { readonly value: Result } | undefined;
    const Probe = () => {
      result = { value: hook() };
      return null;
    };
    renderToString(createElement(QueryClientProvider, { client: queryClient }, createElement(Probe)));
    if (result === undefined) throw new Error("the hook was not rendered");
    return result.value;
  }

  it("list the chains in viem's format", async () => {
    const options = { referrer };
    const { chains, viemChains } = await renderHook(
      ["useRelayChains", network.url, options],
      () => queryRelayChains(network.url, options),
      () => useRelayChains(network.url, options),
    );
    expect(chains?.map(({ id }) => id)).to.include.members([origin.id, destination.id]);
    const chain = viemChains?.find(({ id }) => id === origin.id);
    expect(chain?.rpcUrls.default.http).to.deep.equal([origin.rpcUrl]);
    expect(chain?.nativeCurrency).to.deep.equal({ name: "Ether", decimals: 18, symbol: "ETH" });
  });

  it("list tokens, trending tokens, and their prices", async () => {
    const tokens = await queryTokenList(network.url, {
      chainIds: [origin.id],
      term: "",
      defaultList: true,
      limit: 12,
      depositAddressOnly: false,
      referrer,
    });
    expect(tokens.map(({ symbol }) => symbol)).to.deep.equal(["ETH", "USDC", "USDT", "WETH", "TKN", "FEE"]);
    const trending = await queryTrendingCurrencies(network.url, { chainId: destination.id, limit: 2 });
    expect(trending.map(({ chainId }) => chainId)).to.deep.equal([destination.id, destination.id]);
    const options = { address: zeroAddress, chainId: origin.id, referrer };
    const { data } = await renderHook(
      ["useTokenPrice", options],
      () => queryTokenPrice(network.url, options),
      () => useTokenPrice(network.url, options),
    );
    expect(data).to.deep.equal({ price: 2_500 });
  });

  it("return the currencies that can be bridged", async () => {
    const config = await queryRelayConfig(network.url, {
      originChainId: String(origin.id),
      destinationChainId: String(destination.id),
      user: network.accounts.user.address,
      currency: "usdc",
    });
    expect(config.enabled).to.equal(true);
    expect(config.solver?.address).to.equal(network.solver);
  });

  it("request quotes, and track the execution and the user's requests", async () => {
    const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
    const { fees } = await queryQuote(network.url, request());
    expect(fees?.gas?.currency?.symbol).to.equal("ETH");
    const quote = await getQuote(client, request());
    const requestId = quote.steps?.[0]?.requestId ?? "";
    const wallet = userWallet(network, origin);
    const { trust } = network;
    const clock = appClock(network);
    await executeSteps(client, { quote, wallet, pollIntervalMs: 25, clock, freshness: false, trust });
    const status = await queryExecutionStatus(network.url, { requestId, referrer });
    expect([status.status, status.txHashes?.length]).to.deep.equal(["success", 1]);
    const { requests } = await queryRequests(network.url, { user: request().user, limit: 20 });
    expect(requests?.map(({ id }) => id)).to.include(requestId);
  });

  it("track a deposit address by the address alone", async () => {
    const quote = await queryQuote(network.url, {
      ...request(),
      user: "0x000000000000000000000000000000000000dead",
      useDepositAddress: true,
    });
    const { depositAddress = "" } = quote.steps?.[0] ?? {};
    const read = () => queryDepositAddressStatus(network.url, { depositAddress });
    expect((await read())?.status).to.equal("waiting");
    await sendTransaction(userWallet(network, origin), { to: depositAddress as Address, value: parseEther("1") });
    await until(async () => {
      const { status } = await recordOf(network, quote.steps?.[0]?.requestId ?? "");
      return status === "success";
    });
    const end = await read();
    expect([end?.status, end?.txHashes?.length, end?.inTxHashes?.length]).to.deep.equal(["success", 1, 1]);
  });
});
