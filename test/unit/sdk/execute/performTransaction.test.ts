import { expect } from "chai";
import { BaseError, type Hex } from "viem";

import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import { createMemoryJournal } from "../../../../packages/sdk/src/execute/journal.ts";
import type { SentTransaction } from "../../../../packages/sdk/src/execute/executeStepsParameters.ts";
import { type PreparedExecution, type Run, withQuote } from "../../../../packages/sdk/src/execute/execution.ts";
import { performTransaction } from "../../../../packages/sdk/src/execute/performTransaction.ts";
import type { Quote } from "../../../../packages/protocol/src/quote/quote.ts";
import type { PlannedTransaction } from "../../../../packages/protocol/src/quote/planSteps.ts";
import { fromViemWallet } from "../../../../packages/sdk/src/execute/wallets.ts";
import { systemClock } from "../../../../packages/protocol/src/core/timer.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { acceptUnverified } from "../../../../packages/sdk/src/verify/verifiedSteps.ts";
import { quote } from "../../protocol/fixtures.ts";
import { CHAIN_ID, useChain } from "../client/chain.ts";
import { useService } from "../client/service.ts";

const BROKEN = "0x2222222222222222222222222222222222222222";
const BREAKING = "0x3333333333333333333333333333333333333333";
const TRANSFER: PlannedTransaction = {
  kind: "transaction",
  stepId: "deposit",
  position: "0.0",
  chainId: CHAIN_ID,
  from: localAccounts.user.address,
  to: "0x1111111111111111111111111111111111111111",
  data: "0xdeadbeef",
  value: 5n,
  gas: undefined,
  maxFeePerGas: undefined,
  maxPriorityFeePerGas: undefined,
};

describe("performTransaction", () => {
  const chain = useChain();
  const service = useService();
  const perform = async (
    planned: PlannedTransaction,
    onSent: (txHash: Hex, isResumed: boolean) => void = () => undefined,
    wallet = chain.wallet,
    journal = createMemoryJournal(),
    clock = systemClock,
  ): Promise<SentTransaction> => {
    const stepWallet = fromViemWallet(wallet);
    const run: Run = {
      service: createServiceClient({ baseUrl: service.url }),
      wallets: { on: () => Promise.resolve(stepWallet), signer: () => stepWallet },
      store: journal,
      quote: quote as Quote,
      gasless: false,
      payAgain: false,
      clock,
      timeoutMs: 600_000,
      pollIntervalMs: 1_000,
      onEvent: (event) => event.kind === "sent" && onSent(event.txHash, event.isResumed === true),
    };
    const execution: PreparedExecution = {
      ...withQuote(run, run.quote),
      batch: undefined,
      verify: (step) => Promise.resolve(acceptUnverified([step])[0] as never),
    };
    const sent = await performTransaction({ execution, wallet: stepWallet, planned, isNeeded: true });
    return sent ?? expect.fail("the transaction was not found");
  };

  it("sends the transaction, reports the hash, and waits until the transaction is included", async () => {
    const hashes: Hex[] = [];
    const sent = await perform(TRANSFER, (txHash) => hashes.push(txHash));
    const { hash, to, input, value } = await chain.client.getTransaction({ hash: sent.txHash });
    expect([to, input, value]).to.deep.equal([TRANSFER.to, "0xdeadbeef", 5n]);
    const { gasUsed } = await chain.client.getTransactionReceipt({ hash });
    expect([sent, hashes]).to.deep.equal([{ chainId: CHAIN_ID, txHash: hash, gasUsed }, [hash]]);
  });

  it("uses the quote's gas and fees if they are higher, but limits fees to twice the node's", async () => {
    const present = await chain.client.estimateFeesPerGas();
    const { txHash } = await perform({
      ...TRANSFER,
      gas: 77_777n,
      maxFeePerGas: present.maxFeePerGas + 1n,
      maxPriorityFeePerGas: present.maxPriorityFeePerGas * 9n,
    });
    const sent = await chain.client.getTransaction({ hash: txHash });
    expect([sent.gas, sent.maxPriorityFeePerGas]).to.deep.equal([77_777n, present.maxPriorityFeePerGas * 2n]);
  });

  it("adds a quarter to the node's estimate if the quote states no gas", async () => {
    const { from: account, to, data, value } = TRANSFER;
    const estimate = await chain.client.estimateGas({ account, to, data, value });
    const { txHash } = await perform(TRANSFER);
    const { gas } = await chain.client.getTransaction({ hash: txHash });
    expect(gas).to.equal(estimate + estimate / 4n);
  });

  it("reports a transaction without a hash if the node rejects it", async () => {
    await chain.breakContract(BROKEN);
    const hashes: Hex[] = [];
    const error = await rejected(perform({ ...TRANSFER, to: BROKEN }, (txHash) => hashes.push(txHash)));
    expect(error.cause).to.be.instanceOf(BaseError);
    expect([factsOf(error), hashes]).to.deep.equal([
      { code: "TRANSACTION_FAILED", chainId: CHAIN_ID, txHash: undefined },
      [],
    ]);
  });

  it("reports the hash of a transaction that was included and reverted", async () => {
    await chain.setAutomine(false);
    const hashes: Hex[] = [];
    try {
      const error = await rejected(
        perform({ ...TRANSFER, to: BREAKING }, (txHash) => {
          hashes.push(txHash);
          void chain.breakContract(BREAKING).then(() => chain.mine());
        }),
      );
      expect(factsOf(error)).to.deep.equal({ code: "TRANSACTION_FAILED", chainId: CHAIN_ID, txHash: hashes[0] });
      expect(hashes).to.have.length(1);
    } finally {
      await chain.setAutomine(true);
    }
  });

  it("reports the hash of a sent transaction if it is unknown whether the transaction was included", async () => {
    const hashes: Hex[] = [];
    const wallet = chain.walletWithout("eth_getTransactionReceipt");
    const error = await rejected(perform(TRANSFER, (txHash) => hashes.push(txHash), wallet));
    expect(factsOf(error)).to.include({ code: "PAYMENT_UNRESOLVED", chainId: CHAIN_ID, reference: hashes[0] });
    expect(hashes).to.have.length(1);
  });

  const incomplete = {
    "an error while it indexes transactions": new Error("transaction indexing is in progress"),
    "an error for an unknown transaction": new Error("transaction not found"),
    "a receipt without a block": { blockHash: null, blockNumber: null, status: null },
    "a receipt without a status": { status: undefined },
    "an internal error": new Error("internal error"),
  };
  for (const [name, answer] of Object.entries(incomplete)) {
    it(`continues to wait if the node returns ${name}`, async () => {
      let left = 3;
      const wallet = chain.walletWith(async (method, respond) => {
        if (method !== "eth_getTransactionReceipt" || left-- <= 0) return respond();
        if (answer instanceof Error) throw Object.assign(answer, { code: -32_000 });
        return { ...((await respond()) as object), ...answer };
      });
      const { txHash } = await perform(TRANSFER, undefined, wallet);
      const { status } = await chain.client.getTransactionReceipt({ hash: txHash });
      expect([status, left]).to.deep.equal(["success", -1]);
    });
  }

  for (const text of ["already known", "AlreadyKnown", "transaction already exists", "context deadline exceeded"]) {
    it(`waits for a transaction that the node may have: ${text}`, async () => {
      const wallet = chain.walletWith(async (method, respond) => {
        const answer = await respond();
        if (method === "eth_sendRawTransaction") throw Object.assign(new Error(text), { code: -32_000 });
        return answer;
      });
      const { txHash } = await perform(TRANSFER, undefined, wallet);
      expect((await chain.client.getTransactionReceipt({ hash: txHash })).status).to.equal("success");
    });
  }

  for (const method of ["eth_getTransactionCount", "eth_blockNumber", "eth_estimateGas"]) {
    it(`reports a node without a result for ${method}`, async () => {
      const wallet = chain.walletWith((asked, respond) => (asked === method ? Promise.resolve(null) : respond()));
      expect(factsOf(await rejected(perform(TRANSFER, undefined, wallet)))).to.deep.equal({
        code: "TRANSACTION_FAILED",
        chainId: CHAIN_ID,
        txHash: undefined,
      });
    });
  }

  it("ends the wait even with a polling interval of zero", async () => {
    await chain.setAutomine(false);
    try {
      const wallet = { ...chain.wallet, pollingInterval: 0 };
      let nowMs = 0;
      const error = await rejected(
        perform(TRANSFER, undefined, wallet, createMemoryJournal(), {
          now: () => (nowMs += 200_000),
        }),
      );
      expect(factsOf(error)).to.include({ code: "PAYMENT_UNRESOLVED", chainId: CHAIN_ID });
      expect(factsOf(error).reference).to.be.a("string");
    } finally {
      await chain.mine();
      await chain.setAutomine(true);
    }
  });

  it("does not catch an error from the listener", async () => {
    const error = new RangeError("the listener's own");
    const outcome = await perform(TRANSFER, () => {
      throw error;
    }).catch((thrown: unknown) => thrown);
    expect(outcome).to.equal(error);
  });

  it("does nothing when it runs again with the same journal", async () => {
    const journal = createMemoryJournal();
    const noted: [txHash: Hex, isResumed: boolean][] = [];
    const note = (txHash: Hex, isResumed: boolean) => noted.push([txHash, isResumed]);
    const first = await perform(TRANSFER, note, chain.wallet, journal);
    const count = await chain.countSent();
    expect(await perform(TRANSFER, note, chain.wallet, journal)).to.deep.equal(first);
    expect(await chain.countSent()).to.equal(count);
    expect(noted).to.deep.equal([
      [first.txHash, false],
      [first.txHash, true],
    ]);
  });

  it("rejects a journal with another transaction at the same position", async () => {
    const journal = createMemoryJournal();
    await perform(TRANSFER, undefined, chain.wallet, journal);
    const count = await chain.countSent();
    const error = await rejected(perform({ ...TRANSFER, value: 6n }, undefined, chain.wallet, journal));
    expect([error.code, await chain.countSent()]).to.deep.equal(["INVALID_STATE", count]);
  });
});
