import { expect } from "chai";
import { parseEther } from "viem";

import { ROUTER_ADDRESS } from "../../packages/protocol/src/generations/routers.ts";
import { EXCHANGE_CHAIN_ID, SVM_CHAIN_ID } from "../../packages/protocol/src/chains/chainIds.ts";
import type { ChainEntry } from "../../packages/protocol/src/complete.ts";
import { expectLive, missingFields } from "../support/complete.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { callAdmin } from "./support/adminCalls.ts";
import { dollarsOf, reader } from "./support/parties.ts";
import { get } from "./support/serviceCalls.ts";

interface Config {
  readonly enabled: boolean;
  readonly user: { readonly balance: string; readonly maxBridgeAmount: string };
  readonly fee?: string;
  readonly solver: { readonly address: string; readonly balance: string; readonly capacityPerRequest: string };
}

describe("the endpoints that describe chains", () => {
  const network = useNetwork();
  const [origin, destination] = chainsOf(network);

  const read = async <Body>(path: string, part = path.replace(/\?.*$/u, "")): Promise<Body> => {
    const { status, body } = await get(network, path);
    expect([path, status]).to.deep.equal([path, 200]);
    expectLive(`GET ${part} 200`, body);
    return body as Body;
  };

  it("list every documented field of a chain, except contracts that the chain lacks", async () => {
    const list = await read<{ chains: ChainEntry[] }>("/chains?referrer=app&includeChains=1");
    expect(missingFields("GET /chains 200", list)).to.deep.equal([
      "chains.contracts.multicall3",
      "chains.contracts.multicaller",
      "chains.contracts.onlyOwnerMulticaller",
      "chains.contracts.relayReceiver",
      "chains.contracts.v3",
      "chains.contracts",
    ]);
    const chain = list.chains.find(({ id }) => id === origin.id);
    expect(chain).to.deep.include({
      displayName: origin.name,
      httpRpcUrl: origin.rpcUrl,
      tokenSupport: "All",
      depositEnabled: true,
      disabled: false,
      solverAddresses: [network.solver],
      wsRpcUrl: "",
      explorerUrl: "",
      explorerName: "",
      explorerPaths: null,
    });
    expect(chain?.erc20Currencies.map(({ address }) => address)).to.include(origin.contracts.dollar.toLowerCase());
    expect(chain?.contracts?.erc20Router).to.equal(ROUTER_ADDRESS);
  });

  it("list the currencies that the solver holds and those that support permits", async () => {
    const { chains } = await read<{ chains: ChainEntry[] }>("/chains");
    const symbolsOf = (chainId: number) => {
      const chain = chains.find(({ id }) => id === chainId);
      const tokens = chain?.erc20Currencies ?? [];
      return {
        solver: chain?.solverCurrencies?.map(({ symbol }) => symbol),
        bridged: tokens.filter(({ supportsBridging }) => supportsBridging).map(({ symbol }) => symbol),
        permit: tokens.filter(({ supportsPermit }) => supportsPermit).map(({ symbol }) => symbol),
        support: chain?.tokenSupport,
      };
    };
    expect(symbolsOf(origin.id)).to.deep.equal({
      solver: ["ETH", "USDC"],
      bridged: ["USDC"],
      permit: ["USDC", "TKN"],
      support: "All",
    });
    expect(symbolsOf(SVM_CHAIN_ID))
      .to.include({ support: "All" })
      .and.deep.include({ solver: ["SOL", "USDC"] });
    expect(symbolsOf(EXCHANGE_CHAIN_ID)).to.include({ support: "Limited" });
  });

  it("report the solver's balances", async () => {
    const path = `/chains/liquidity?chainId=${destination.id}`;
    const native = await reader(destination).getBalance({ address: network.solver });
    const dollars = await dollarsOf(destination, network.solver);
    const { liquidity } = await read<{ liquidity: Record<string, unknown>[] }>(path);
    expect(missingFields("GET /chains/liquidity 200", { liquidity })).to.deep.equal([]);
    expect(liquidity.map(({ currencyId, balance }) => [currencyId, balance])).to.deep.equal([
      ["eth", native.toString()],
      ["usdc", dollars.toString()],
    ]);
    expect(liquidity[1]).to.include({ chainId: destination.id, amountUsd: `${dollars / 1_000_000n}.000000` });
    expect(await read(`/chains/liquidity?chainId=${SVM_CHAIN_ID}`)).to.deep.equal({ liquidity: [] });
    const unknown = await get(network, "/chains/liquidity?chainId=5");
    expect(unknown.status).to.equal(400);
    expect(unknown.body).to.include({ errorCode: "UNSUPPORTED_CHAIN", field: "chainId" });
  });

  it("name the swap sources of a chain", async () => {
    expect(await read(`/swap-sources?chainId=${origin.id}`)).to.deep.equal({
      sources: ["uniswap-v3", "wrapped-native"],
    });
    expect(await read(`/swap-sources?chainId=${SVM_CHAIN_ID}`)).to.deep.equal({ sources: ["jupiter"] });
    expect(await read("/swap-sources")).to.deep.equal({ sources: ["uniswap-v3", "wrapped-native", "jupiter"] });
    const unknown = await get(network, "/swap-sources?chainId=5");
    expectLive("GET /swap-sources 400", unknown.body);
    expect(unknown.status).to.equal(400);
  });

  it("report healthy chains while the nodes respond", async () => {
    expect(await read("/chains/health")).to.deep.equal({ healthy: true });
    expect(await read(`/chains/health?chainId=${SVM_CHAIN_ID}`)).to.deep.equal({ healthy: true });
    const unknown = await get(network, "/chains/health?chainId=5");
    expect(unknown.status).to.equal(400);
    expectLive("GET /chains/health 400", unknown.body);
    expect(unknown.body).to.include({ code: "UNSUPPORTED_CHAIN" });
  });

  describe("config", () => {
    const config = (query: string, version = "/v2") =>
      read<Config>(`/config${version}?originChainId=${origin.id}&destinationChainId=${destination.id}${query}`);

    it("reports the amounts that the solver can fill at once and that the user can bridge", async () => {
      const balance = (await reader(origin).getBalance({ address: network.accounts.user.address })).toString();
      const capacity = (await reader(destination).getBalance({ address: network.solver })).toString();
      const found = await config(`&user=${network.accounts.user.address}`);
      expect(missingFields("GET /config/v2 200", found)).to.deep.equal([]);
      expect(found.enabled).to.equal(true);
      expect(found.solver).to.deep.equal({ address: network.solver, balance: capacity, capacityPerRequest: capacity });
      const smaller = BigInt(balance) < BigInt(capacity) ? balance : capacity;
      expect(found.user).to.deep.equal({ balance, maxBridgeAmount: smaller });
      expect(Number(found.fee)).to.be.within(1, Number(parseEther("0.001")));
    });

    it("accepts another currency by id, or by address in version 1", async () => {
      const dollars = (await dollarsOf(destination, network.solver)).toString();
      const [byId, byAddress] = [
        await config("&currency=usdc"),
        await config(`&currency=${destination.contracts.dollar}`, ""),
      ];
      const { fee, ...rest } = byId;
      expect(Number(fee)).to.be.within(20_000, 1_000_000);
      expect(byAddress).to.deep.equal(rest);
      expect(byAddress.solver.balance).to.equal(dollars);
      expect(byAddress.user).to.deep.equal({ balance: "0", maxBridgeAmount: "0" });
    });

    it("is disabled for a currency that the solver must swap for, and for a restricted chain", async () => {
      expect(await config("&currency=usdt")).to.deep.include({ enabled: false, fee: "0" });
      await callAdmin(network, "POST", "/admin/restrictions", { disabledChains: [destination.id] });
      expect((await config("")).enabled).to.equal(false);
      await callAdmin(network, "POST", "/admin/restrictions", {});
      expect((await config("")).enabled).to.equal(true);
    });

    for (const [name, query] of [
      ["an unknown chain", "originChainId=5&destinationChainId=31338"],
      ["an unknown currency", "originChainId=31337&destinationChainId=31338&currency=btc"],
      ["a user that is not an account", "originChainId=31337&destinationChainId=31338&user=me"],
      ["a missing chain", "originChainId=31337"],
    ] as const) {
      it(`rejects ${name} in this endpoint's error format`, async () => {
        const { status, body } = await get(network, `/config/v2?${query}`);
        expect(status).to.equal(400);
        expect(Object.keys(body as object)).to.deep.equal(["message", "code"]);
      });
    }
  });
});
