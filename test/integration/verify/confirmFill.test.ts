import { expect } from "chai";
import {
  type Account,
  type Address,
  concat,
  createClient,
  createWalletClient,
  custom,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
} from "viem";
import { getTransactionCount, sendTransaction, waitForTransactionReceipt } from "viem/actions";

import * as sdk from "../../../packages/sdk/src/index.ts";
import { requestIdOf } from "../../../packages/protocol/src/quote/planSteps.ts";
import type { ReceivedQuote } from "../../../packages/protocol/src/quote/quoteFreshness.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { createPreflight } from "../../../packages/crosscall/src/replay/preflight/preflight.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { failureOf } from "../support/failureOf.ts";
import { fundPermits } from "../gasless/support.ts";
import { FakeService } from "../support/fakeService.ts";
import { mintDollars, reader, userWallet } from "../support/parties.ts";
import { post } from "../support/serviceCalls.ts";
import { quoteShapes } from "./quoteShapes.ts";
import { routerAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

describe("the outcome on the destination chain", () => {
  const network = useNetwork({ sponsoringApiKeys: ["crosscall-local"] });
  let service: FakeService;

  before(async () => {
    service = await FakeService.start(network.url);
    for (const chain of network.chains) await mintDollars(network, chain, 10_000_000_000n);
    await fundPermits(network);
  });
  afterEach(() => {
    service.claim = undefined;
  });
  after(() => service.close());

  const origin = () => network.chains[0];
  const destination = () => network.chains[1];
  const user = () => network.accounts.user.address;
  const client = () => sdk.createServiceClient({ baseUrl: service.url, limits: false });
  const native = () => quoteShapes(network).native!;
  const token = () => quoteShapes(network).token!;
  const quoteOf = (request: QuoteRequest) => sdk.getQuote(client(), request);
  /** Requests a quote that the local solver does not fill. */
  const unfilled = (request: QuoteRequest) => quoteOf({ ...request, referrer: "scenario:stuck" });

  const execute = (quote: ReceivedQuote, parameters: Partial<sdk.ExecuteStepsParameters> = {}) =>
    sdk.executeSteps(client(), {
      quote,
      trust: network.trust,
      wallet: userWallet(network, origin()),
      // Some kinds of quotes have calls that leave tokens behind.
      preflight: createPreflight({ chains: [network.chains[0]], trust: network.trust }),
      destinationClient: reader(destination()),
      pollIntervalMs: 25,
      ...parameters,
    });
  /** Returns the problem that a run reports if the service claims success with these transactions. */
  async function problemOf(quote: ReceivedQuote, txHashes: readonly string[] | undefined, parameters = {}) {
    service.claim = (status) => (status.status === "waiting" ? status : { ...status, status: "success", txHashes });
    const resumable = { journal: sdk.createMemoryJournal(), timeoutMs: 1_000, ...parameters };
    let error = await failureOf(execute(quote, resumable));
    // On a slow machine, the run can time out before the service has a status to change.
    while (error instanceof sdk.TimedOutError) error = await failureOf(execute(quote, resumable));
    expect(error).to.be.instanceOf(sdk.RequestNotFilledError);
    const { status, requestId, details } = error as sdk.RequestNotFilledError;
    expect([status, requestId]).to.deep.equal(["unconfirmed", requestIdOf(quote)]);
    return details?.replaceAll(/chain \d+: |0x[0-9a-f]{64} /gu, "");
  }

  async function send(
    account: Account,
    transaction: { readonly to: Address; readonly data?: Hex; readonly value?: bigint; readonly gas?: bigint },
    chain: LocalnetChain = destination(),
  ): Promise<Hex> {
    const wallet = createWalletClient({
      account,
      chain: describeChain(chain.id, chain.rpcUrl),
      transport: http(chain.rpcUrl),
      pollingInterval: 25,
    });
    const hash = await sendTransaction(wallet, transaction);
    await waitForTransactionReceipt(reader(chain), { hash });
    return hash;
  }
  /**
   * Sends a transaction after the payment. Returns the problem that a run reports if the service claims that it is
   * the fill.
   */
  async function problemWith(
    quote: ReceivedQuote,
    fill: () => Promise<Hex>,
    parameters: Partial<sdk.ExecuteStepsParameters> = {},
  ): Promise<string | undefined> {
    const journal = sdk.createMemoryJournal();
    expect(await problemOf(quote, [], { ...parameters, journal })).to.equal("the status has no transaction");
    service.claim = undefined;
    return problemOf(quote, [await fill()], { ...parameters, journal });
  }

  const orderIdOf = (quote: ReceivedQuote) => quote.protocol?.v2?.orderId as Hex;
  const minimumOf = (quote: ReceivedQuote) => BigInt(quote.details?.currencyOut?.minimumAmount ?? "0");
  /** Returns a quote's fill, which the test sends with the solver's key. */
  const fillOf = (quote: ReceivedQuote, value = minimumOf(quote)) => ({ to: user(), data: orderIdOf(quote), value });
  type Fill = ReturnType<typeof fillOf>;
  const transferOf = (quote: ReceivedQuote, to: string | undefined, amount: bigint): Hex =>
    concat([
      encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [(to ?? user()) as Address, amount] }),
      orderIdOf(quote),
    ]);
  const { solver, stranger } = localAccounts;

  describe("confirms every success that the local service reports", () => {
    const moreShapes = (): Readonly<Record<string, QuoteRequest>> => {
      const { tether, wrappedNative, feeToken } = destination().contracts;
      const calls = [
        {
          to: tether,
          data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [user(), 0n] }),
          value: "0",
        },
      ];
      return {
        "a swap to a token": { ...native(), destinationCurrency: tether },
        "an exact-output swap": {
          ...native(),
          destinationCurrency: tether,
          tradeType: "EXACT_OUTPUT",
          amount: "5000000",
        },
        "a swap to a token with a transfer fee": { ...native(), destinationCurrency: feeToken },
        "wrapped native": { ...native(), destinationCurrency: wrappedNative },
        "calls after a swap": { ...native(), destinationCurrency: tether, txs: calls },
        "delivery below the quote": { ...native(), referrer: "scenario:delivery?bps=-40", slippageTolerance: "50" },
      };
    };
    const PASSED = { verdict: "passed", findings: [] } as const;
    const SIMULATED_ORIGINS = ["SVM", "SVM token", "exchange chain", "exchange chain, perpetuals"];
    const ELSEWHERE = ["to the SVM"];

    it("for each kind of quote", async () => {
      for (const [shape, request] of Object.entries({ ...quoteShapes(network), ...moreShapes() })) {
        if (ELSEWHERE.includes(shape)) continue;
        const sponsored = sdk.createServiceClient({ baseUrl: service.url, apiKey: network.apiKey, limits: false });
        const quote = await sdk.getQuote(sponsored, request);
        const deposit = async () => {
          const path = `/admin/requests/${requestIdOf(quote)}/deposit`;
          await post(network, path, {}, { "x-admin-key": network.adminKey });
          return undefined;
        };
        const { status } = await execute(quote, {
          destinationClient: reader(request.destinationChainId === origin().id ? origin() : destination()),
          ...(SIMULATED_ORIGINS.includes(shape)
            ? { onSvmTransaction: deposit, onExchangeAction: deposit, preflight: () => Promise.resolve(PASSED) }
            : {}),
        });
        expect(status.status, shape).to.equal("success");
      }
    });

    const incomplete: Record<string, object> = {
      "returns an error while it indexes transactions": new Error("transaction indexing is in progress"),
      "returns a receipt without a block": { blockHash: null, blockNumber: null, status: null },
    };
    for (const [name, answer] of Object.entries(incomplete)) {
      it(`even if the destination's node first ${name}`, async () => {
        let left = 2;
        const request = async (call: { method: string; params?: unknown }): Promise<unknown> => {
          const real: unknown = await reader(destination()).request(call as never);
          if (call.method !== "eth_getTransactionReceipt" || left-- <= 0) return real;
          if (answer instanceof Error) throw Object.assign(answer, { code: -32_000 });
          return { ...(real as object), ...answer };
        };
        const destinationClient = createClient({
          transport: custom({ request }, { retryCount: 0 }),
          pollingInterval: 25,
        });
        const { status } = await execute(await quoteOf(native()), { destinationClient });
        expect([status.status, left < 0]).to.deep.equal(["success", true]);
      });
    }

    it("in a later run, even without a journal", async () => {
      const quote = await quoteOf(native());
      const first = await execute(quote);
      expect((await execute(quote)).status).to.deep.equal(first.status);
    });

    it("after the fill is included", async () => {
      const quote = await quoteOf(native());
      const journal = sdk.createMemoryJournal();
      const { txHashes } = (await execute(quote, { journal })).status;
      const chain = reader(destination());
      let asked = 0;
      const lagging = createClient({
        pollingInterval: 1,
        transport: custom({
          request: (call: { method: string }) => {
            if (call.method === "eth_getTransactionReceipt" && (asked += 1) < 3) return Promise.resolve(null);
            return chain.request(call as never);
          },
        }),
      });
      const { status } = await execute(quote, { journal, destinationClient: lagging });
      expect([status.txHashes, asked]).to.deep.equal([txHashes, 3]);
    });
  });

  describe("rejects a hostile service's claim of success", () => {
    const FOREIGN = "does not involve a pinned solver or router";
    const OTHER = "does not name this order";
    const EARLIER = "was included before the payment";
    const LACKING = "delivers less than the minimum output";

    it("without a transaction", async () => {
      const [quote, journal] = [await unfilled(native()), sdk.createMemoryJournal()];
      expect(await problemOf(quote, [], { journal })).to.equal("the status has no transaction");
      expect(await problemOf(quote, undefined, { journal })).to.equal("the status has no transaction");
    });

    it("with a hash that belongs to no transaction, at the timeout", async () => {
      const [quote, journal] = [await unfilled(native()), sdk.createMemoryJournal()];
      expect(await problemOf(quote, [`0x${"12".repeat(32)}`], { journal })).to.equal("is not included");
      expect(await problemOf(quote, ["0x12"], { journal })).to.equal("0x12 is not included");
    });

    it("with another transaction from the solver", async () => {
      const quote = await unfilled(native());
      const other = { ...fillOf(quote), data: `0x${"12".repeat(32)}` as const };
      expect(await problemWith(quote, () => send(solver, other))).to.equal(OTHER);
      const bare = { to: user(), value: minimumOf(quote) };
      expect(await problemWith(await unfilled(native()), () => send(solver, bare))).to.equal(OTHER);
    });

    it("with the fill of another order", async () => {
      const fill = async () => ((await execute(await quoteOf(native()))).status.txHashes?.[0] ?? "0x") as Hex;
      const earlier = await fill();
      expect(await problemOf(await unfilled(native()), [earlier])).to.equal(EARLIER);
      expect(await problemWith(await unfilled(native()), fill)).to.equal(OTHER);
    });

    it("with an earlier fill of the same order", async () => {
      const quote = await unfilled(native());
      const earlier = await send(solver, fillOf(quote));
      expect(await problemOf(quote, [earlier])).to.equal(EARLIER);
    });

    it("with an old quote, returned again with its fill", async () => {
      const quote = await quoteOf(native());
      await execute(quote);
      const later = { ...quote, quotedAtMs: quote.quotedAtMs + 3_600_000 };
      for (const again of [{ ...quote }, later]) {
        const error = await failureOf(execute(again, { freshness: false }));
        expect(error).to.be.instanceOf(sdk.QuoteRefusedError);
        expect((error as sdk.QuoteRefusedError).unmet.map(({ code }) => code)).to.deep.equal(["REQUEST_NEW"]);
      }
    });

    it("with a transaction from a stranger", async () => {
      const quote = await unfilled(native());
      expect(await problemWith(quote, () => send(stranger, fillOf(quote)))).to.equal(FOREIGN);
    });

    it("with a stranger's calls through the public router", async () => {
      const quote = await unfilled(native());
      const data = encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [[], user(), user(), "0x"] });
      const fill = () => send(stranger, { to: destination().contracts.router, data: concat([data, orderIdOf(quote)]) });
      expect(await problemWith(quote, fill)).to.equal(LACKING);
    });

    it("with a transaction that failed", async () => {
      const quote = await unfilled(token());
      const data = transferOf(quote, quote.quotedRequest.recipient, 10n ** 30n);
      const fill = async () => {
        // The node includes the transaction, and reports that it failed.
        await failureOf(send(solver, { to: destination().contracts.dollar, data, gas: 200_000n }));
        const { transactions } = await reader(destination()).getBlock();
        return transactions[0] ?? "0x";
      };
      expect(await problemWith(quote, fill)).to.equal("failed");
    });

    it("with a fill that delivers less than the minimum, or to another account", async () => {
      for (const change of [
        (fill: Fill) => ({ ...fill, value: fill.value - 1n }),
        (fill: Fill) => ({ ...fill, to: stranger.address }),
      ]) {
        const quote = await unfilled(native());
        expect(await problemWith(quote, () => send(solver, change(fillOf(quote))))).to.equal(LACKING);
      }
      for (const [recipient, missing] of [
        [token().recipient, 1n],
        [stranger.address, 0n],
      ] as const) {
        const quote = await unfilled(token());
        const data = transferOf(quote, recipient, minimumOf(quote) - missing);
        expect(await problemWith(quote, () => send(solver, { to: destination().contracts.dollar, data }))).to.equal(
          LACKING,
        );
      }
    });

    it("with a fill that makes fewer or different calls, or delivers too little to them", async () => {
      const CALLS = "does not make the request's calls";
      type Made = readonly { target: Address; allowFailure: boolean; value: bigint; callData: Hex }[];
      const attacks: readonly (readonly [problem: string, change: (calls: Made) => Made])[] = [
        [CALLS, () => []],
        [CALLS, (calls) => calls.slice(1)],
        [CALLS, (calls) => calls.toReversed()],
        [CALLS, (calls) => calls.map((call) => ({ ...call, target: stranger.address }))],
        [CALLS, (calls) => calls.map((call) => ({ ...call, value: call.value - 1n }))],
        // Approves and transfers one unit without delivering the minimum.
        [LACKING, (calls) => calls],
      ];
      for (const [problem, change] of attacks) {
        const shape = problem === LACKING ? "token calls" : "native calls";
        const quote = await unfilled(quoteShapes(network)[shape]!);
        const { router, dollar } = destination().contracts;
        const calls = (quote.quotedRequest.txs ?? []).map(({ to, data, value }) => ({
          target: to as Address,
          allowFailure: false,
          value: BigInt(value),
          callData: data as Hex,
        }));
        const data = encodeFunctionData({
          abi: routerAbi,
          functionName: "multicall",
          args: [[...change(calls)], user(), user(), "0x"],
        });
        const fill = async () => {
          const unit = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [router, 1n] });
          if (shape === "token calls") await send(solver, { to: dollar, data: unit });
          const value = shape === "token calls" ? 0n : minimumOf(quote);
          return send(solver, { to: router, value, data: concat([data, orderIdOf(quote)]) });
        };
        expect(await problemWith(quote, fill), problem).to.equal(problem);
      }
    });

    it("for a same-chain request, with any transaction except the user's own payment", async () => {
      const request = quoteShapes(network)["native send"]!;
      const here = { destinationClient: reader(origin()) };
      const pay = async () => ((await execute(await quoteOf(request), here)).status.txHashes?.[0] ?? "0x") as Hex;
      const earlier = await pay();
      expect(await problemOf(await quoteOf(request), [earlier], here)).to.equal(EARLIER);
      expect(await problemWith(await quoteOf(request), pay, here)).to.equal(
        "is not the user's payment for this request",
      );
    });

    it("before the request is paid", async () => {
      const { status } = await execute(await quoteOf(native()));
      const quote = await quoteOf(native());
      const before = await getTransactionCount(reader(origin()), { address: user() });
      service.claim = () => ({ ...status, status: "success" });
      const error = await failureOf(execute(quote));
      expect((error as sdk.QuoteRefusedError).unmet.map(({ code }) => code)).to.deep.equal(["REQUEST_NEW"]);
      expect(await getTransactionCount(reader(origin()), { address: user() })).to.equal(before);
    });
  });

  it("is not awaited forever if the destination chain's node does not respond", async () => {
    const quote = await quoteOf(native());
    for (const hung of ["eth_chainId", "eth_getTransactionReceipt"]) {
      const stop = new AbortController();
      const chain = reader(destination());
      const destinationClient = createClient({
        pollingInterval: 1,
        transport: custom({
          request(call: { method: string }) {
            if (call.method !== hung) return chain.request(call as never);
            stop.abort();
            return new Promise(() => undefined);
          },
        }),
      });
      const error = await failureOf(execute(quote, { destinationClient, signal: stop.signal }));
      expect(error, hung).to.include({ code: "ABORTED" });
    }
  });

  it("is checked only on the destination chain, before anything is signed", async () => {
    const before = await getTransactionCount(reader(origin()), { address: user() });
    const quote = await quoteOf(native());
    const wrong = await failureOf(execute(quote, { destinationClient: reader(origin()) }));
    expect(wrong).to.be.instanceOf(sdk.WrongChainError);
    expect(wrong).to.include({ expectedChainId: destination().id, actualChainId: origin().id });
    const unpinned = await failureOf(execute(quote, { trust: "service" }));
    expect(unpinned).to.be.instanceOf(sdk.InvalidInputError);
    expect(unpinned).to.include({ field: "destinationClient", value: '"[client]"' });
    expect(await getTransactionCount(reader(origin()), { address: user() })).to.equal(before);
  });
});
