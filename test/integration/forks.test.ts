import { inspect } from "node:util";

import { expect } from "chai";
import { type Address, erc20Abi, parseEther, zeroAddress } from "viem";
import { readContract } from "viem/actions";

import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { planContracts } from "../../packages/crosscall/src/localnet/devchain/contracts.ts";
import { startChain } from "../../packages/crosscall/src/localnet/devchain/startChain.ts";
import { localAccounts, localnet, type LocalnetChain } from "../../packages/crosscall/src/localnet/index.ts";
import { createLog } from "../../packages/crosscall/src/localnet/log.ts";
import { getQuote } from "../support/complete.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { failureOf } from "./support/failureOf.ts";
import { reader, userWallet } from "./support/parties.ts";
import { startAnvil, stopPrograms } from "./support/processes.ts";

const UPSTREAM_ID = 31_450;
const HOLDER: Address = "0x4444444444444444444444444444444444444444";
/** Code that a stranger set on an account with a public private key. It reverts every call. */
const STRANGE_CODE = "0xfe";

/** Token of the forked chain without a public mint function. */
const FOREIGN = { chainId: 10, address: planContracts().contracts.vault, symbol: "vUSDC", decimals: 6, priceUsd: 1 };

describe("a network with a fork", () => {
  let fork: LocalnetChain;
  let upstreamUrl: string;
  let forkBlock: number;

  const network = useNetwork(async () => {
    upstreamUrl = (await startAnvil(UPSTREAM_ID)).ready;
    // The forked chain already has contracts and balances from an earlier network.
    const upstream = await startChain({ id: UPSTREAM_ID, rpcUrl: upstreamUrl }, createLog("silent"));
    await upstream.controls.fund(HOLDER, "USDT", 77n);
    forkBlock = (await upstream.controls.state()).blockNumber;
    await upstream.controls.fund(HOLDER, "USDT", 1_000n);
    await upstream.close();
    const client = chainClient(UPSTREAM_ID, upstreamUrl);
    await client.request({
      method: "hardhat_setCode",
      params: [localAccounts.user.address, STRANGE_CODE],
    } as never);
    return { chains: [{ id: 10, forkUrl: upstreamUrl, forkBlock }, { id: 31_451 }], tokens: [FOREIGN] };
  });
  before(() => {
    [fork] = network.chains;
  });
  after(stopPrograms);

  const tethersOf = (chain: LocalnetChain, account: Address): Promise<bigint> =>
    readContract(reader(chain), {
      address: chain.contracts.tether,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [account],
    });

  it("has the state of the forked block and a different chain id", async () => {
    expect(await reader(fork).getChainId()).to.equal(10);
    expect(await tethersOf(fork, HOLDER)).to.equal(77n);
    const [own, original] = await Promise.all(
      [reader(fork), chainClient(UPSTREAM_ID, upstreamUrl)].map((client) =>
        client.getBlock({ blockNumber: BigInt(forkBlock) }),
      ),
    );
    expect(own?.hash).to.equal(original?.hash);
  });

  it("diverges from the forked chain", async () => {
    await fork.fund(HOLDER, "USDT", 5n);
    expect(await tethersOf(fork, HOLDER)).to.equal(82n);
    const original = await readContract(chainClient(UPSTREAM_ID, upstreamUrl), {
      address: fork.contracts.tether,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [HOLDER],
    });
    expect(original).to.equal(1_077n);
  });

  it("reverts only its own blocks", async () => {
    const { blockNumber } = await fork.mine({ blocks: 2 });
    expect(await fork.reorg({ blocks: 2 })).to.include({ blockNumber });
    const tooMany = blockNumber - forkBlock + 1;
    expect(await failureOf(fork.reorg({ blocks: tooMany }))).to.include({ code: "INVALID_INPUT", field: "blocks" });
  });

  it("resets the network's accounts", async () => {
    expect((await reader(fork).getCode({ address: localAccounts.user.address })) ?? "0x").to.equal("0x");
    expect(await reader(fork).getBalance({ address: localAccounts.user.address })).to.equal(parseEther("10000"));
  });

  for (const [from, to] of [
    ["from", 0],
    ["to", 1],
  ] as const) {
    it(`fills requests ${from} the fork`, async () => {
      const [origin, destination] = to === 0 ? network.chains : [network.chains[1], network.chains[0]];
      const client = createServiceClient({ baseUrl: network.url });
      const quote = await getQuote(client, {
        user: network.accounts.user.address,
        recipient: HOLDER,
        originChainId: origin.id,
        destinationChainId: destination.id,
        originCurrency: zeroAddress,
        destinationCurrency: destination.contracts.tether,
        tradeType: "EXACT_INPUT",
        amount: parseEther("1").toString(),
      });
      const before = await tethersOf(destination, HOLDER);
      const { status } = await executeSteps(client, {
        quote,
        wallet: userWallet(network, origin),
        trust: network.trust,
        pollIntervalMs: 25,
      });
      expect(status.status).to.equal("success");
      expect((await tethersOf(destination, HOLDER)) - before).to.equal(BigInt(quote.details.currencyOut.amount));
    });
  }

  it("quotes and delivers a token from the forked chain", async () => {
    const [destination, origin] = network.chains;
    const client = createServiceClient({ baseUrl: network.url });
    const quote = await getQuote(client, {
      user: network.accounts.user.address,
      recipient: HOLDER,
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: zeroAddress,
      destinationCurrency: FOREIGN.address,
      tradeType: "EXACT_INPUT",
      amount: parseEther("1").toString(),
    });
    const { status } = await executeSteps(client, {
      quote,
      wallet: userWallet(network, origin),
      trust: network.trust,
      pollIntervalMs: 25,
    });
    expect(status.status).to.equal("success");
    const balanceOf = { address: FOREIGN.address, abi: erc20Abi, functionName: "balanceOf" } as const;
    expect(await readContract(reader(destination), { ...balanceOf, args: [HOLDER] })).to.equal(
      BigInt(quote.details.currencyOut.amount),
    );
    await destination.fund(HOLDER, FOREIGN.symbol, 5n);
    expect(await readContract(reader(destination), { ...balanceOf, args: [HOLDER] })).to.equal(
      BigInt(quote.details.currencyOut.amount) + 5n,
    );
  });

  it("rejects a token whose decimals differ from its contract's", async () => {
    const chains = [{ id: 10, forkUrl: upstreamUrl, forkBlock }, { id: 31_451 }];
    for (const [token, reason] of [
      [{ ...FOREIGN, decimals: 18 }, "the token has 6 decimals"],
      [{ ...FOREIGN, address: fork.contracts.router }, "the contract at this address is not a token"],
    ] as const) {
      expect(await failureOf(localnet({ chains, tokens: [token] }))).to.include({ field: "tokens", reason });
    }
  });

  it("is accepted, unlike nodes that cannot be forked", async () => {
    const log = createLog("silent");
    for (const source of [{ forkUrl: "http://127.0.0.1:9" }, { forkUrl: upstreamUrl, forkBlock: forkBlock + 1_000 }]) {
      const failure = await failureOf(startChain({ id: 10, ...source }, log));
      expect(failure).to.include({ code: "CHAIN_ERROR", chainId: 10 });
    }
    const key = "0123456789abcdef0123456789abcdef";
    const url = `http://me:${key}@127.0.0.1:9/v2/${key}`;
    for (const source of [{ forkUrl: url }, { rpcUrl: url }]) {
      const failure = await failureOf(startChain({ id: 10, ...source }, log));
      expect(failure).to.include({ code: "CHAIN_ERROR", chainId: 10 });
      expect(inspect(failure, { depth: 20 }))
        .to.match(/REDACTED|\[api key\]/u)
        .and.not.include(key);
    }
  });
});
