import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { type Address, erc20Abi, type Hex, numberToHex } from "viem";

import { InvalidInputError, InvalidStateError } from "../../../packages/protocol/src/core/errors.ts";
import { encodeFill } from "../../../packages/crosscall/src/replay/fillPlan.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/index.ts";
import type { CallFrame } from "../../../packages/crosscall/src/replay/trace/callFrame.ts";
import { createUpstream } from "../../../packages/crosscall/src/replay/fork/upstream.ts";
import {
  type PastTransaction,
  readPastTransaction,
} from "../../../packages/crosscall/src/replay/subject/pastTransaction.ts";
import { preparePast } from "../../../packages/crosscall/src/replay/prepare/preparePast.ts";
import { replay } from "../../../packages/crosscall/src/replay/replay.ts";
import { type FillOverrides, findReplayed } from "../../../packages/crosscall/src/replay/subject/findFill.ts";
import { failureOf } from "../support/failureOf.ts";
import { callTo, type LiveChain, RECIPIENT, startLiveChain } from "../support/liveChain.ts";
import { stopPrograms } from "../support/processes.ts";
import { vaultPlan } from "./support/vaultPlan.ts";
import { startWatchedRpcProxy } from "./support/watchedRpcProxy.ts";

const CHAIN_ID = 31_475;
const MINT = "function mint(address to, uint256 amount)";
/** An empty account. */
const STRANGER: Address = "0x00000000000000000000000000000000000000e1";
const ABSENT: Hex = `0x${"12".repeat(32)}`;
/** OP Stack contract that stores Ethereum's base fee and blob base fee, and the scalars for both fees. */
const L1_BLOCK: Address = "0x4200000000000000000000000000000000000015";
const L1_FEES = [
  [1n, 30_000_000_000n],
  [3n, (7_600n << 96n) | (810_949n << 64n)],
  [7n, 1_000_000_000n],
] as const;
const SOLVER = localAccounts.solver.address;

describe("a fill in a block", () => {
  let live: LiveChain;
  let hashes: Record<"works" | "fails" | "follows others", Hex>;

  before(async () => {
    live = await startLiveChain(CHAIN_ID);
    const { dollar, router } = live.contracts;
    const fillOf = (amount: bigint) => encodeFill(vaultPlan(live), amount);
    await live.send(callTo(dollar, MINT, router, 1_000n));
    const works = await live.submit(SOLVER, { to: router, data: fillOf(1_000n).data });
    await live.client.waitForTransactionReceipt({ hash: works });
    const fails = await live.submit(SOLVER, { to: router, data: fillOf(1_000n).data });
    await live.client.waitForTransactionReceipt({ hash: fails });
    // The transactions that the fill needs are in the same block, right before it.
    await live.request("evm_setAutomine", [false]);
    for (const { to, data } of [
      callTo(dollar, MINT, RECIPIENT, 5_000n),
      callTo(dollar, "function transfer(address to, uint256 amount)", router, 1_234n),
    ]) {
      await live.submit(RECIPIENT, { to, data });
    }
    const second = await live.submit(SOLVER, { to: router, data: fillOf(1_234n).data });
    await live.request("evm_mine");
    await live.request("evm_setAutomine", [true]);
    hashes = { works, fails, "follows others": second };
  });
  after(() => stopPrograms());

  const read = (hash: Hex, { rpcUrl } = live): Promise<PastTransaction> =>
    readPastTransaction(createUpstream({ rpcUrl, timeoutMs: 600_000, signal: new AbortController().signal }), hash);

  for (const name of ["works", "fails", "follows others"] as const) {
    it(`has the same outcome, gas, logs and balances in a replay if it ${name}`, async () => {
      const past = await read(hashes[name]);
      const receipt = await live.client.getTransactionReceipt({ hash: hashes[name] });
      const prepared = await preparePast({ past, rpcUrl: live.rpcUrl });
      const { execution, original, findings, fork } = prepared;
      expect(past.success).to.equal(name !== "fails");
      expect(original).to.deep.equal({
        hash: past.hash,
        blockNumber: receipt.blockNumber,
        success: receipt.status === "success",
        gasUsed: receipt.gasUsed,
        isReproduced: true,
      });
      expect(findings).to.deep.equal([]);
      expect([execution.success, execution.gasUsed]).to.deep.equal([past.success, receipt.gasUsed]);
      expect(logsOf(execution.frame)).to.deep.equal(
        receipt.logs.map(({ address, topics, data }) => [address.toLowerCase(), ...topics, data]),
      );
      const { vault } = live.contracts;
      const sharesAt = (blockNumber: bigint) =>
        live.client.readContract({
          address: vault,
          abi: erc20Abi,
          functionName: "balanceOf",
          args: [RECIPIENT] as const,
          blockNumber,
        });
      const sharesOnFork = () =>
        fork.client.readContract({ address: vault, abi: erc20Abi, functionName: "balanceOf", args: [RECIPIENT] });
      expect(await prepared.before(sharesOnFork)).to.equal(await sharesAt(receipt.blockNumber - 1n));
      expect(await prepared.after(sharesOnFork)).to.equal(await sharesAt(receipt.blockNumber));
      const block = await live.client.getBlock({ blockNumber: receipt.blockNumber });
      const seen = await prepared.after(() => fork.client.getBlock());
      expect([seen.number, seen.timestamp, seen.baseFeePerGas, seen.transactions.length]).to.deep.equal([
        block.number,
        block.timestamp,
        block.baseFeePerGas,
        block.transactions.length,
      ]);
      await fork.close();
    });
  }

  it("has a different outcome without the earlier transactions in its block", async () => {
    const past = await read(hashes["follows others"]);
    const { execution, original, findings, fork } = await preparePast({ past, rpcUrl: live.rpcUrl, exact: false });
    expect(execution.success).to.equal(false);
    expect(original?.isReproduced).to.equal(false);
    expect(findings.map(({ code }) => code)).to.deep.equal(["STATE_DIFFERS", "NOT_REPRODUCED"]);
    await fork.close();
  });

  /** Prepares a fill on a chain that returns a changed list of the block's transactions. */
  const prepareBehind = async (alter: (before: RawTransaction[], itself: RawTransaction) => RawTransaction[]) => {
    const past = await read(hashes["follows others"]);
    const block = (await live.request("eth_getBlockByHash", [past.blockHash, true])) as {
      readonly transactions: RawTransaction[];
    };
    const itself = block.transactions.at(-1) ?? {};
    const transactions = alter(block.transactions.slice(0, -1), itself);
    const proxy = await startWatchedRpcProxy(live.rpcUrl, (method) =>
      method === "eth_getBlockByHash" ? { result: { ...block, transactions } } : undefined,
    );
    try {
      return await preparePast({ past, rpcUrl: proxy.url });
    } finally {
      await proxy.close();
    }
  };

  it("runs after the earlier transactions that can be replayed, and reports transactions that cannot", async () => {
    const sent = { ...{ from: STRANGER, to: RECIPIENT, input: "0x", gas: "0x5208", nonce: "0x0" }, gasPrice: "0x0" };
    const prepared = await prepareBehind((before, itself) => [
      ...["0x7e", "0x6a", "0x7F"].map((type) => ({ ...sent, type, hash: ABSENT, value: "0x0" })),
      // The value exceeds the sender's balance, because the system transactions that funded the sender are not run.
      { ...sent, gasPrice: itself.gasPrice, type: "0x0", hash: ABSENT, value: "0x1" },
      // The gas price is below the block's base fee.
      { ...sent, type: "0x0", hash: ABSENT, value: "0x0" },
      ...before,
      itself,
    ]);
    const { original, findings, fork } = prepared;
    expect(original?.isReproduced).to.equal(true);
    expect(findings.map(({ code, severity }) => [code, severity])).to.deep.equal([["STATE_DIFFERS", "note"]]);
    const ran = await prepared.after(async () => (await fork.client.getBlock()).transactions.length);
    expect(ran).to.equal(3);
    await fork.close();
  });

  it("is rejected if the transaction that used the sender's previous nonce cannot be replayed", async () => {
    const nextNonce = ({ nonce = "0x0" }: RawTransaction) => numberToHex(BigInt(nonce) + 1n);
    const run = prepareBehind((before, itself) => [
      ...before,
      { ...itself, type: "0x7e", hash: ABSENT },
      { ...itself, nonce: nextNonce(itself) },
    ]);
    expect(await failureOf(run)).to.be.instanceOf(InvalidStateError);
  });

  it("is replayed from disk if the chain is unreachable", async () => {
    const cacheFolder = await mkdtemp(join(tmpdir(), "crosscall-replay-"));
    let isCut = false;
    const proxy = await startWatchedRpcProxy(live.rpcUrl, () => (isCut ? "hang up" : undefined));
    const run = () =>
      replay({
        input: { kind: "transaction", hash: hashes["follows others"] },
        overrides: { currency: live.contracts.dollar, amount: 1_234n },
        rpcUrl: proxy.url,
        cacheFolder,
        signal: new AbortController().signal,
      });
    const first = await run();
    isCut = true;
    expect(await run()).to.deep.equal(first);
    expect(first.original).to.include({ isReproduced: true });
    await proxy.close();
    await rm(cacheFolder, { recursive: true });
  });

  it("is found in its new block after a reorg replaces a replayed block", async () => {
    const cacheFolder = await mkdtemp(join(tmpdir(), "crosscall-replay-"));
    const snapshot = await live.request("evm_snapshot");
    const run = async (amount: bigint) => {
      const { to, data } = encodeFill(vaultPlan(live), amount);
      const hash = await live.submit(RECIPIENT, { to, data });
      await live.client.waitForTransactionReceipt({ hash });
      const prepared = await preparePast({ past: await read(hash), rpcUrl: live.rpcUrl, cacheFolder });
      await prepared.fork.close();
      return prepared.original;
    };
    const first = await run(1n);
    await live.request("evm_revert", [snapshot]);
    // Runs in another block with the same number and parent.
    const second = await run(2n);
    expect([first?.isReproduced, second?.isReproduced]).to.deep.equal([true, true]);
    expect(second?.blockNumber).to.equal(first?.blockNumber);
    expect(second?.hash).to.not.equal(first?.hash);
    await rm(cacheFolder, { recursive: true });
  });

  it("can be replayed with any part replaced", async () => {
    const find = (overrides: FillOverrides) =>
      findReplayed({
        input: { kind: "transaction", hash: hashes["follows others"] },
        overrides: { currency: live.contracts.dollar, amount: 1_234n, ...overrides },
        rpcUrl: live.rpcUrl,
        signal: new AbortController().signal,
      });
    const [own, other] = [await find({}), await find({ router: STRANGER, recipient: STRANGER })];
    const { plan, amount, sent } = own.subject;
    expect([amount, sent?.hash]).to.deep.equal([1_234n, hashes["follows others"]]);
    expect(other.subject).to.deep.equal({
      ...own.subject,
      plan: { ...plan, router: STRANGER, recipient: STRANGER },
      sent: undefined,
    });
  });

  it("costs the same on an OP Stack chain, including the data fee for Ethereum", async () => {
    const op = await startLiveChain(10, "--optimism");
    const { dollar, router } = op.contracts;
    await op.request("anvil_setCode", [L1_BLOCK, "0x00"]);
    for (const [slot, value] of L1_FEES) {
      await op.request("anvil_setStorageAt", [L1_BLOCK, word(slot), word(value)]);
    }
    await op.send(callTo(dollar, MINT, router, 1_000n));
    const { data } = encodeFill(vaultPlan(op), 1_000n);
    // The fee also depends on the bytes of the signature, so the signature must be valid.
    const serializedTransaction = await localAccounts.solver.signTransaction({
      type: "eip1559",
      chainId: 10,
      to: router,
      data,
      gas: 5_000_000n,
      nonce: await op.client.getTransactionCount({ address: SOLVER }),
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 1n,
    });
    const hash = await op.client.sendRawTransaction({ serializedTransaction });
    const { blockNumber, gasUsed, effectiveGasPrice } = await op.client.waitForTransactionReceipt({ hash });
    const past = await read(hash, op);
    const { fork, original, ...prepared } = await preparePast({ past, rpcUrl: op.rpcUrl });
    expect(original?.isReproduced).to.equal(true);
    const onFork = () => fork.client.getBalance({ address: SOLVER });
    const spent = (await prepared.before(onFork)) - (await prepared.after(onFork));
    const onChain = (block: bigint) => op.client.getBalance({ address: SOLVER, blockNumber: block });
    expect(spent).to.equal((await onChain(blockNumber - 1n)) - (await onChain(blockNumber)));
    // Data fee for the smallest transaction (Fjord). It is not part of the gas cost.
    const least = (100n * (16n * 7_600n * 30_000_000_000n + 810_949n * 1_000_000_000n)) / 10n ** 6n;
    expect(spent - gasUsed * effectiveGasPrice > least).to.equal(true);
    await fork.close();
  });

  it("is rejected if the chain does not have its transaction", async () => {
    expect(await failureOf(read(ABSENT)))
      .to.be.instanceOf(InvalidInputError)
      .and.include({ field: "hash" });
  });
});

function word(value: bigint): Hex {
  return numberToHex(value, { size: 32 });
}

/** Transaction in a node's format. */
type RawTransaction = Readonly<Record<string, string | undefined>>;

function logsOf(frame: CallFrame): string[][] {
  const at = (position: number): string[][] =>
    frame.logs
      .filter((log) => log.position === position)
      .map(({ address, topics, data }) => [address.toLowerCase(), ...topics, data]);
  return [...frame.calls.flatMap((call, place) => [...at(place), ...logsOf(call)]), ...at(frame.calls.length)];
}
