import { expect } from "chai";
import { JsonRpcProvider, Wallet } from "ethers";
import {
  type Address,
  createWalletClient,
  custom,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
  parseEther,
  zeroAddress,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sendTransaction, waitForTransactionReceipt, writeContract } from "viem/actions";

import type { Quote } from "../../packages/protocol/src/complete.ts";
import { getQuote } from "../support/complete.ts";
import {
  createServiceClient,
  executeSteps,
  type ExecutionEvent,
  type QuoteRefusedError,
  requestIdOf,
  type ServiceClient,
} from "../../packages/sdk/src/index.ts";
import { verifyQuote } from "../../packages/sdk/src/verify.ts";
import type { QuoteFreshness } from "../../packages/sdk/src/execute/executeStepsParameters.ts";
import { parseData, type QuoteRequest } from "../../packages/protocol/src/index.ts";
import { TransactionDataSchema } from "../../packages/protocol/src/quote/step.ts";
import { failureOf } from "./support/failureOf.ts";
import { mintDollars, reader, userWallet } from "./support/parties.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { etherRequest } from "./support/requests.ts";

const MILLION_DOLLARS = 1_000_000_000_000n;

describe("executeSteps", () => {
  const network = useNetwork();
  const [origin] = chainsOf(network);
  const client = () => createServiceClient({ baseUrl: network.url });

  before(() => mintDollars(network, origin, MILLION_DOLLARS));

  const request = (change: Partial<QuoteRequest> = {}): QuoteRequest =>
    etherRequest(network, { amount: parseEther("0.01").toString(), ...change });
  const dollars = (change: Partial<QuoteRequest> = {}) =>
    request({ originCurrency: origin.contracts.dollar, amount: "5000000", ...change });
  const countSent = () => reader(origin).getTransactionCount({ address: network.accounts.user.address });

  it("approves and deposits a token with an ethers signer", async () => {
    const { privateKey } = { privateKey: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80" };
    const provider = new JsonRpcProvider(origin.rpcUrl, undefined, { pollingInterval: 25 });
    const quote = await getQuote(client(), dollars());
    const { transactions, status } = await executeSteps(client(), {
      quote,
      wallet: new Wallet(privateKey, provider),
      pollIntervalMs: 25,
    });
    provider.destroy();
    expect([quote.steps.map(({ id }) => id), transactions.length, status.status]).to.deep.equal([
      ["approve", "deposit"],
      2,
      "success",
    ]);
  });

  it("approves and deposits a token through a load balancer with a node that lags behind", async () => {
    const { account, chain, request: ask } = userWallet(network, origin);
    /** Methods that the lagging node answers after the approval, and the block that it has. */
    const late = new Map<string, number>();
    let block: Hex | undefined;
    const wallet = createWalletClient({
      account,
      chain,
      pollingInterval: 25,
      transport: custom({
        async request({ method, params = [] }: { method: string; params?: unknown[] }) {
          const left = late.get(method) ?? 0;
          late.set(method, left - 1);
          const lagging = left > 0 ? [params[0], block] : params;
          const response = await (ask as (call: object) => Promise<unknown>)({ method, params: lagging });
          if (method === "eth_getTransactionReceipt" && response !== null && block === undefined) {
            block = numberToHex(BigInt((response as { blockNumber: Hex }).blockNumber) - 1n);
            late.set("eth_call", 4).set("eth_estimateGas", 2);
          }
          return response;
        },
      }),
    });
    const quote = await getQuote(client(), dollars());
    const { transactions, status } = await executeSteps(client(), { quote, wallet, pollIntervalMs: 25 });
    expect([quote.steps.map(({ id }) => id), transactions.length, status.status]).to.deep.equal([
      ["approve", "deposit"],
      2,
      "success",
    ]);
    expect([...late].filter(([, left]) => left > 0)).to.deep.equal([]);
  });

  it("reports an approval that the user lowered in the wallet, without repeated reads", async () => {
    const own = userWallet(network, origin);
    const ask = own.request as (call: object) => Promise<unknown>;
    /** Methods after the approval. */
    let methods: string[] | undefined;
    const wallet = createWalletClient({
      account: own.account.address,
      pollingInterval: 25,
      transport: custom({
        async request({ method, params = [] }: { method: string; params?: unknown[] }) {
          methods?.push(method);
          if (method !== "eth_sendTransaction") return ask({ method, params });
          const [{ to }] = params as [{ to: Address }];
          const approval = { abi: erc20Abi, functionName: "approve", args: [origin.contracts.depository, 1n] } as const;
          const hash = await writeContract(own, { address: to, ...approval });
          await waitForTransactionReceipt(own, { hash });
          methods = [];
          return hash;
        },
      }),
    });
    const quote = await getQuote(client(), dollars());
    const error = await failureOf(executeSteps(client(), { quote, wallet, pollIntervalMs: 25 }));
    expect(error).to.include({ code: "INSUFFICIENT_ALLOWANCE", needed: "5000000", found: "1" });
    // The balance and the allowance.
    expect(methods?.filter((method) => method === "eth_call")).to.have.length(2);
  });

  it("pays for several requests from one account at once", async () => {
    const before = await countSent();
    const wallet = userWallet(network, origin);
    const quotes = await Promise.all([1, 2, 3].map(() => getQuote(client(), request())));
    const results = await Promise.all(
      quotes.map((quote) => executeSteps(client(), { quote, wallet, pollIntervalMs: 25 })),
    );
    expect([results.map(({ status }) => status.status), await countSent()]).to.deep.equal([
      ["success", "success", "success"],
      before + 3,
    ]);
  });

  it("executes and verifies a quote in the proxies of a user interface", async () => {
    const proxied = <Value extends object>(value: Value): Value =>
      new Proxy(value, {
        get(target, name, receiver) {
          const field: unknown = Reflect.get(target, name, receiver);
          return typeof field === "object" && field !== null ? proxied(field) : field;
        },
      });
    const asked = request();
    const quote = proxied(await getQuote(client(), asked));
    const limits = proxied({ minimumOutput: 1n, maximumFees: { gas: parseEther("1") } });
    expect((await verifyQuote({ request: asked, quote, limits, trust: network.trust })).verdict).to.equal("bound");
    const { status } = await executeSteps(client(), {
      quote,
      request: proxied(asked),
      limits,
      wallet: userWallet(network, origin),
      pollIntervalMs: 25,
    });
    expect(status.status).to.equal("success");
  });

  it("does not repeat a deposit, even without a journal and before the service indexes the deposit", async () => {
    const quote = await getQuote(client(), request());
    const txHash = await deposit(quote);
    const before = await countSent();
    const events: ExecutionEvent[] = [];
    const { transactions } = await executeSteps(blindAtFirst(), {
      quote,
      wallet: userWallet(network, origin),
      pollIntervalMs: 25,
      onEvent: (event) => events.push(event),
    });
    expect([transactions, await countSent()]).to.deep.equal([[], before]);
    expect(events[0]).to.deep.equal({ kind: "found", requestId: quote.steps[0]?.requestId, txHash });
  });

  it("neither repeats a deposit nor reports success for an order that it did not pay for", async () => {
    const quote = await getQuote(client(), request());
    const wallet = userWallet(network, origin);
    await executeSteps(client(), { quote, wallet, pollIntervalMs: 25 });
    const before = await countSent();
    const { transactions, status } = await executeSteps(client(), { quote, wallet });
    expect([transactions.length, status.status, await countSent()]).to.deep.equal([1, "success", before]);
    // A new object can still be an old quote that the service returned again.
    const error = await failureOf(executeSteps(client(), { quote: { ...quote }, wallet, pollIntervalMs: 25 }));
    expect(error).to.include({ code: "QUOTE_REFUSED", requestId: requestIdOf(quote) });
    expect((error as QuoteRefusedError).unmet.map(({ code }) => code)).to.deep.equal(["REQUEST_NEW"]);
    expect(await countSent()).to.equal(before);
  });

  describe("checks before it sends anything", () => {
    /** An empty account. */
    const stranger = privateKeyToAccount(generatePrivateKey());
    const strangerWallet = () =>
      createWalletClient({ account: stranger, transport: http(origin.rpcUrl), pollingInterval: 25 });
    const failureOfExecuting = async (asked: QuoteRequest) => {
      const error = await failureOf(
        executeSteps(client(), { quote: await getQuote(client(), asked), wallet: strangerWallet() }),
      );
      expect(await reader(origin).getTransactionCount({ address: stranger.address })).to.equal(0);
      return error;
    };

    it("that the native balance covers the value and gas", async () => {
      await send(stranger.address, parseEther("0.01"));
      const error = await failureOfExecuting(request({ user: stranger.address }));
      expect(error).to.include({
        code: "INSUFFICIENT_BALANCE",
        chainId: origin.id,
        account: stranger.address,
        currency: zeroAddress,
        found: parseEther("0.01").toString(),
      });
      expect(BigInt((error as { needed: string }).needed) > parseEther("0.01")).to.equal(true);
    });

    it("the token balance", async () => {
      await send(stranger.address, parseEther("1"));
      const error = await failureOfExecuting(dollars({ user: stranger.address }));
      expect(error).to.include({
        code: "INSUFFICIENT_BALANCE",
        account: stranger.address,
        currency: origin.contracts.dollar,
        needed: "5000000",
        found: "0",
      });
    });

    it("that the allowance is sufficient, if no step approves the spender", async () => {
      const wallet = userWallet(network, origin);
      const { depository, dollar } = origin.contracts;
      const approve = (amount: bigint) =>
        writeContract(wallet, { address: dollar, abi: erc20Abi, functionName: "approve", args: [depository, amount] });
      await waitForTransactionReceipt(wallet, { hash: await approve(5_000_000n) });
      const quote = await getQuote(client(), dollars());
      expect(quote.steps.map(({ id }) => id)).to.deep.equal(["deposit"]);
      await waitForTransactionReceipt(wallet, { hash: await approve(4_999_999n) });
      const before = await countSent();
      const error = await failureOf(executeSteps(client(), { quote, wallet }));
      expect(error).to.include({
        code: "INSUFFICIENT_ALLOWANCE",
        chainId: origin.id,
        account: wallet.account.address,
        currency: dollar,
        spender: depository,
        needed: "5000000",
        found: "4999999",
      });
      expect(await countSent()).to.equal(before);
    });
  });

  describe("an old quote", () => {
    const execute = async (
      freshness: QuoteFreshness | false | undefined,
      { quotedRequest, ageMs = 30_001 }: { quotedRequest?: QuoteRequest; ageMs?: number } = {},
    ) => {
      const now = Date.now();
      const quote = await getQuote(client(), { ...request(), clock: { now: () => now } });
      const events: ExecutionEvent[] = [];
      const result = await executeSteps(client(), {
        // The response for another amount simulates a changed market price.
        quote: { ...quote, ...(quotedRequest === undefined ? {} : { quotedRequest }) },
        ...(quotedRequest === undefined ? {} : { trust: "service" as const }),
        wallet: userWallet(network, origin),
        pollIntervalMs: 25,
        ...(freshness === undefined ? {} : { freshness }),
        clock: { now: () => now + ageMs },
        onEvent: (event) => events.push(event),
      });
      return { quote, result, requoted: events.some(({ kind }) => kind === "requoted") };
    };

    it("is rejected if requoting is not allowed", async () => {
      const before = await countSent();
      expect(await failureOf(execute({ requotes: false }))).to.include({
        code: "QUOTE_STALE",
        ageMs: 30_001,
        maxAgeMs: 30_000,
      });
      expect(await countSent()).to.equal(before);
    });

    it("is executed if it is not older than the age limit", async () => {
      const { quote, result } = await execute(undefined, { ageMs: 30_000 });
      expect(result.requestId).to.equal(quote.steps[0]?.requestId);
    });

    it("is executed at any age with freshness off", async () => {
      const { quote, result, requoted } = await execute(false);
      expect([result.requestId === quote.steps[0]?.requestId, requoted]).to.deep.equal([true, false]);
    });

    it("is replaced by an equivalent quote", async () => {
      const { quote, result, requoted } = await execute({ toleranceBps: 100 });
      expect([result.requestId === quote.steps[0]?.requestId, requoted]).to.deep.equal([false, true]);
    });

    it("is rejected if the new output is below the tolerance", async () => {
      const before = await countSent();
      const half = request({ amount: parseEther("0.005").toString() });
      const error = await failureOf(execute({ toleranceBps: 100 }, { quotedRequest: half }));
      expect(error).to.include({ code: "QUOTE_WORSENED", amount: "minimumOutput", toleranceBps: 100 });
      expect(await countSent()).to.equal(before);
    });

    it("is rejected if the new input is higher for the same output", async () => {
      const double = request({ amount: parseEther("0.02").toString() });
      const error = await failureOf(execute({ toleranceBps: 100 }, { quotedRequest: double }));
      expect(error).to.include({
        code: "QUOTE_WORSENED",
        amount: "input",
        quoted: parseEther("0.01").toString(),
        offered: parseEther("0.02").toString(),
      });
    });
  });

  /** Returns a client that sends its first status request before the service has read the chain. */
  function blindAtFirst(): ServiceClient {
    let isFirst = true;
    return createServiceClient({
      baseUrl: network.url,
      fetch(...call) {
        if (!isFirst) return fetch(...call);
        isFirst = false;
        return Promise.resolve(Response.json({ status: "waiting" }));
      },
    });
  }

  async function deposit(quote: Quote): Promise<Hex> {
    const { to, data, value } = parseData(TransactionDataSchema, quote.steps[0]?.items[0]?.data, "the deposit");
    return send(to as Address, BigInt(value ?? 0), data as Hex);
  }

  async function send(to: Address, value: bigint, data: Hex = "0x"): Promise<Hex> {
    const wallet = userWallet(network, origin);
    const hash = await sendTransaction(wallet, { to, value, data });
    await waitForTransactionReceipt(wallet, { hash });
    return hash;
  }
});
