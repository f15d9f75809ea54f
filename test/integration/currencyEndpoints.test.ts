import { expect } from "chai";
import { parseEther, zeroAddress } from "viem";

import {
  BITCOIN_CHAIN_ID,
  EXCHANGE_CHAIN_ID,
  SVM_CHAIN_ID,
  TRON_CHAIN_ID,
} from "../../packages/protocol/src/chains/chainIds.ts";
import { createServiceClient, executeSteps, getQuote } from "../../packages/sdk/src/index.ts";
import { expectLive, missingFields } from "../support/complete.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { appClock, userWallet } from "./support/parties.ts";
import { get, post } from "./support/serviceCalls.ts";
import { etherRequest } from "./support/requests.ts";

interface Entry {
  readonly chainId: number;
  readonly address: string;
  readonly symbol: string;
  readonly vmType: string;
  readonly groupID?: string;
}

describe("the currency endpoints", () => {
  // The network has more currencies than the default page size.
  const network = useNetwork({ chains: [{ id: 31_337 }, { id: 31_338 }, { id: 31_339 }] });
  const [origin, destination] = chainsOf(network);

  const list = async (filter: object): Promise<Entry[]> => {
    const { status, body } = await post(network, "/currencies/v2", { referrer: "app", ...filter });
    expect(status).to.equal(200);
    expectLive("POST /currencies/v2 200", body);
    expect(missingFields("POST /currencies/v2 200", body)).to.deep.equal([]);
    return body as Entry[];
  };
  const namesOf = (entries: readonly Entry[]) => entries.map(({ chainId, symbol }) => `${chainId} ${symbol}`);

  it("list the currencies of each chain, at most 20 by default", async () => {
    const first = await list({ chainIds: [origin.id], term: "", defaultList: true, depositAddressOnly: false });
    expect(namesOf(first)).to.deep.equal(
      ["ETH", "USDC", "USDT", "WETH", "TKN", "FEE"].map((symbol) => `${origin.id} ${symbol}`),
    );
    const every = await list({ limit: 100 });
    const families = [origin.id, SVM_CHAIN_ID, EXCHANGE_CHAIN_ID, BITCOIN_CHAIN_ID, TRON_CHAIN_ID].map(
      (id) => every.find(({ chainId }) => chainId === id)?.vmType,
    );
    expect(families).to.deep.equal(["evm", "svm", "lvm", "bvm", "tvm"]);
    expect(every).to.have.length(30);
    expect(await list({})).to.deep.equal(every.slice(0, 20));
    expect(await list({ limit: 3 })).to.deep.equal(every.slice(0, 3));
  });

  it("search by name, symbol, address, id and token", async () => {
    const { tether, dollar, token } = origin.contracts;
    const inOrigin = { chainIds: [origin.id] };
    expect(namesOf(await list({ ...inOrigin, term: "tether" }))).to.deep.equal([`${origin.id} USDT`]);
    expect(namesOf(await list({ ...inOrigin, term: "weth" }))).to.deep.equal([`${origin.id} WETH`]);
    expect(namesOf(await list({ ...inOrigin, address: tether.toLowerCase() }))).to.deep.equal([`${origin.id} USDT`]);
    expect(namesOf(await list({ ...inOrigin, address: tether, verified: true }))).to.have.length(1);
    expect(namesOf(await list({ ...inOrigin, currencyId: "usdc" }))).to.deep.equal([`${origin.id} USDC`]);
    expect(namesOf(await list({ tokens: [`${origin.id}:${dollar}`, `${destination.id}:${token}`] }))).to.deep.equal([
      `${origin.id} USDC`,
      `${destination.id} TKN`,
    ]);
    expect(await list({ term: "no such currency", useExternalSearch: true })).to.deep.equal([]);
  });

  it("find a currency on all chains if the solver holds it", async () => {
    const everywhere = await list({ chainIds: [origin.id], address: origin.contracts.tether, includeAllChains: true });
    expect(namesOf(everywhere)).to.deep.equal(
      [origin.id, destination.id, 31_339, SVM_CHAIN_ID, TRON_CHAIN_ID].map((chainId) => `${chainId} USDT`),
    );
    const held = await list({ chainIds: [origin.id], depositAddressOnly: true });
    expect(namesOf(held)).to.deep.equal([`${origin.id} ETH`, `${origin.id} USDC`]);
  });

  it("group currencies by id in version 1", async () => {
    const { body } = await post(network, "/currencies/v1", { chainIds: [origin.id, destination.id], limit: 2 });
    expectLive("POST /currencies/v1 200", body);
    expect(missingFields("POST /currencies/v1 200", body)).to.deep.equal([]);
    expect((body as Entry[][]).map((group) => group.map(({ groupID, chainId }) => [groupID, chainId]))).to.deep.equal([
      [
        ["eth", origin.id],
        ["eth", destination.id],
      ],
      [
        ["usdc", origin.id],
        ["usdc", destination.id],
      ],
    ]);
  });

  it("return the prices that quotes use, as a number and as text", async () => {
    const query = `?chainId=${origin.id}&address=${zeroAddress}&referrer=app`;
    const price = await get(network, `/currencies/token/price${query}`);
    expectLive("GET /currencies/token/price 200", price.body);
    expect(price).to.deep.equal({ status: 200, body: { price: 2_500 } });
    const text = await get(network, `/currencies/token/price/v2${query}`);
    expectLive("GET /currencies/token/price/v2 200", text.body);
    expect(text.body).to.deep.equal({ price: "2500" });
    for (const wrong of [`?chainId=${origin.id}&address=0x00`, "?chainId=5&address=0x00", `?chainId=${origin.id}`]) {
      const { status, body } = await get(network, `/currencies/token/price${wrong}`);
      expect([status, Object.keys(body as object)]).to.deep.equal([400, ["error"]]);
      expectLive("GET /currencies/token/price 400", body);
    }
  });

  it("return all prices by symbol", async () => {
    const { status, body } = await get(network, "/prices/rates");
    expect(status).to.equal(200);
    expect(body).to.include({ ETH: 2_500, USDC: 1, TKN: 5, BTC: 60_000 });
    expect(new Set(Object.keys(body as object))).to.deep.equal(
      new Set((await list({ limit: 100 })).map(({ symbol }) => symbol)),
    );
  });

  it("list currencies bought in the last day as trending, by count or by volume", async () => {
    const trending = async (query: string): Promise<string[]> => {
      const { status, body } = await get(network, `/currencies/trending${query}`);
      expect(status).to.equal(200);
      expectLive("GET /currencies/trending 200", body);
      return namesOf(body as Entry[]);
    };
    const buy = async (destinationCurrency: string, amount: string) => {
      const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
      const quote = await getQuote(client, {
        ...etherRequest(network),
        destinationCurrency,
        amount: parseEther(amount).toString(),
      });
      const wallet = userWallet(network, origin);
      await executeSteps(client, { quote, wallet, pollIntervalMs: 25, clock: appClock(network) });
    };
    const of = `?chainId=${destination.id}&limit=2`;
    const [dollar, tether] = [`${destination.id} USDC`, `${destination.id} USDT`];
    expect(await trending("")).to.have.length(20);
    await buy(destination.contracts.dollar, "0.01");
    await buy(destination.contracts.dollar, "0.01");
    await buy(destination.contracts.tether, "1");
    expect(await trending(`${of}&sortBy=relay24hBuyTxCount`)).to.deep.equal([dollar, tether]);
    expect(await trending(`${of}&sortBy=relay24hBuyUsdVolume`)).to.deep.equal([tether, dollar]);
    expect(await trending(of)).to.deep.equal([dollar, tether]);
    expect(await trending(`${of}&sortBy=coingecko6hTrending`)).to.deep.equal([dollar, tether]);
    network.clock.setOffset(7 * 3_600_000);
    expect(await trending(of)).to.deep.equal([dollar, tether]);
    const untraded = [`${destination.id} ETH`, dollar];
    expect(await trending(`${of}&sortBy=coingecko6hTrending`)).to.deep.equal(untraded);
    network.clock.setOffset(25 * 3_600_000);
    expect(await trending(of)).to.deep.equal(untraded);
    network.clock.reset();
    expect((await get(network, "/currencies/trending?sortBy=none")).status).to.equal(400);
  });

  it("describe a currency with its price and its purchases", async () => {
    const { chainId, address, name } = {
      ...destination,
      chainId: destination.id,
      address: destination.contracts.tether,
    };
    const { status, body } = await get(network, `/chains/${chainId}/currencies/${address}`);
    expect(status).to.equal(200);
    expectLive("GET /chains/{chainId}/currencies/{address} 200", body);
    const { volume, ...details } = body as { volume: { "24h": { usd: number } } };
    const [entry] = await list({ chainIds: [chainId], address });
    expect(entry?.address).to.equal(address.toLowerCase());
    expect(details).to.deep.equal({
      ...entry,
      price: 1,
      codexChainName: name,
      codexChainShortName: `local-${chainId}`,
      priceChange: { "5m": "0", "1h": "0", "4h": "0", "24h": "0" },
    });
    expect(volume["24h"].usd).to.be.within(2_400, 2_600);
    expect(await get(network, `/chains/${chainId}/currencies/0x00`)).to.deep.include({ status: 400 });
    expect(await get(network, `/chains/5/currencies/${zeroAddress}`)).to.deep.include({ status: 400 });
  });

  it("return a chart of a currency's constant price", async () => {
    const path = `/chains/${origin.id}/currencies/${zeroAddress}/chart`;
    const { status, body } = await get(network, `${path}?timeframe=1H&referrer=app`);
    expect(status).to.equal(200);
    const { t, ...prices } = body as Record<"t" | "o" | "h" | "l" | "c", number[]>;
    expect([t.length, (t.at(-1) ?? 0) - (t[0] ?? 0)]).to.deep.equal([31, 3_600]);
    expect((t.at(-1) ?? 0) * 1_000).to.be.within(network.clock.now() - 60_000, network.clock.now());
    const constant = t.map(() => 2_500);
    expect(prices).to.deep.equal({ o: constant, h: constant, l: constant, c: constant });
    expect((await get(network, path)).status).to.equal(200);
    expect((await get(network, `${path}?timeframe=1Y`)).status).to.equal(400);
    expect((await get(network, `/chains/${origin.id}/currencies/0x00/chart`)).status).to.equal(400);
  });
});
