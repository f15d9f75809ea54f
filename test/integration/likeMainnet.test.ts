import { expect } from "chai";
import { type Address, erc20Abi, type Hash, parseAbi, parseEther, parseGwei, parseUnits, zeroAddress } from "viem";
import { readContract, sendTransaction } from "viem/actions";

import type { LocalnetChain } from "../../packages/crosscall/src/localnet/index.ts";
import type { ChainEntry } from "../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import { attest } from "../../packages/sdk/src/attestation.ts";
import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import { getQuote } from "../support/complete.ts";
import { until } from "../support/until.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { failureOf } from "./support/failureOf.ts";
import { reader, userWallet } from "./support/parties.ts";
import { get } from "./support/serviceCalls.ts";

// Addresses from the issuers' lists of contracts and from block explorers.
const ETHEREUM_USDC: Address = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const ETHEREUM_USDT: Address = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const BASE_USDC: Address = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const BSC_USDC: Address = "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d";
const BSC_WBNB: Address = "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c";
const AERO: Address = "0x940181a94A35A4569E4529A3CDfB74e38FD98631";

const TOKEN_ABI = parseAbi([
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function approve(address spender, uint256 amount)",
]);

describe("a network configured like mainnet", () => {
  const network = useNetwork({
    like: "mainnet",
    chains: [
      { id: 8_453, blockTimeMs: 0 },
      { id: 1, blockTimeMs: 0, finality: { blocks: 4 } },
      { id: 56, blockTimeMs: 200, finality: {} },
    ],
    tokens: [{ chainId: 8_453, address: AERO, symbol: "AERO", decimals: 18, priceUsd: 1.25 }],
  });
  const chain = (id: number): LocalnetChain => {
    const found = network.chains.find((one) => one.id === id);
    if (found === undefined) throw new Error(`no chain ${id}`);
    return found;
  };
  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  const balanceOf = (chainId: number, address: Address, holder: Address): Promise<bigint> =>
    readContract(reader(chain(chainId)), { address, abi: erc20Abi, functionName: "balanceOf", args: [holder] });

  /** @returns the amount that the recipient received */
  const execute = async (
    from: readonly [chainId: number, currency: Address],
    to: readonly [chainId: number, currency: Address],
    amount: bigint,
    change: Partial<QuoteRequest> = {},
  ): Promise<bigint> => {
    const user = network.accounts.user.address;
    const recipient = network.accounts.stranger.address;
    const before = await balanceOf(...to, recipient);
    const quote = await getQuote(client(), {
      user,
      recipient,
      originChainId: from[0],
      originCurrency: from[1],
      destinationChainId: to[0],
      destinationCurrency: to[1],
      tradeType: "EXACT_INPUT",
      amount: amount.toString(),
      ...change,
    });
    const { status } = await executeSteps(client(), {
      quote,
      wallet: userWallet(network, chain(from[0])),
      trust: network.trust,
      pollIntervalMs: 25,
    });
    expect(status.status).to.equal("success");
    const received = (await balanceOf(...to, recipient)) - before;
    expect(received.toString()).to.equal(quote.details.currencyOut.amount);
    return received;
  };

  it("lists the chains with the names, explorers and currencies of the live chains", async () => {
    const { body } = await get(network, "/chains");
    const { chains } = body as { chains: ChainEntry[] };
    const base = chains.find(({ name }) => name === "base");
    expect(base).to.deep.include({
      id: 8_453,
      displayName: "Base",
      explorerUrl: "https://basescan.org",
      explorerName: "BaseScan",
    });
    const dollar = base?.erc20Currencies.find(({ symbol }) => symbol === "USDC");
    expect(dollar?.address).to.equal(BASE_USDC.toLowerCase());
    const bsc = chains.find(({ name }) => name === "bsc");
    expect(bsc?.currency).to.include({ symbol: "BNB", decimals: 18 });
    expect(bsc?.protocol?.v2?.chainId).to.equal("bnb");
  });

  it("has the live chains' tokens with their signing domains", async () => {
    const facts = async (chainId: number, address: Address) => {
      const contract = { address, abi: erc20Abi } as const;
      const node = reader(chain(chainId));
      return Promise.all([
        readContract(node, { ...contract, functionName: "name" }),
        readContract(node, { ...contract, functionName: "symbol" }),
        readContract(node, { ...contract, functionName: "decimals" }),
      ]);
    };
    expect(await facts(8_453, BASE_USDC)).to.deep.equal(["USD Coin", "USDC", 6]);
    expect(await facts(1, ETHEREUM_USDT)).to.deep.equal(["Tether USD", "USDT", 6]);
    expect(await facts(56, BSC_USDC)).to.deep.equal(["USD Coin", "USDC", 18]);
    expect(await facts(56, BSC_WBNB)).to.deep.equal(["Wrapped BNB", "WBNB", 18]);
    const separatorOf = (chainId: number, address: Address) =>
      readContract(reader(chain(chainId)), { address, abi: TOKEN_ABI, functionName: "DOMAIN_SEPARATOR" });
    // Values that the live contracts return.
    expect(await separatorOf(1, ETHEREUM_USDC)).to.equal(
      "0x06c37168a7db5138defc7866392bb87a741f9b3d104deb5094588ce041cae335",
    );
    expect(await separatorOf(8_453, BASE_USDC)).to.equal(
      "0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f",
    );
  });

  it("fills a request for live tokens that is paid with a permit of the dollar token", async () => {
    await chain(8_453).fund(network.accounts.user.address, BASE_USDC, parseUnits("100", 6));
    const received = await execute([8_453, BASE_USDC], [1, ETHEREUM_USDC], parseUnits("100", 6), { usePermit: true });
    expect(received > parseUnits("90", 6)).to.equal(true);
  });

  it("transfers tokens with each chain's decimals", async () => {
    await chain(56).fund(network.accounts.user.address, BSC_USDC, parseEther("50"));
    const received = await execute([56, BSC_USDC], [8_453, BASE_USDC], parseEther("50"));
    expect(received > parseUnits("45", 6) && received < parseUnits("50", 6)).to.equal(true);
  });

  it("sells a token with Tether's approval rule", async () => {
    const { user } = network.accounts;
    const wallet = userWallet(network, chain(1));
    await chain(1).fund(user.address, ETHEREUM_USDT, parseUnits("30", 6));
    const received = await execute([1, ETHEREUM_USDT], [8_453, AERO], parseUnits("30", 6));
    // At 1.25 dollars.
    expect(received > parseEther("22") && received < parseEther("24")).to.equal(true);
    const approve = (amount: bigint) =>
      wallet.writeContract({ address: ETHEREUM_USDT, abi: TOKEN_ABI, functionName: "approve", args: [AERO, amount] });
    await approve(1n);
    await approve(2n).then(
      () => expect.fail("the allowance changed"),
      (error: unknown) => expect(String(error)).to.contain("revert"),
    );
  });

  it("keeps the live chain's gas price, regardless of the gas that blocks use", async () => {
    const node = reader(chain(8_453));
    await chain(8_453).mine({ blocks: 20 });
    expect(await node.getGasPrice()).to.equal(parseGwei("0.01"));
    expect(await node.estimateMaxPriorityFeePerGas()).to.equal(parseGwei("0.001"));
    expect((await node.getBlock()).baseFeePerGas).to.equal(parseGwei("0.009"));
  });

  it("mines transactions after the block time, and mines no empty blocks", async () => {
    const wallet = userWallet(network, chain(56));
    const node = reader(chain(56));
    const first = await node.getBlockNumber();
    const send = () => sendTransaction(wallet, { to: zeroAddress, value: 1n });
    const hash = await send();
    expect(await node.getTransactionReceipt({ hash }).catch(() => undefined)).to.equal(undefined);
    const last = await send();
    // viem's waitForTransactionReceipt can miss the last block of a chain that mines no empty blocks.
    const receiptOf = (sent: Hash) => until(() => node.getTransactionReceipt({ hash: sent }).catch(() => undefined));
    const receipts = [await receiptOf(hash), await receiptOf(last)];
    expect(receipts.map(({ status }) => status)).to.deep.equal(["success", "success"]);
    const { blockNumber: end } = await receiptOf(await send());
    // The network's own transactions can be in these blocks.
    const numbers = Array.from({ length: Number(end - first) }, (_, index) => first + 1n + BigInt(index));
    const blocks = await Promise.all(numbers.map((blockNumber) => node.getBlock({ blockNumber })));
    expect(blocks).to.not.be.empty;
    expect(blocks.filter(({ transactions }) => transactions.length === 0)).to.deep.equal([]);
  });

  it("fills before the deposit is final, and attests only after it", async () => {
    const base = chain(8_453);
    const node = reader(base);
    const quote = await getQuote(client(), {
      user: network.accounts.user.address,
      originChainId: 8_453,
      originCurrency: zeroAddress,
      destinationChainId: 1,
      destinationCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      amount: parseEther("0.1").toString(),
    });
    const { transactions } = await executeSteps(client(), {
      quote,
      wallet: userWallet(network, base),
      trust: network.trust,
      pollIntervalMs: 25,
    });
    const transactionId = transactions[0]!.txHash;
    const { blockNumber: depositBlock } = await node.getTransactionReceipt({ hash: transactionId });
    const oracle = createServiceClient({ baseUrl: network.oracle!.url, apiKey: network.apiKey, retry: false });
    const attestDeposit = () => attest(oracle, "depository-deposits/v1", { chainId: "base", transactionId });
    const finalBlock = async () => (await node.getBlock({ blockTag: "finalized" })).number;
    expect(await failureOf(attestDeposit())).to.include({ status: 400 });
    expect((await finalBlock()) < depositBlock).to.equal(true);

    await node.request({ method: "evm_increaseTime", params: [900] } as never);
    await until(async () => (await finalBlock()) >= depositBlock);
    const { messages } = await attestDeposit();
    expect(messages.map(({ result }) => result.amount)).to.deep.equal([parseEther("0.1").toString()]);
    // The chain mined one block for this, and mines no others.
    expect((await node.getBlockNumber()) - (await finalBlock())).to.equal(1n);
  });

  it("lets blocks become final at a given depth", async () => {
    const node = reader(chain(1));
    const { blockNumber } = await chain(1).mine();
    const numberOf = async (blockTag: "finalized" | "safe") => Number((await node.getBlock({ blockTag })).number);
    expect([await numberOf("safe"), await numberOf("finalized")]).to.deep.equal([blockNumber - 2, blockNumber - 4]);
    const holder: Address = "0x5555555555555555555555555555555555555555";
    await sendTransaction(userWallet(network, chain(1)), { to: holder, value: 1n });
    const balances = () =>
      Promise.all(
        (["latest", "safe", "finalized"] as const).map((blockTag) => node.getBalance({ address: holder, blockTag })),
      );
    expect(await balances()).to.deep.equal([1n, 0n, 0n]);
    await chain(1).mine({ blocks: 2 });
    expect(await balances()).to.deep.equal([1n, 1n, 0n]);
    await chain(1).mine({ blocks: 2 });
    expect(await balances()).to.deep.equal([1n, 1n, 1n]);
  });

  it("continues from a snapshot", async () => {
    const copy = await network.fork();
    try {
      const { body } = await get(copy, "/chains");
      const { chains } = body as { chains: ChainEntry[] };
      expect(chains.map(({ name }) => name)).to.include.members(["base", "ethereum", "bsc"]);
      const [base, ethereum] = copy.chains;
      const [latest, final] = await Promise.all([
        reader(ethereum).getBlock(),
        reader(ethereum).getBlock({ blockTag: "finalized" }),
      ]);
      expect(latest.number - final.number).to.equal(4n);
      expect(await reader(base).getGasPrice()).to.equal(parseGwei("0.01"));
      expect(
        await readContract(reader(base), {
          address: BASE_USDC,
          abi: erc20Abi,
          functionName: "balanceOf",
          args: [network.solver],
        }),
      ).to.equal(await balanceOf(8_453, BASE_USDC, network.solver));
    } finally {
      await copy.close();
    }
  });
});
