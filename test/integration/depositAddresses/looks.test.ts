import { expect } from "chai";
import { type Address, encodeFunctionData, type Hex, toHex } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { systemClock } from "../../../packages/protocol/src/core/timer.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { type StartedChain, startChain } from "../../../packages/crosscall/src/localnet/devchain/startChain.ts";
import { createLog } from "../../../packages/crosscall/src/localnet/log.ts";
import { createCurrencyTable } from "../../../packages/crosscall/src/localnet/market/quotedChains.ts";
import {
  createPaymentLook,
  type PaymentLook,
} from "../../../packages/crosscall/src/localnet/solver/depositAddresses/lookForPayments.ts";
import { openStore, type Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import type { SolverParts } from "../../../packages/crosscall/src/localnet/solver/solverParts.ts";
import { countWork, type WorkCounter } from "../../support/countWork.ts";
import { addWatchedAddresses } from "../../support/watchedAddresses.ts";
import { onNode } from "../support/requests.ts";

const ADDRESSES = 10_000;

/** Limits for one poll of two blocks without a payment, independent of the number of addresses. */
const STATEMENTS_MAX = 5;
const RPC_CALLS_MAX = 5;

/** Maximum number of polls until each address is checked. */
const LOOKS_MAX = 160;

const PAYER: Address = "0x000000000000000000000000000000000000de1f";

describe("a poll for payments to deposit addresses", () => {
  const signal = new AbortController().signal;
  let counter: WorkCounter;
  let started: StartedChain;
  let store: Store;
  let parts: SolverParts;
  before(async () => {
    counter = countWork();
    const log = createLog("silent");
    store = await openStore({ onError: (error) => expect.fail(error.message) });
    started = await startChain({ id: 31_337 }, log);
    const chains = new Map([[started.chain.id, started.chain]]);
    parts = {
      store,
      ledgers: new Map(),
      chains,
      currencies: createCurrencyTable(chains),
      solver: localAccounts.solver,
      clock: systemClock,
      randomWord: () => toHex(1n, { size: 32 }),
      quoteTtlMs: 1,
      depositAddressTtlMs: 1,
      rebalancingBps: 0,
      deliveryBps: 0,
      faults: { forRequest: () => Promise.resolve({}) },
      depositTimeoutMs: 1,
      inclusionTimeoutMs: 1,
      log,
    };
    await addWatchedAddresses(store, ADDRESSES, new Date(Date.now() + 86_400_000));
  });
  after(async () => {
    counter[Symbol.dispose]();
    await store.close();
    await started.close();
  });

  let look: ReturnType<typeof createPaymentLook>;
  let snapshot: unknown;
  beforeEach(async () => {
    snapshot = await onNode(started.chain, "evm_snapshot");
    look = createPaymentLook(parts, started.chain);
  });
  afterEach(() => onNode(started.chain, "evm_revert", snapshot));

  /** Polls after a new block, and checks that the number of statements and RPC calls is limited. */
  async function lookAtBlock(): Promise<PaymentLook> {
    await onNode(started.chain, "evm_mine");
    const head = await started.chain.client.getBlock();
    counter.take();
    const found = await look(head, signal);
    const work = counter.take();
    if (found.hasLeft) return found;
    const statements = work.statements.filter((text) => !text.includes("pgboss"));
    expect(statements.length, statements.join("\n")).to.be.within(1, STATEMENTS_MAX);
    expect(work.rpcCalls.length, work.rpcCalls.join(" ")).to.be.within(1, RPC_CALLS_MAX);
    return found;
  }

  /** Returns the address that a pass over all addresses checks last. */
  async function lastAddress(): Promise<Address> {
    const query = store.db.selectFrom("deposit_addresses").select("address").orderBy("watched_until").limit(1);
    return (await query.executeTakeFirstOrThrow()).address as Address;
  }

  async function send(call: { to: Address; data?: Hex; value?: bigint }): Promise<void> {
    const wallet = chainClient(started.chain.id, started.chain.rpcUrl, localAccounts.user);
    const hash = await sendTransaction(wallet, call);
    await waitForTransactionReceipt(wallet, { hash });
  }

  it("finds a transfer in its block among any number of addresses", async () => {
    const to = await lastAddress();
    const { dollar } = started.chain.contracts;
    await lookAtBlock();
    await send({ to, value: 1n });
    expect((await lookAtBlock()).hasLeft).to.equal(true);

    await onNode(started.chain, "evm_revert", snapshot);
    snapshot = await onNode(started.chain, "evm_snapshot");
    look = createPaymentLook(parts, started.chain);
    await lookAtBlock();
    await send({ to: dollar, data: encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [to, 1n] }) });
    expect((await lookAtBlock()).hasLeft).to.equal(true);
  });

  it("checks each address once while there are no new blocks, and finds native currency paid by a contract", async () => {
    const head = await started.chain.client.getBlock();
    let ofPass = 1;
    while ((await look(head, signal)).hasPass) ofPass += 1;
    expect(ofPass).to.be.at.most(LOOKS_MAX);
    counter.take();
    await look(head, signal);
    expect(counter.take().rpcCalls).to.deep.equal([]);

    await onNode(started.chain, "hardhat_setCode", PAYER, "0x60006000600060003460003560601c5af100");
    await send({ to: PAYER, data: await lastAddress(), value: 1n });
    let looks = 1;
    while (!(await lookAtBlock()).hasLeft) {
      looks += 1;
      expect(looks).to.be.at.most(LOOKS_MAX);
    }
    expect(looks).to.be.greaterThan(1);
  });
});
