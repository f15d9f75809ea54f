import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { expect } from "chai";
import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex, pad } from "viem";

import {
  AbortedError,
  ChainError,
  InvalidInputError,
  WrongChainError,
} from "../../../packages/protocol/src/core/errors.ts";
import { chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/index.ts";
import { readTokenBalance, BalanceUnwritableError, createDeal } from "../../../packages/crosscall/src/replay/deal.ts";
import { EngineError } from "../../../packages/crosscall/src/replay/fork/fork.ts";
import { openFork } from "../../../packages/crosscall/src/replay/fork/openFork.ts";
import { StateUnavailableError } from "../../../packages/crosscall/src/replay/fork/rpcCacheProxy.ts";
import { preparePlanned } from "../../../packages/crosscall/src/replay/prepare/preparedFill.ts";
import { accountsOfPlan, replay } from "../../../packages/crosscall/src/replay/replay.ts";
import { traceTransaction } from "../../../packages/crosscall/src/replay/fork/runTransaction.ts";
import { failureOf } from "../support/failureOf.ts";
import { callTo, type LiveChain, RECIPIENT, startLiveChain } from "../support/liveChain.ts";
import { startAnvil, stopPrograms } from "../support/processes.ts";
import { vaultPlan } from "./support/vaultPlan.ts";
import { startWatchedRpcProxy } from "./support/watchedRpcProxy.ts";

/** RPC methods that do not change a chain. */
const READS = ["eth_chainId", "eth_getBlockByNumber", "eth_getCode", "eth_getBalance", "eth_getStorageAt"];

const CHAIN_ID = 31_474;
const MINT = "function mint(address to, uint256 amount)";

/**
 * Code that stores each balance in its account's slot, with a flag in the top bit: sload(calldataload(4)) << 1 >>
 * 1.
 */
const FLAGGED: Address = "0x00000000000000000000000000000000000000a8";
const FLAGGED_CODE: Hex = "0x6004355460011b60011c5f5260205ff3";

const SOLVER = localAccounts.solver.address;

async function executeFill(...parameters: Parameters<typeof preparePlanned>) {
  return (await preparePlanned(...parameters)).execution;
}

describe("a fork of a live chain", () => {
  let live: LiveChain;
  let folder: string;

  before(async () => {
    live = await startLiveChain(CHAIN_ID);
    folder = await mkdtemp(join(tmpdir(), "crosscall-replay-"));
  });
  after(async () => {
    await stopPrograms();
    await rm(folder, { recursive: true, force: true });
  });

  it("runs a fill as the chain does, and reads the chain without writing to it", async () => {
    const before = await live.client.getBlock();
    const proxy = await startWatchedRpcProxy(live.rpcUrl);
    const fork = await openFork({ rpcUrl: proxy.url, chainId: CHAIN_ID });
    const plan = vaultPlan(live);
    const fill = await executeFill(fork, { plan, amount: 1_000n, deal: createDeal(fork) });
    expect(fill.success).to.equal(true);
    expect(fork.block.number).to.equal(before.number);
    await fork.request("hardhat_setBalance", [RECIPIENT, "0x1"]);
    await fork.close();
    await proxy.close();

    const after = await live.client.getBlock();
    expect(after.hash).to.equal(before.hash);
    expect(await live.client.getBalance({ address: RECIPIENT })).to.equal(0n);
    expect([...new Set(proxy.methods)]).to.have.members([...READS, "eth_getTransactionCount"]);
  });

  it("uses the same gas as the fill on the chain, even if the fill fails", async () => {
    const { dollar, router } = live.contracts;
    const plan = vaultPlan(live);
    const fork = await openFork({ rpcUrl: live.rpcUrl });
    const deal = createDeal(fork);
    for (const amount of [1_000n, 989n]) {
      const fill = await executeFill(fork, { plan, amount, deal });
      const snapshot = await live.request("evm_snapshot");
      await live.send(callTo(dollar, MINT, router, amount));
      const hash = await live.submit(SOLVER, { to: router, data: fill.frame.input });
      const receipt = await live.client.waitForTransactionReceipt({ hash });
      await live.request("evm_revert", [snapshot]);
      expect([fill.success, fill.gasUsed]).to.deep.equal([receipt.status === "success", receipt.gasUsed]);
    }
    await fork.close();
  });

  it("sends few requests to a remote chain, in batches", async () => {
    const proxy = await startWatchedRpcProxy(live.rpcUrl, () => setTimeout(40));
    const plan = vaultPlan(live);
    const fork = await openFork({ rpcUrl: proxy.url, accounts: accountsOfPlan(plan) });
    const fill = await executeFill(fork, { plan, amount: 1_000n, deal: createDeal(fork) });
    const asked = fork.remoteCalls;
    const again = await executeFill(fork, { plan, amount: 999n, deal: createDeal(fork) });
    expect([fill.success, again.success]).to.deep.equal([true, true]);
    expect(asked).to.be.lessThan(20);
    expect(fork.remoteCalls).to.equal(asked);
    await fork.close();
    await proxy.close();
  });

  it("discards state changes after an isolated run", async () => {
    const fork = await openFork({ rpcUrl: live.rpcUrl });
    const inside = await fork.isolate(async () => {
      await fork.request("hardhat_setBalance", [RECIPIENT, "0x7"]);
      return fork.client.getBalance({ address: RECIPIENT });
    });
    expect(inside).to.equal(7n);
    expect(await fork.client.getBalance({ address: RECIPIENT })).to.equal(0n);
    await fork.close();
  });

  it("uses the time, base fee, miner and randomness of the next block", async () => {
    const blockNumber = (await live.client.getBlockNumber()) - 1n;
    const next = await live.client.getBlock({ blockNumber: blockNumber + 1n });
    const fork = await openFork({ rpcUrl: live.rpcUrl, blockNumber });
    const block = await fork.client.getBlock();
    const seen = [block.number, block.timestamp, block.baseFeePerGas, block.miner, block.mixHash, block.gasLimit];
    expect(seen).to.deep.equal([
      next.number,
      next.timestamp,
      next.baseFeePerGas,
      next.miner,
      next.mixHash,
      next.gasLimit,
    ]);
    await fork.close();
  });

  it("runs again from its disk cache, without the chain", async () => {
    const cacheFolder = join(folder, "cut");
    const plan = vaultPlan(live);
    const blockNumber = await live.client.getBlockNumber();
    let isCut = false;
    const proxy = await startWatchedRpcProxy(live.rpcUrl, () => (isCut ? "hang up" : undefined));
    const run = async () => {
      const fork = await openFork({ rpcUrl: proxy.url, blockNumber, cacheFolder });
      try {
        const { success, gasUsed, frame } = await executeFill(fork, { plan, amount: 995n, deal: createDeal(fork) });
        return { success, gasUsed, frame };
      } finally {
        await fork.close();
      }
    };
    const first = await run();
    const asked = proxy.methods.length;
    expect(await run()).to.deep.equal(first);
    // The fork requests only the chain id and the block, to check that the chain is still the same.
    expect(proxy.methods.slice(asked)).to.have.members([
      "eth_chainId",
      "eth_getBlockByNumber",
      "eth_getCode",
      "eth_getBlockByNumber",
    ]);
    isCut = true;
    expect(await run()).to.deep.equal(first);
    await proxy.close();
  });

  it("runs blocks of an OP Stack chain, even without its base fee parameters", async () => {
    const { ready } = await startAnvil(10, "--optimism");
    const chain = chainClient(10, ready);
    // Contract in which OP Stack chains store Ethereum's state.
    const place = ["0x4200000000000000000000000000000000000015", "0x00"];
    await chain.request({ method: "anvil_setCode", params: place } as never);
    const fork = await openFork({ rpcUrl: ready });
    await fork.request("hardhat_setBalance", [RECIPIENT, numberToHex(10n ** 18n)]);
    const sent = { from: RECIPIENT, to: SOLVER, value: 5n, data: "0x" } as const;
    const { success, gasUsed } = await traceTransaction(fork, sent);
    expect([success, gasUsed]).to.deep.equal([true, 21_000n]);
    await fork.close();
  });

  describe("rejects, with a hint,", () => {
    it("a chain other than the selected chain", async () => {
      const error = await failureOf(openFork({ rpcUrl: live.rpcUrl, chainId: 10 }));
      expect(error).to.be.instanceOf(WrongChainError).and.include({ expectedChainId: 10, actualChainId: CHAIN_ID });
    });

    it("a missing block", async () => {
      const error = await failureOf(openFork({ rpcUrl: live.rpcUrl, blockNumber: 1_000_000n }));
      expect(error).to.be.instanceOf(InvalidInputError).and.include({ field: "blockNumber", value: "1000000" });
    });

    it("a chain that does not respond", async () => {
      const proxy = await startWatchedRpcProxy(live.rpcUrl, () => "hang up");
      const error = await failureOf(openFork({ rpcUrl: proxy.url, chainId: CHAIN_ID }));
      expect(error).to.be.instanceOf(ChainError).and.include({ chainId: CHAIN_ID });
      await proxy.close();
    });

    it("a block with pruned state", async () => {
      const pruned = { error: { code: -32_000, message: "missing trie node 6b (path 07) state 0x is not available" } };
      const proxy = await startWatchedRpcProxy(live.rpcUrl, (method) =>
        method === "eth_getStorageAt" ? pruned : undefined,
      );
      const fork = await openFork({ rpcUrl: proxy.url });
      const run = executeFill(fork, { plan: vaultPlan(live), amount: 1_000n, deal: createDeal(fork) });
      const error = await failureOf(run);
      expect(error)
        .to.be.instanceOf(StateUnavailableError)
        .and.include({ chainId: CHAIN_ID, blockNumber: fork.block.number.toString() });
      await fork.close();
      await proxy.close();
    });

    it("a chain that rejects reads", async () => {
      const refused = { error: { code: -32_000, message: "not allowed" } };
      const proxy = await startWatchedRpcProxy(live.rpcUrl, (method) =>
        method === "eth_getStorageAt" ? refused : undefined,
      );
      const fork = await openFork({ rpcUrl: proxy.url });
      const run = executeFill(fork, { plan: vaultPlan(live), amount: 1_000n, deal: createDeal(fork) });
      expect(await failureOf(run))
        .to.be.instanceOf(ChainError)
        .and.include({ chainId: CHAIN_ID });
      await fork.close();
      await proxy.close();
    });

    it("a call that fails transiently, and succeeds when retried", async () => {
      const refused = { error: { code: -32_000, message: "not allowed" } };
      let isBusy = true;
      const proxy = await startWatchedRpcProxy(live.rpcUrl, (method) =>
        isBusy && method === "eth_getBalance" ? refused : undefined,
      );
      const fork = await openFork({ rpcUrl: proxy.url, accounts: [RECIPIENT] });
      isBusy = false;
      expect(BigInt((await fork.request("eth_getBalance", [RECIPIENT, "latest"])) as string)).to.equal(0n);
      const { to, data } = callTo(live.contracts.dollar, "function transfer(address to, uint256 amount)", SOLVER, 1n);
      const reverting = fork.request("eth_call", [{ from: RECIPIENT, to, data }, "latest"]);
      expect(await failureOf(reverting)).to.be.instanceOf(EngineError);
      await fork.close();
      await proxy.close();
    });

    it("a chain that fails midway, and keeps the state read until then", async () => {
      const cacheFolder = join(folder, "dies");
      const plan = vaultPlan(live);
      const blockNumber = await live.client.getBlockNumber();
      let passes = 12;
      const proxy = await startWatchedRpcProxy(live.rpcUrl, () => (passes-- > 0 ? undefined : "hang up"));
      const start = () => openFork({ rpcUrl: proxy.url, blockNumber, cacheFolder });
      const dying = await start();
      const run = executeFill(dying, { plan, amount: 1_000n, deal: createDeal(dying) });
      expect(await failureOf(run)).to.be.instanceOf(ChainError);
      await dying.close();

      passes = Number.MAX_SAFE_INTEGER;
      proxy.methods.length = 0;
      const resumed = await start();
      const fill = await executeFill(resumed, { plan, amount: 1_000n, deal: createDeal(resumed) });
      const again = proxy.methods.length;
      await resumed.close();
      const fresh = await openFork({ rpcUrl: proxy.url, blockNumber });
      await executeFill(fresh, { plan, amount: 1_000n, deal: createDeal(fresh) });
      expect(fill.success).to.equal(true);
      expect(proxy.methods.length - again).to.be.greaterThan(again);
      await fresh.close();
      await proxy.close();
    });

    for (const [name, isAborted, expected] of [
      ["a chain that fails before the engine has started", false, ChainError],
      ["an abort before the engine has started", true, AbortedError],
    ] as const) {
      it(name, async () => {
        const stop = new AbortController();
        let blocks = 0;
        let last = Number.POSITIVE_INFINITY;
        const proxy = await startWatchedRpcProxy(live.rpcUrl, (method) => {
          if (method !== "eth_getBlockByNumber" || (blocks += 1) < last) return undefined;
          if (isAborted) stop.abort();
          return { error: { code: -32_000, message: "not allowed" } };
        });
        await (await openFork({ rpcUrl: proxy.url })).close();
        last = blocks;
        blocks = 0;
        expect(await failureOf(openFork({ rpcUrl: proxy.url, signal: stop.signal }))).to.be.instanceOf(expected);
        await proxy.close();
      });
    }

    it("an aborted call", async () => {
      const stop = new AbortController();
      const proxy = await startWatchedRpcProxy(live.rpcUrl, (method) => {
        if (method === "eth_getStorageAt") stop.abort();
        return undefined;
      });
      const fork = await openFork({ rpcUrl: proxy.url, signal: stop.signal });
      const run = executeFill(fork, { plan: vaultPlan(live), amount: 1_000n, deal: createDeal(fork) });
      expect(await failureOf(run)).to.be.instanceOf(AbortedError);
      await fork.close();
      await proxy.close();
    });
  });

  describe("sets an account's exact balance of", () => {
    const tokens: Record<string, () => Promise<Address>> = {
      "a token with a plain balance": () => Promise.resolve(live.contracts.dollar),
      "a token whose calls return no data": () => Promise.resolve(live.contracts.tether),
      "a token that charges a fee": () => Promise.resolve(live.contracts.feeToken),
      "wrapped native": () => Promise.resolve(live.contracts.wrappedNative),
      "a token that stores shares": async () => {
        const address = await live.deploy("mocks/RebasingToken");
        await live.send(callTo(address, "function rebase(uint256 index)", 5n * 10n ** 17n));
        return address;
      },
    };
    for (const [name, locate] of Object.entries(tokens)) {
      it(name, async () => {
        const token = await locate();
        const fork = await openFork({ rpcUrl: live.rpcUrl });
        const deal = createDeal(fork);
        const ofOthers = await readTokenBalance(fork, token, SOLVER);
        for (const amount of [1_002n, 0n, 7n * 10n ** 18n + 1n, 3n]) {
          await deal({ account: RECIPIENT, currency: token, amount });
          expect(await readTokenBalance(fork, token, RECIPIENT)).to.equal(amount);
          expect(await readTokenBalance(fork, token, SOLVER)).to.equal(ofOthers);
        }
        await fork.close();
      });
    }

    it("native currency", async () => {
      const fork = await openFork({ rpcUrl: live.rpcUrl });
      await createDeal(fork)({
        account: RECIPIENT,
        currency: "0x0000000000000000000000000000000000000000",
        amount: 5n,
      });
      expect(await fork.client.getBalance({ address: RECIPIENT })).to.equal(5n);
      await fork.close();
    });

    it("a token that stores flags above the balance, and keeps the flags", async () => {
      const flags = pad("0x80", { dir: "right", size: 32 });
      await live.request("anvil_setCode", [FLAGGED, FLAGGED_CODE]);
      await live.request("anvil_setStorageAt", [
        FLAGGED,
        pad(RECIPIENT),
        numberToHex(BigInt(flags) + 5n, { size: 32 }),
      ]);
      const fork = await openFork({ rpcUrl: live.rpcUrl });
      const deal = createDeal(fork);
      const give = (amount: bigint) => deal({ account: RECIPIENT, currency: FLAGGED, amount });
      const wordNow = () => fork.client.getStorageAt({ address: FLAGGED, slot: pad(RECIPIENT) });
      const most = 2n ** 255n - 1n;
      for (const amount of [0n, 1_002n, most]) {
        await give(amount);
        expect(await readTokenBalance(fork, FLAGGED, RECIPIENT)).to.equal(amount);
        expect(await wordNow()).to.equal(numberToHex(BigInt(flags) + amount));
      }
      // A balance that is one unit larger would set the flag.
      for (const account of [RECIPIENT, SOLVER]) {
        const error = await failureOf(deal({ account, currency: FLAGGED, amount: most + 1n }));
        expect(error).to.be.instanceOf(BalanceUnwritableError);
      }
      expect(await wordNow()).to.equal(numberToHex(BigInt(flags) + most));
      await fork.close();
    });

    it("a token without readable storage, by a transfer from a holder", async () => {
      const address = await live.deploy("mocks/MaskedToken");
      await live.send(callTo(address, MINT, SOLVER, 1_000n));
      const fork = await openFork({ rpcUrl: live.rpcUrl });
      const deal = createDeal(fork);
      for (const amount of [700n, 300n]) {
        await deal({ account: RECIPIENT, currency: address, amount, holders: [SOLVER] });
        expect(await readTokenBalance(fork, address, RECIPIENT)).to.equal(amount);
      }
      const error = await failureOf(deal({ account: RECIPIENT, currency: address, amount: 1_001n, holders: [SOLVER] }));
      expect(error).to.be.instanceOf(BalanceUnwritableError).and.include({ token: address, amount: "1001" });
      await fork.close();
    });

    it("a token without readable storage, in a replay with a given holder", async () => {
      const token = await live.deploy("mocks/MaskedToken");
      await live.send(callTo(token, MINT, SOLVER, 1_000n));
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [RECIPIENT, 700n] });
      const plan = {
        name: "masked",
        destinationChainId: CHAIN_ID,
        destinationCurrency: token,
        tradeType: "EXACT_OUTPUT",
        amount: "700",
        txs: [{ to: token, data, value: "0" }],
        recipient: RECIPIENT,
      } as const;
      const run = (holders: Address[]) =>
        replay({
          input: { kind: "plan", plan },
          rpcUrl: live.rpcUrl,
          holders,
          envelope: { from: 690n, to: 710n, steps: 3 },
          signal: new AbortController().signal,
        });
      const { verdict, envelope } = await run([SOLVER]);
      expect(verdict).to.deep.equal({ outcome: "success" });
      expect(envelope?.smallestWorking).to.equal(700n);
      expect(await failureOf(run([]))).to.be.instanceOf(BalanceUnwritableError);
    });
  });
});
