import { expect } from "chai";
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  numberToHex,
  zeroAddress,
  zeroHash,
} from "viem";

import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import * as sdk from "../../packages/sdk/src/index.ts";
import type { Quote } from "../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import type { ReceivedQuote } from "../../packages/protocol/src/quote/quoteFreshness.ts";
import { createPreflight } from "../../packages/crosscall/src/replay/preflight/preflight.ts";
import { until } from "../support/until.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { callsOf } from "./gasless/batches.ts";
import { BundleWallet, walletError } from "./support/bundleWallet.ts";
import { failureOf } from "./support/failureOf.ts";
import { dollarsOf, mintDollars, reader, userWallet } from "./support/parties.ts";
import { etherRequest, onNode } from "./support/requests.ts";
import { recordOf } from "./support/serviceCalls.ts";

const AMOUNT = 50_000_000n;
/** Reverts every call. */
const REVERTING_CODE = "0x5f5ffd";
const STRANGER: Address = "0x00000000000000000000000000000000000c0de5";

describe("executeSteps with a wallet that bundles calls", () => {
  const network = useNetwork();
  let wallet: BundleWallet;

  const origin = () => network.chains[0];
  const user = () => network.accounts.user.address;
  const client = () => sdk.createServiceClient({ baseUrl: network.url, limits: false });

  before(() => mintDollars(network, origin(), AMOUNT * 100n));
  beforeEach(() => {
    wallet = new BundleWallet(network, origin());
  });

  const quoteRequest = (): QuoteRequest => ({
    user: user(),
    originChainId: origin().id,
    destinationChainId: network.chains[1].id,
    originCurrency: origin().contracts.dollar,
    destinationCurrency: network.chains[1].contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: AMOUNT.toString(),
  });
  const quoteDollars = (): Promise<ReceivedQuote> => sdk.getQuote(client(), quoteRequest());
  const execute = (quote: ReceivedQuote, parameters: Partial<sdk.ExecuteStepsParameters> = {}) =>
    sdk.executeSteps(client(), {
      quote,
      wallet: wallet.client,
      trust: network.trust,
      freshness: false,
      pollIntervalMs: 25,
      ...parameters,
    });

  const countSent = () => reader(origin()).getTransactionCount({ address: user() });
  /** Returns the amount that the account pays while the callback runs, in dollars. */
  async function paid(work: () => Promise<unknown>): Promise<bigint> {
    const before = await dollarsOf(origin(), user());
    await work();
    return before - (await dollarsOf(origin(), user()));
  }
  /** Executes until an event, then aborts the run as if the process had exited. */
  async function runUntil(
    last: sdk.ExecutionEvent["kind"],
    quote: ReceivedQuote,
    parameters: Partial<sdk.ExecuteStepsParameters>,
  ): Promise<void> {
    const stop = new AbortController();
    const onEvent = ({ kind }: sdk.ExecutionEvent): void => {
      if (kind === last) stop.abort();
    };
    expect(await failureOf(execute(quote, { ...parameters, signal: stop.signal, onEvent }))).to.include({
      code: "ABORTED",
    });
  }
  /** Sends a transaction from the account that is unrelated to a bundle. */
  async function otherTransaction(): Promise<Hex> {
    const hash = await sendTransaction(userWallet(network, origin()), { to: STRANGER, value: 1n });
    await waitForTransactionReceipt(reader(origin()), { hash });
    return hash;
  }
  async function withoutMining(work: () => Promise<void>): Promise<void> {
    await onNode(origin(), "evm_setAutomine", false);
    try {
      await work();
    } finally {
      await onNode(origin(), "evm_setAutomine", true);
      await onNode(origin(), "evm_mine");
    }
  }

  it("approves and deposits in one transaction", async () => {
    const quote = await quoteDollars();
    expect(quote.steps?.map(({ id }) => id)).to.deep.equal(["approve", "deposit"]);
    const events: sdk.ExecutionEvent[] = [];
    const before = await countSent();
    let result: sdk.ExecutionResult | undefined;
    const onEvent = (event: sdk.ExecutionEvent): void => void events.push(event);
    expect(await paid(async () => (result = await execute(quote, { onEvent })))).to.equal(AMOUNT);

    const [bundle] = wallet.asked;
    expect(wallet.asked).to.have.length(1);
    expect(bundle).to.deep.include({ atomicRequired: true, chainId: numberToHex(origin().id), from: user() });
    const wanted = callsOf(quote as Quote).map(({ to, data }) => ({ to: getAddress(to), data }));
    expect(bundle?.calls.map(({ to, data }) => ({ to: getAddress(to), data }))).to.deep.equal(wanted);
    expect(bundle?.calls.map(({ value }) => value)).to.deep.equal([undefined, undefined]);

    const [sent] = result?.transactions ?? [];
    const { txHash, gasUsed } = sent ?? expect.fail("nothing was sent");
    expect(result?.transactions).to.deep.equal([{ chainId: origin().id, txHash, gasUsed }]);
    expect(result?.status).to.deep.include({ status: "success", inTxHashes: [txHash] });
    expect(events.filter(({ kind }) => kind !== "status")).to.deep.equal([
      { kind: "bundled", stepIds: ["approve", "deposit"], bundleId: bundle?.id },
      { kind: "sent", stepId: "approve", txHash },
      { kind: "confirmed", stepId: "approve", txHash, gasUsed },
      { kind: "sent", stepId: "deposit", txHash },
      { kind: "confirmed", stepId: "deposit", txHash, gasUsed },
    ]);
    // The authorization also increments the nonce.
    expect((await countSent()) - before).to.equal(2);
    const record = await recordOf(network, sdk.requestIdOf(quote));
    expect(record.data.inTxs.map((transaction) => transaction.txHash)).to.deep.equal([txHash]);
  });

  it("does not prompt if another tab with the same journal prompted in the meantime", async () => {
    const quote = await quoteDollars();
    const [shared, own] = [sdk.createMemoryJournal(), sdk.createMemoryJournal()];
    wallet.drops = true;
    await runUntil("bundled", quote, { journal: shared });
    const other = new BundleWallet(network, origin());
    const journal: sdk.ExecutionJournal = {
      ...own,
      // The other tab asked while this one read the latest block for its bundle.
      get: (key) => (other.methods.at(-1) === "eth_blockNumber" ? shared : own).get(key),
    };
    expect(await failureOf(execute({ ...quote }, { wallet: other.client, journal }))).to.include({
      code: "INVALID_STATE",
    });
    expect(other.asked).to.deep.equal([]);
  });

  it("lets the wallet upgrade the account first, even if it reports the capability for all chains", async () => {
    wallet.atomic = "ready";
    wallet.capableChainId = 0;
    const quote = await quoteDollars();
    expect((await execute(quote)).transactions).to.have.length(1);
    expect(wallet.asked).to.have.length(1);
  });

  it("lets another account pay for the gas", async () => {
    wallet.isSponsored = true;
    const quote = await quoteDollars();
    const address = user();
    const balance = await reader(origin()).getBalance({ address });
    await onNode(origin(), "hardhat_setBalance", address, "0x0");
    try {
      expect((await execute(quote)).transactions).to.have.length(1);
    } finally {
      await onNode(origin(), "hardhat_setBalance", address, numberToHex(balance));
    }
  });

  it("requests no bundle for a single transaction", async () => {
    const quote = await sdk.getQuote(client(), etherRequest(network));
    await execute(quote);
    expect(wallet.methods.filter((method) => method.startsWith("wallet_"))).to.deep.equal([]);
  });

  it("requests no same-chain bundle, because the service finds the payment by its call data", async () => {
    const quote = await sdk.getQuote(client(), {
      ...quoteRequest(),
      destinationChainId: origin().id,
      destinationCurrency: zeroAddress,
    });
    expect(quote.steps?.map(({ id }) => id)).to.deep.equal(["approve", "swap"]);
    const { transactions, status } = await execute(quote, {
      preflight: createPreflight(network),
      destinationClient: reader(origin()),
    });
    expect(status.txHashes).to.deep.equal([transactions.at(-1)?.txHash]);
    expect(wallet.asked).to.deep.equal([]);
  });

  describe("pays once when the run is killed", () => {
    it("after the wallet receives the bundle", async () => {
      const [quote, journal] = [await quoteDollars(), sdk.createMemoryJournal()];
      const spent = await paid(async () => {
        await runUntil("bundled", quote, { journal });
        const { transactions, status } = await execute(quote, { journal });
        expect(status.inTxHashes).to.deep.equal(transactions.map(({ txHash }) => txHash));
      });
      expect([spent, wallet.asked.length]).to.deep.equal([AMOUNT, 1]);
    });

    it("while the transaction is pending", async () => {
      const [quote, journal] = [await quoteDollars(), sdk.createMemoryJournal()];
      let again: Promise<sdk.ExecutionResult> | undefined;
      const spent = await paid(async () => {
        await withoutMining(async () => {
          await runUntil("bundled", quote, { journal });
          again = execute(quote, { journal });
          // Waits until the run has polled more than three times.
          const isPolled = () => wallet.methods.filter((name) => name === "wallet_getCallsStatus").length > 3;
          await until(() => Promise.resolve(isPolled()), { what: "polls of the bundle" });
        });
        expect((await again)?.transactions).to.have.length(1);
      });
      expect([spent, wallet.asked.length]).to.deep.equal([AMOUNT, 1]);
    });

    const unreadable: Record<string, () => unknown> = {
      nothing: () => null,
      "a receipt with a hash only": () => ({ status: 200, receipts: [{ transactionHash: zeroHash }] }),
      "an internal error": () => {
        throw walletError(-32_603);
      },
      "an unknown error": () => {
        throw walletError(-32_000, "no such bundle");
      },
    };
    for (const [name, answer] of Object.entries(unreadable)) {
      it(`and the wallet returns ${name} as the status`, async () => {
        const [quote, journal] = [await quoteDollars(), sdk.createMemoryJournal()];
        wallet.statusAnswer = answer;
        const spent = await paid(async () => {
          await runUntil("bundled", quote, { journal });
          const { status } = await execute(quote, { journal });
          expect(status.status).to.equal("success");
        });
        expect([spent, wallet.asked.length]).to.deep.equal([AMOUNT, 1]);
      });
    }

    it("before the wallet responds", async () => {
      const [quote, journal] = [await quoteDollars(), sdk.createMemoryJournal()];
      wallet.failAnswer = new Error("the connection is lost");
      const spent = await paid(async () => {
        expect(await failureOf(execute(quote, { journal }))).to.include({ code: "PAYMENT_UNRESOLVED", what: "bundle" });
        expect((await execute(quote, { journal })).transactions).to.have.length(1);
      });
      expect([spent, wallet.asked.length]).to.deep.equal([AMOUNT, 1]);
    });

    it("before the bundle reaches the wallet, and sends the same id if the caller pays again", async () => {
      const [quote, journal] = [await quoteDollars(), sdk.createMemoryJournal()];
      wallet.refuse = () => new Error("the connection is lost");
      const spent = await paid(async () => {
        for (const _ of ["first", "second"]) {
          expect(await failureOf(execute(quote, { journal }))).to.include({ code: "PAYMENT_UNRESOLVED" });
          expect(wallet.asked).to.have.length(1);
        }
        wallet.refuse = undefined;
        expect((await execute(quote, { journal, payAgain: true })).transactions).to.have.length(1);
      });
      expect(spent).to.equal(AMOUNT);
      const [first, second, ...others] = wallet.asked;
      expect([second, others]).to.deep.equal([first, []]);
    });

    it("and the wallet forgets a bundle whose deposit is on the chain", async () => {
      const [quote, journal] = [await quoteDollars(), sdk.createMemoryJournal()];
      const found: sdk.ExecutionEvent[] = [];
      const spent = await paid(async () => {
        await withoutMining(() => runUntil("bundled", quote, { journal }));
        wallet.forget();
        await execute(quote, {
          journal,
          onEvent: (event) => {
            if (event.kind === "found") found.push(event);
          },
        });
      });
      expect([spent, wallet.asked.length, found.length]).to.deep.equal([AMOUNT, 1, 1]);
    });

    it("and the wallet forgets a bundle whose transaction is pending", async () => {
      const [quote, journal] = [await quoteDollars(), sdk.createMemoryJournal()];
      const found: sdk.ExecutionEvent[] = [];
      let again: Promise<sdk.ExecutionResult> | undefined;
      const spent = await paid(async () => {
        await withoutMining(async () => {
          await runUntil("bundled", quote, { journal });
          wallet.forget();
          again = execute(quote, {
            journal,
            onEvent: (event) => {
              if (event.kind === "found") found.push(event);
            },
          });
          await until(() => Promise.resolve(found.length > 0), { what: "the pending transaction" });
        });
        await again;
      });
      expect([spent, wallet.asked.length, found.length]).to.deep.equal([AMOUNT, 1, 1]);
    });

    it("and the journal is lost, because the wallet rejects a duplicate id", async () => {
      const quote = await quoteDollars();
      let again: Promise<sdk.ExecutionResult> | undefined;
      const spent = await paid(async () => {
        await withoutMining(async () => {
          await runUntil("bundled", quote, { journal: sdk.createMemoryJournal() });
          again = execute(quote, { journal: sdk.createMemoryJournal() });
          await until(() => Promise.resolve(wallet.asked.length > 1), { what: "the second bundle" });
        });
        expect((await again)?.transactions).to.have.length(1);
      });
      const [first, second, ...others] = wallet.asked;
      expect([spent, second, others]).to.deep.equal([AMOUNT, first, []]);
    });

    it("and continues with a wallet that does not bundle only if no payment can be pending", async () => {
      const [quote, journal] = [await quoteDollars(), sdk.createMemoryJournal()];
      wallet.refuse = () => new Error("the connection is lost");
      const spent = await paid(async () => {
        await failureOf(execute(quote, { journal }));
        wallet.refuse = () => walletError(-32_601);
        const error = await failureOf(execute(quote, { journal, payAgain: true }));
        expect(error).to.include({ code: "PAYMENT_UNRESOLVED", chainId: origin().id, what: "bundle" });
      });
      expect(spent).to.equal(0n);
    });
  });

  it("prompts again after a rejection", async () => {
    const [quote, journal] = [await quoteDollars(), sdk.createMemoryJournal()];
    wallet.refuse = () => walletError(4_001, "no");
    const spent = await paid(async () => {
      const error = await failureOf(execute(quote, { journal }));
      expect(error).to.be.instanceOf(sdk.UserRejectedError).and.include({ stepId: "deposit" });
      wallet.refuse = undefined;
      expect((await execute(quote, { journal })).transactions).to.have.length(1);
    });
    expect([spent, wallet.asked.length]).to.deep.equal([AMOUNT, 2]);
  });

  describe("sends the transactions one by one", () => {
    const cases: readonly (readonly [what: string, change: () => void, asked: number])[] = [
      ["without the methods", () => (wallet.atomic = undefined), 0],
      ["without atomic bundles", () => (wallet.atomic = "unsupported"), 0],
      ["with bundles on another chain only", () => (wallet.capableChainId = network.chains[1].id), 0],
      ...[-32_601, -32_602, 4_200, 5_710, 5_740, 5_750, 5_760].map(
        (code) =>
          [
            `if the wallet rejects the bundle with ${code}`,
            () => (wallet.refuse = () => walletError(code)),
            1,
          ] as const,
      ),
    ];
    for (const [what, change, asked] of cases) {
      it(what, async () => {
        change();
        const quote = await quoteDollars();
        let result: sdk.ExecutionResult | undefined;
        expect(await paid(async () => (result = await execute(quote)))).to.equal(AMOUNT);
        expect([result?.transactions.length, wallet.asked.length]).to.deep.equal([2, asked]);
      });
    }

    it("if an earlier run sent them one by one", async () => {
      const [quote, journal] = [await quoteDollars(), sdk.createMemoryJournal()];
      wallet.atomic = undefined;
      await runUntil("confirmed", quote, { journal });
      wallet.atomic = "supported";
      expect((await execute(quote, { journal })).transactions).to.have.length(2);
      expect(wallet.asked).to.deep.equal([]);
    });
  });

  for (const status of [400, 500, 600]) {
    it(`fails for the wallet status ${status}, even in a later run`, async () => {
      const [quote, journal] = [await quoteDollars(), sdk.createMemoryJournal()];
      wallet.forcedStatus = status;
      wallet.drops = true;
      for (const run of ["first", "second"]) {
        const error = await failureOf(execute(quote, { journal }));
        expect(error, run).to.be.instanceOf(sdk.BundleFailedError);
        const [{ id: bundleId } = { id: "" }] = wallet.asked;
        expect(error).to.include({ code: "BUNDLE_FAILED", chainId: origin().id, bundleId, status, txHash: undefined });
      }
      expect(wallet.asked).to.have.length(1);
    });
  }

  for (const status of [400, 500, 600]) {
    it(`follows a payment for which the wallet reports status ${status}`, async () => {
      const quote = await quoteDollars();
      wallet.forcedStatus = status;
      expect((await execute(quote)).status).to.include({ status: "success" });
      expect(wallet.asked).to.have.length(1);
    });
  }

  it("does not mistake another transaction in the bundle for the payment", async () => {
    const [quote, journal] = [await quoteDollars(), sdk.createMemoryJournal()];
    wallet.drops = true;
    wallet.claimed = await onNode(origin(), "eth_getTransactionReceipt", await otherTransaction());
    for (const run of ["first", "second"]) {
      const error = await failureOf(execute(quote, { journal, timeoutMs: 100 }));
      expect(error, run).to.include({ code: "PAYMENT_UNRESOLVED", what: "bundle" });
    }
    expect(wallet.asked).to.have.length(1);
  });

  it("fails if the transaction reverts", async () => {
    const quote = await quoteDollars();
    const { depository } = origin().contracts;
    const code = await reader(origin()).getCode({ address: depository });
    await onNode(origin(), "hardhat_setCode", depository, REVERTING_CODE);
    try {
      let run: Promise<unknown> | undefined;
      await withoutMining(async () => {
        run = failureOf(execute(quote));
        await until(() => Promise.resolve(wallet.methods.includes("wallet_getCallsStatus")), { what: "the bundle" });
      });
      const error = await run;
      expect(error).to.be.instanceOf(sdk.BundleFailedError).and.include({ status: 500 });
      const hash = (error as sdk.BundleFailedError).txHash as Hex;
      expect(await reader(origin()).getTransactionReceipt({ hash })).to.include({ status: "reverted" });
    } finally {
      await onNode(origin(), "hardhat_setCode", depository, code);
    }
  });

  it("requests no bundle if a hostile service changes a call", async () => {
    const quote = await quoteDollars();
    const [approve] = quote.steps ?? [];
    const data = {
      from: user(),
      to: origin().contracts.dollar,
      data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [STRANGER, 1n] }),
      value: "0",
      chainId: origin().id,
    };
    const added = { ...approve, id: "send" as const, items: [{ status: "incomplete" as const, data }] };
    for (const steps of [
      [...(quote.steps ?? []), added],
      [added, ...(quote.steps ?? [])],
    ]) {
      const spent = await paid(async () => {
        expect(await failureOf(execute({ ...quote, steps }))).to.be.instanceOf(sdk.QuoteRefusedError);
      });
      expect([spent, wallet.methods]).to.deep.equal([0n, []]);
    }
  });
});
