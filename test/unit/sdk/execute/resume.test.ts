import { expect } from "chai";
import { createWalletClient, custom, type Hex, http } from "viem";
import { sendTransaction } from "viem/actions";

import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import { executeSteps } from "../../../../packages/sdk/src/execute/executeSteps.ts";
import type {
  ExecuteStepsParameters,
  ExecutionEvent,
} from "../../../../packages/sdk/src/execute/executeStepsParameters.ts";
import { createMemoryJournal, type ExecutionJournal } from "../../../../packages/sdk/src/execute/journal.ts";
import type { ExecutionWallet } from "../../../../packages/sdk/src/execute/wallets.ts";
import type { Step } from "../../../../packages/protocol/src/quote/step.ts";
import type { AbortedError } from "../../../../packages/protocol/src/core/errors.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { until } from "../../../support/until.ts";
import { quote as wholeQuote } from "../../protocol/fixtures.ts";
import { CHAIN_ID, useChain } from "../client/chain.ts";
import { useService } from "../client/service.ts";

const USER = localAccounts.user.address;
const REQUEST_ID = `0x${"ab".repeat(32)}`;
const DEPOSITORY = "0x2222222222222222222222222222222222222222";

const { protocol: _protocol, ...quote } = wholeQuote;
const steps: Step[] = [
  {
    id: "deposit",
    action: "",
    description: "",
    kind: "transaction",
    requestId: REQUEST_ID,
    items: [
      { status: "incomplete", data: { from: USER, to: DEPOSITORY, data: "0x02", value: "7", chainId: CHAIN_ID } },
    ],
  },
];

// The chain does not mine automatically, so each test determines when a transaction is included.
describe("executeSteps, called again", () => {
  const service = useService();
  const chain = useChain();
  let journal: ExecutionJournal;

  beforeEach(async () => {
    journal = createMemoryJournal();
    service.answers = ({ method }) =>
      method === "POST" ? { json: { message: "Success" } } : { json: { status: "waiting" } };
    await chain.setAutomine(false);
  });
  afterEach(() => chain.setAutomine(true));

  const executeWith = (wallet: ExecutionWallet, options: Partial<ExecuteStepsParameters>) => {
    const client = createServiceClient({ baseUrl: service.url });
    return executeSteps(client, { trust: "service", quote: { ...quote, steps }, wallet, ...options });
  };

  /** Executes until an event, then aborts the run, as if the process had exited at that event. */
  async function runUntil(
    last: ExecutionEvent["kind"],
    wallet: ExecutionWallet = chain.wallet,
    options: Partial<ExecuteStepsParameters> = {},
  ): Promise<Hex[]> {
    const hashes: Hex[] = [];
    const controller = new AbortController();
    const error = await rejected(
      executeWith(wallet, {
        journal,
        pollIntervalMs: 5,
        ...options,
        signal: controller.signal,
        onEvent(event) {
          if (event.kind === "sent") hashes.push(event.txHash);
          if (event.kind === last) controller.abort();
        },
      }),
    );
    expect(error.code, error.message).to.equal("ABORTED");
    return hashes;
  }

  const jsonRpcWallet = (): ExecutionWallet =>
    createWalletClient({
      account: USER,
      transport: http(chain.wallet.chain.rpcUrls.default.http[0]),
      pollingInterval: 10,
    });
  const includedAfter = async (count: number): Promise<number> =>
    (await chain.client.getTransactionCount({ address: USER, blockTag: "latest" })) - count;
  const countIncluded = () => chain.client.getTransactionCount({ address: USER, blockTag: "latest" });

  for (const [name, walletOf, condition, again] of [
    ["a local account", () => chain.wallet, "", {}],
    ["a JSON-RPC account", jsonRpcWallet, " if the caller pays again", { payAgain: true }],
  ] as const) {
    /** A wallet that holds its own keys may have sent the lost transaction to another node. */
    const expectUnresolved = async (wallet: ExecutionWallet, hash: Hex | undefined): Promise<void> => {
      if (condition === "") return;
      const error = await rejected(
        executeWith(wallet, {
          journal,
          timeoutMs: 30,
        }),
      );
      expect(factsOf(error)).to.deep.include({ code: "PAYMENT_UNRESOLVED", reference: hash, what: "transaction" });
    };

    describe(`with ${name}`, () => {
      it("waits for a transaction that is still pending", async () => {
        const before = await countIncluded();
        const [hash] = await runUntil("sent", walletOf());
        const again = runUntil("confirmed", walletOf());
        await chain.mine();
        expect([await again, await includedAfter(before)]).to.deep.equal([[hash], 1]);
      });

      it(`resends a dropped transaction with the same nonce${condition}`, async () => {
        const before = await countIncluded();
        const [hash] = await runUntil("sent", walletOf());
        await chain.request("hardhat_dropTransaction", [hash]);
        await expectUnresolved(walletOf(), hash);
        const second = runUntil("confirmed", walletOf(), again);
        await until(async () => (await chain.countSent()) > before, { what: "the transaction" });
        await chain.mine();
        expect(await second).to.have.length(1);
        expect(await includedAfter(before)).to.equal(1);
        expect(await runUntil("confirmed", walletOf())).to.have.length(1);
        expect(await includedAfter(before)).to.equal(1);
      });

      it(`resends a transaction with the same nonce after a reorg${condition}`, async () => {
        await chain.setAutomine(true);
        const before = await countIncluded();
        const snapshot = await chain.request("evm_snapshot", []);
        const [hash] = await runUntil("confirmed", walletOf());
        expect(await includedAfter(before)).to.equal(1);
        await chain.request("evm_revert", [snapshot]);
        expect(await includedAfter(before)).to.equal(0);
        await expectUnresolved(walletOf(), hash);
        await runUntil("confirmed", walletOf(), again);
        expect(await includedAfter(before)).to.equal(1);
        expect(await runUntil("confirmed", walletOf())).to.have.length(1);
        expect(await includedAfter(before)).to.equal(1);
      });

      for (const when of ["while it waits", "between two runs"] as const) {
        it(`recognizes the same payment under another hash if it was replaced ${when}`, async () => {
          const before = await countIncluded();
          const [hash] = await runUntil("sent", walletOf());
          const again = when === "while it waits" ? runUntil("confirmed", walletOf()) : undefined;
          const { nonce } = await chain.client.getTransaction({ hash: hash! });
          const faster = await replace(nonce, { to: DEPOSITORY, data: "0x02", value: 7n });
          await chain.mine();
          const hashes = await (again ?? runUntil("confirmed", walletOf()));
          expect([hashes, await includedAfter(before)]).to.deep.equal([[hash, faster], 1]);
        });
      }

      it("reports a cancellation, and prompts again in the next run", async () => {
        const before = await countIncluded();
        const [hash] = await runUntil("sent", walletOf());
        const { nonce } = await chain.client.getTransaction({ hash: hash! });
        const cancellation = await replace(nonce, { to: USER, data: "0x", value: 0n });
        await chain.mine();
        const error = await rejected(
          executeSteps(createServiceClient({ baseUrl: service.url }), {
            trust: "service",
            quote: { ...quote, steps },
            wallet: walletOf(),
            journal,
          }),
        );
        expect(factsOf(error)).to.deep.equal({
          code: "TRANSACTION_REPLACED",
          chainId: CHAIN_ID,
          nonce,
          replacementHash: cancellation,
        });
        expect(await includedAfter(before)).to.equal(1);
        await chain.setAutomine(true);
        await runUntil("confirmed", walletOf());
        expect(await includedAfter(before)).to.equal(2);
      });
    });
  }

  it("pays again with a local account if the caller allows it, and the node has no old state", async () => {
    const before = await countIncluded();
    const [hash] = await runUntil("sent");
    await chain.request("hardhat_dropTransaction", [hash]);
    const { wallet } = chain;
    await sendTransaction(wallet, { to: USER });
    await chain.mine();
    const pruned = createWalletClient({
      account: localAccounts.user,
      chain: wallet.chain,
      pollingInterval: 10,
      transport: custom(
        {
          request: ({ method, params = [] }: { method: string; params?: unknown[] }) =>
            method === "eth_getTransactionCount" && String(params[1]).startsWith("0x")
              ? Promise.reject(new Error("missing trie node"))
              : chain.request(method, params),
        },
        { retryCount: 0 },
      ),
    });
    expect((await rejected(executeWith(pruned, { journal, timeoutMs: 30 }))).code).to.equal("PAYMENT_UNRESOLVED");
    await chain.setAutomine(true);
    await runUntil("confirmed", pruned, { payAgain: true, timeoutMs: 10_000 });
    expect(await includedAfter(before)).to.equal(2);
    await runUntil("confirmed", pruned, { payAgain: true, timeoutMs: 10_000 });
    expect(await includedAfter(before)).to.equal(2);
  });

  it("sends nothing for a request that waits for another request from the same local account", async () => {
    await chain.setAutomine(true);
    const before = await chain.countSent();
    const asked = new AbortController();
    const waits = createWalletClient({
      account: {
        ...localAccounts.user,
        signTransaction() {
          other.abort();
          return new Promise<never>(() => undefined);
        },
      },
      chain: chain.wallet.chain,
      transport: http(chain.wallet.chain.rpcUrls.default.http[0]),
    });
    const other = new AbortController();
    const first = rejected(executeWith(waits, { journal, signal: asked.signal }));
    const requestId = `0x${"cd".repeat(32)}`;
    const second = rejected(
      executeWith(chain.wallet, {
        quote: { ...quote, steps: steps.map((step) => ({ ...step, requestId })) },
        signal: other.signal,
      }),
    );
    expect((await second).code).to.equal("ABORTED");
    asked.abort();
    expect([(await first).code, await chain.countSent()]).to.deep.equal(["ABORTED", before]);
  });

  it("names the payment if it is aborted while a local account's transaction is recorded", async () => {
    const before = await countIncluded();
    const controller = new AbortController();
    const inner = journal;
    journal = {
      get: (key) => inner.get(key),
      async set(key, value) {
        if (value.includes('"signed"')) controller.abort();
        await new Promise((resolve) => setImmediate(resolve));
        await inner.set(key, value);
      },
    };
    const { signal } = controller;
    const error = (await rejected(executeWith(chain.wallet, { journal, signal }))) as AbortedError;
    expect([error.code, error.requestId]).to.deep.equal(["ABORTED", REQUEST_ID]);
    journal = inner;
    const again = runUntil("confirmed");
    await until(async () => (await chain.countSent()) > before, { what: "the transaction" });
    await chain.mine();
    expect([await again, await includedAfter(before)]).to.deep.equal([[error.txHash], 1]);
  });

  it("does not repeat a pending payment without a journal", async () => {
    const before = await chain.countSent();
    const [hash] = await runUntil("sent");
    journal = createMemoryJournal();
    const found: (string | undefined)[] = [];
    const controller = new AbortController();
    await rejected(
      executeSteps(createServiceClient({ baseUrl: service.url }), {
        trust: "service",
        quote: { ...quote, steps },
        wallet: chain.wallet,
        signal: controller.signal,
        onEvent(event) {
          if (event.kind === "found") found.push(event.txHash);
          if (event.kind === "status") controller.abort();
        },
      }),
    );
    expect([found, await chain.countSent()]).to.deep.equal([[hash], before + 1]);
    await chain.mine();
  });

  /** Returns a wallet with a node that handles some requests itself. */
  const walletWith = (
    answer: (method: string, params: readonly unknown[]) => Promise<unknown> | undefined,
  ): ExecutionWallet =>
    createWalletClient({
      account: USER,
      pollingInterval: 10,
      transport: () => ({
        config: { key: "own", name: "own", type: "custom", request: () => Promise.resolve() } as never,
        request: (({ method, params = [] }: { method: string; params?: unknown[] }) =>
          answer(method, params) ?? chain.request(method, params)) as never,
      }),
    });

  it("does not pay again if the wallet's result was lost and the service knows the payment", async () => {
    await chain.setAutomine(true);
    let sends = 0;
    const wallet = walletWith((method) => {
      if (method !== "eth_sendTransaction") return undefined;
      sends += 1;
      return Promise.reject(new Error("the page was closed"));
    });
    const execute = (signal?: AbortSignal, onEvent?: (event: ExecutionEvent) => void) =>
      rejected(
        executeWith(wallet, {
          journal,
          signal,
          onEvent: onEvent ?? (() => undefined),
        }),
      );
    expect((await execute()).code).to.equal("PAYMENT_UNRESOLVED");
    // The wallet sent the payment anyway, with another nonce.
    service.answers = () => ({ json: { status: "pending" } });
    const controller = new AbortController();
    const events: string[] = [];
    const error = await execute(controller.signal, ({ kind }) => {
      events.push(kind);
      if (kind === "status") controller.abort();
    });
    expect([error.code, events, sends]).to.deep.equal(["ABORTED", ["found", "status"], 1]);
    // While the payment is unknown, the wallet does not show a prompt.
    service.answers = () => ({ json: { status: "waiting" } });
    expect([(await execute()).code, sends]).to.deep.equal(["PAYMENT_UNRESOLVED", 1]);
  });

  it("accepts a journal that returns null for missing entries, as localStorage does", async () => {
    await chain.setAutomine(true);
    const entries = new Map<string, string>();
    const get = (key: string) => Promise.resolve((entries.get(key) ?? null) as string | undefined);
    journal = { get, set: (key, value) => Promise.resolve(void entries.set(key, value)) };
    const before = await countIncluded();
    expect(await runUntil("confirmed")).to.have.length(1);
    expect(await runUntil("confirmed")).to.have.length(1);
    expect(await includedAfter(before)).to.equal(1);
  });

  it("rejects a second call while the first one runs, such as after a double click", async () => {
    await chain.setAutomine(true);
    const before = await countIncluded();
    const second = async () => {
      const { code } = await rejected(
        executeWith(wallet, {
          timeoutMs: 1_000,
        }),
      );
      return code;
    };
    const codes: Promise<string>[] = [];
    const wallet = walletWith((method) => {
      if (method === "eth_sendTransaction" && codes.length === 0) codes.push(second());
      return undefined;
    });
    await runUntil("confirmed", wallet);
    expect([await Promise.all(codes), await includedAfter(before)]).to.deep.equal([["INVALID_STATE"], 1]);
  });

  it("does not prompt if another tab with the same journal prompted in the meantime", async () => {
    const before = await countIncluded();
    const shared = journal;
    await runUntil("sent", jsonRpcWallet());
    const key = `${REQUEST_ID}/0.0`;
    const entry = (await shared.get(key)) ?? expect.fail("no entry");
    journal = createMemoryJournal();
    const [own, prompts] = [journal, [] as string[]];
    const wallet = walletWith((method) => {
      if (method === "eth_sendTransaction") prompts.push(method);
      return method === "eth_getTransactionCount" ? own.set(key, entry).then(() => "0x0") : undefined;
    });
    // The other tab's payment is not visible yet.
    await chain.request("hardhat_dropTransaction", [(JSON.parse(entry) as { readonly txHash: Hex }).txHash]);
    const error = await rejected(
      executeWith(wallet, {
        journal,
        timeoutMs: 500,
      }),
    );
    expect([error.code, prompts, await includedAfter(before)]).to.deep.equal(["INVALID_STATE", [], 0]);
  });

  it("uses the next nonce if the node lags behind", async () => {
    await chain.setAutomine(true);
    const before = await countIncluded();
    let count: Promise<unknown> | undefined;
    const [deposit] = steps as [Step];
    const approve: Step = {
      ...deposit,
      id: "approve",
      items: [{ status: "incomplete", data: { ...deposit.items?.[0]?.data, data: "0x01", value: "0" } }],
    };
    const lagging = createWalletClient({
      account: localAccounts.user,
      chain: chain.wallet.chain,
      pollingInterval: 10,
      transport: () => ({
        config: { key: "lagging", name: "lagging", type: "custom", request: () => Promise.resolve() } as never,
        request: (({ method, params = [] }: { method: string; params?: unknown[] }) => {
          if (method !== "eth_getTransactionCount" || params[1] !== "pending") return chain.request(method, params);
          count ??= chain.request(method, params);
          return count;
        }) as never,
      }),
    });
    const controller = new AbortController();
    const confirmed: string[] = [];
    const error = await rejected(
      executeSteps(createServiceClient({ baseUrl: service.url }), {
        trust: "service",
        quote: { ...quote, steps: [approve, deposit] },
        wallet: lagging,
        journal,
        signal: controller.signal,
        onEvent(event) {
          if (event.kind === "confirmed") confirmed.push(event.stepId);
          if (event.kind === "status") controller.abort();
        },
      }),
    );
    expect([error.code, confirmed, await includedAfter(before)]).to.deep.equal(["ABORTED", ["approve", "deposit"], 2]);
  });

  it("continues with a new quote that has the old quote's id", async () => {
    await chain.setAutomine(true);
    await journal.set(`${REQUEST_ID}/successor`, JSON.stringify({ ...quote, steps }));
    const inner = journal;
    let reads = 0;
    journal = {
      set: (key, value) => inner.set(key, value),
      get(key) {
        reads += 1;
        return reads > 100 ? Promise.reject(new Error("it would never end")) : inner.get(key);
      },
    };
    expect(await runUntil("confirmed")).to.have.length(1);
  });

  it("resends a transaction with another nonce after the user rejected it", async () => {
    await chain.setAutomine(true);
    const provider = createWalletClient({
      account: USER,
      transport: () => ({
        config: { key: "declining", name: "declining", type: "custom", request: () => Promise.resolve() } as never,
        request: (({ method, params }: { method: string; params: unknown[] }) =>
          method === "eth_sendTransaction"
            ? Promise.reject(Object.assign(new Error("declined"), { code: 4_001 }))
            : chain.request(method, params)) as never,
      }),
    });
    const declined = await rejected(
      executeSteps(createServiceClient({ baseUrl: service.url }), {
        trust: "service",
        quote: { ...quote, steps },
        wallet: provider,
        journal,
      }),
    );
    expect(factsOf(declined)).to.deep.equal({ code: "USER_REJECTED", stepId: "deposit" });
    const before = await countIncluded();
    await sendTransaction(chain.wallet, { to: USER });
    await runUntil("confirmed", jsonRpcWallet());
    expect(await includedAfter(before)).to.equal(2);
  });

  function replace(nonce: number, payload: { to: Hex; data: Hex; value: bigint }): Promise<Hex> {
    const fee = 10n ** 11n;
    return sendTransaction(chain.wallet, {
      ...payload,
      nonce,
      gas: 100_000n,
      maxFeePerGas: fee,
      maxPriorityFeePerGas: fee,
    });
  }
});
