import { inspect } from "node:util";

import { expect } from "chai";
import {
  type Address,
  concat,
  erc20Abi,
  type Hex,
  numberToHex,
  parseAbi,
  parseEther,
  parseUnits,
  zeroAddress,
  zeroHash,
} from "viem";
import { getCode, getStorageAt, readContract, waitForTransactionReceipt, writeContract } from "viem/actions";

import { deploy } from "../../packages/protocol/src/chains/deploy.ts";

import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { planContracts } from "../../packages/crosscall/src/localnet/devchain/contracts.ts";
import type { GivenToken } from "../../packages/crosscall/src/localnet/devchain/likeMainnet.ts";
import { findLiveChain } from "../../packages/crosscall/src/localnet/devchain/liveChains.ts";
import { localNodeRequest } from "../../packages/crosscall/src/localnet/devchain/node.ts";
import { placeTokens } from "../../packages/crosscall/src/localnet/devchain/placeTokens.ts";
import { readPublished } from "../../packages/crosscall/src/localnet/devchain/published.ts";
import { startChain } from "../../packages/crosscall/src/localnet/devchain/startChain.ts";
import { localAccounts, localnet, type LocalnetChain } from "../../packages/crosscall/src/localnet/index.ts";
import { createLog } from "../../packages/crosscall/src/localnet/log.ts";
import { getQuote } from "../support/complete.ts";
import { misbehavingNode } from "../../packages/crosscall/src/testing/misbehaving/misbehavingNode.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { failureOf } from "./support/failureOf.ts";
import { get } from "./support/serviceCalls.ts";
import { reader, userWallet } from "./support/parties.ts";
import { startAnvil, stopPrograms } from "./support/processes.ts";

const UPSTREAM_ID = 31_450;
const HOLDER: Address = "0x4444444444444444444444444444444444444444";
/** Code that a stranger set on an account with a public private key. It reverts every call. */
const STRANGE_CODE = "0xfe";

/** Token of the forked chain without a public mint function. */
const FOREIGN = { chainId: 10, address: planContracts().contracts.vault, symbol: "vUSDC", decimals: 6, priceUsd: 1 };

/** Uniswap's factories on Optimism, from its documentation. */
const UNISWAP_V3: Address = "0x1F98431c8aD98523631AE4a59f267346ea31F984";
const UNISWAP_V2: Address = "0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf";

const tokenAt = (address: Address, symbol: string): { chainId: number } & GivenToken => ({
  chainId: 10,
  address,
  symbol,
  name: symbol,
  decimals: 18,
  priceUsdE18: parseEther("1.25"),
  code: "LiveToken",
});

/** Token with a pool of 10 million dollars per side, at 1.25 dollars, in Uniswap v3. */
const POOLED = tokenAt("0x9560e827aF36c94D2Ac33a39bCE1Fe78631088Db", "VELO");
/** Token with a pool in Uniswap v2 only. */
const PAIRED = tokenAt("0x8700dAec35aF8Ff88c16BdF0418774CB3D7599B4", "SNX");

const unpriced = ({ chainId, address, symbol, decimals }: typeof POOLED) => ({ chainId, address, symbol, decimals });

const FACTORY_V2_ABI = parseAbi([
  "function createPair(address, address) returns (address)",
  "function getPair(address, address) view returns (address)",
]);
const FACTORY_V3_ABI = parseAbi(["function getPool(address, address, uint24) view returns (address)"]);
const MINT_ABI = parseAbi(["function mint(address, uint256)"]);
const PAIR_ABI = parseAbi(["function mint(address) returns (uint256)"]);

describe("a network with a fork", () => {
  let fork: LocalnetChain;
  let upstreamUrl: string;
  let forkBlock: number;

  const network = useNetwork(async () => {
    upstreamUrl = (await startAnvil(UPSTREAM_ID)).ready;
    // The forked chain already has contracts and balances from an earlier network.
    const upstream = await startChain({ id: UPSTREAM_ID, rpcUrl: upstreamUrl }, createLog("silent"));
    await upstream.controls.fund(HOLDER, "USDT", 77n);
    await addPools(upstreamUrl);
    // The node must have the state of earlier blocks.
    forkBlock = (await upstream.controls.mine({ blocks: 60 })).blockNumber;
    await upstream.controls.fund(HOLDER, "USDT", 1_000n);
    await upstream.close();
    const client = chainClient(UPSTREAM_ID, upstreamUrl);
    await client.request({
      method: "hardhat_setCode",
      params: [localAccounts.user.address, STRANGE_CODE],
    } as never);
    return {
      chains: [{ id: 10, forkUrl: upstreamUrl, forkBlock }, { id: 31_451 }],
      tokens: [FOREIGN, unpriced(POOLED), unpriced(PAIRED)],
    };
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

  it("reads missing prices from the Uniswap v3 or v2 pools of the forked chain", async () => {
    const { body } = await get(network, "/prices/rates");
    const { VELO, SNX } = body as Record<string, number>;
    expect(Math.abs(VELO! - 1.25)).to.be.below(1e-6);
    expect(Math.abs(SNX! - 2.5)).to.be.below(1e-6);
  });

  it("compares the price with an earlier block, unless the node does not have its state", async () => {
    const given = { ...POOLED, priceUsdE18: undefined };
    const live = findLiveChain(10)!;
    const start = (forkUrl: string) =>
      startChain({ id: 10, forkUrl, forkBlock }, createLog("silent"), { live, given: [given] });
    await using pruned = await misbehavingNode("pruned", { rpcUrl: upstreamUrl });
    await (await start(pruned.url)).close();
    const key = "0123456789abcdef0123456789abcdef";
    await using limited = await misbehavingNode("rateLimited", {
      rpcUrl: upstreamUrl,
      every: 1,
      methods: ["eth_call"],
    });
    const failure = await failureOf(start(`${limited.url}/v2/${key}`));
    expect(failure).to.include({ code: "CHAIN_ERROR", chainId: 10 });
    expect(inspect(failure, { depth: 20 })).to.not.include(key);
  });

  it("rejects a token without a deep pool, or whose price was manipulated before the fork", async () => {
    const client = chainClient(UPSTREAM_ID, upstreamUrl);
    const start = async ({ priceUsd: _price, ...token }: typeof FOREIGN) => {
      const latest = Number(await client.getBlockNumber());
      const chains = [{ id: 10, forkUrl: upstreamUrl, forkBlock: latest }, { id: 31_451 }];
      return failureOf(localnet({ chains, tokens: [token] }));
    };
    expect(await start(FOREIGN)).to.include({
      code: "INVALID_INPUT",
      field: "tokens.priceUsd",
      reason:
        "the price of vUSDC is not known, and no Uniswap pool on the fork has at least 10000 US dollars against it",
    });

    const [, , weth] = findLiveChain(10)!.tokens;
    const args = [POOLED.address, weth!.address, 3_000] as const;
    const pool = await readContract(client, {
      address: UNISWAP_V3,
      abi: FACTORY_V3_ABI,
      functionName: "getPool",
      args,
    });
    // The lowest 160 bits of the first word are the square root of the price.
    const word = BigInt((await getStorageAt(client, { address: pool, slot: zeroHash })) ?? 0);
    const root = word % 2n ** 160n;
    const moved = numberToHex(word - root + (root * 3n) / 4n, { size: 32 });
    await localNodeRequest(client, "hardhat_setStorageAt", [pool, zeroHash, moved]);
    await localNodeRequest(client, "evm_mine", []);
    expect(await start({ ...unpriced(POOLED), priceUsd: 1 })).to.include({
      field: "tokens.priceUsd",
      reason: "the price of VELO changed by more than 20% in the 50 blocks before the fork",
    });
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

/** Deploys the pools of Optimism's Uniswap v3 and v2 on the chain that is forked. */
async function addPools(rpcUrl: string): Promise<void> {
  const live = findLiveChain(10)!;
  const log = createLog("silent");
  const chain = await startChain({ id: UPSTREAM_ID, rpcUrl }, log, { live, given: [POOLED] });
  await chain.close();
  const client = chainClient(UPSTREAM_ID, rpcUrl, localAccounts.deployer);
  // The factory does not run at another address, so this code passes calls on to it.
  const { uniswapFactory } = chain.chain.contracts;
  const forwarder = concat(["0x363d3d373d3d3d363d73", uniswapFactory, "0x5afa3d82803e903d91602b57fd5bf3"]);
  await localNodeRequest(client, "hardhat_setCode", [UNISWAP_V3, forwarder]);

  const { abi, bytecode } = readPublished("@uniswap/v2-core/build/UniswapV2Factory.json");
  const artifact = { abi, bytecode: `0x${bytecode}` as Hex };
  const instance = await deploy(client, { artifact, args: [zeroAddress] });
  await localNodeRequest(client, "hardhat_setCode", [UNISWAP_V2, await getCode(client, { address: instance })]);
  const [dollar] = live.tokens;
  await placeTokens(client, [{ ...PAIRED, priceUsdE18: 0n }]);
  const factory = { address: UNISWAP_V2, abi: FACTORY_V2_ABI } as const;
  const pairOf = [PAIRED.address, dollar!.address] as const;
  const done = async (hash: Promise<Hex>) => waitForTransactionReceipt(client, { hash: await hash });
  await done(writeContract(client, { ...factory, functionName: "createPair", args: pairOf }));
  const pair = await readContract(client, { ...factory, functionName: "getPair", args: pairOf });
  const mint = { abi: MINT_ABI, functionName: "mint" } as const;
  await done(writeContract(client, { ...mint, address: PAIRED.address, args: [pair, parseEther("40000")] }));
  await done(writeContract(client, { ...mint, address: dollar!.address, args: [pair, parseUnits("100000", 6)] }));
  await done(writeContract(client, { address: pair, abi: PAIR_ABI, functionName: "mint", args: [zeroAddress] }));
}
