import { convertViemChainToRelayChain, createClient } from "@relayprotocol/relay-sdk";
import { expect } from "chai";
import { type Address, type Hex, erc20Abi, parseEther, zeroAddress } from "viem";
import { readContract, sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { cleanupErc20s } from "../../packages/sdk/src/calls/index.ts";
import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import type { Quote, RequestRecord } from "../../packages/protocol/src/complete.ts";
import {
  isTerminalStatus,
  parseData,
  quoteFeeTable,
  type QuoteRequest,
  recordFeeTable,
} from "../../packages/protocol/src/index.ts";
import { TransactionDataSchema } from "../../packages/protocol/src/quote/step.ts";
import { describeChain } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { createPreflight } from "../../packages/crosscall/src/replay/preflight/preflight.ts";
import type { LocalnetChain } from "../../packages/crosscall/src/localnet/index.ts";
import { getQuote } from "../support/complete.ts";
import { until } from "../support/until.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { failureOf } from "./support/failureOf.ts";
import { mintDollars, reader, userWallet } from "./support/parties.ts";
import { onNode, requestIdOf } from "./support/requests.ts";
import { post, recordOf } from "./support/serviceCalls.ts";

const DOLLAR = 1_000_000n;
const USD_E18 = 10n ** 18n;
const RECIPIENT: Address = "0x00000000000000000000000000000000000000bb";

describe("same-chain requests", () => {
  const network = useNetwork();
  let chain: LocalnetChain;

  before(async () => {
    [chain] = network.chains;
    await mintDollars(network, chain, 1_000_000n * DOLLAR);
  });

  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  const user = () => network.accounts.user.address;
  const request = (change: Partial<QuoteRequest>): QuoteRequest => ({
    user: user(),
    originChainId: chain.id,
    destinationChainId: chain.id,
    originCurrency: zeroAddress,
    destinationCurrency: chain.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: parseEther("1").toString(),
    ...change,
  });
  const quoteOf = (change: Partial<QuoteRequest>) => getQuote(client(), request(change));
  const execute = (quote: Quote) =>
    executeSteps(client(), {
      quote,
      wallet: userWallet(network, chain),
      preflight: createPreflight(network),
      pollIntervalMs: 25,
    });
  const stepIds = (quote: Quote) => quote.steps.map(({ id }) => id);
  const held = (currency: string, account: Address): Promise<bigint> =>
    currency === zeroAddress
      ? reader(chain).getBalance({ address: account })
      : readContract(reader(chain), {
          address: currency as Address,
          abi: erc20Abi,
          functionName: "balanceOf",
          args: [account],
        });
  /** Returns the solver's balances in this test's currencies, in US dollars with 18 decimals. */
  async function paidUsdE18(): Promise<bigint> {
    const { dollar, wrappedNative } = chain.contracts;
    const [native, wrapped, dollars] = await Promise.all(
      [zeroAddress, wrappedNative, dollar].map((currency) => held(currency, network.solver)),
    );
    return ((native ?? 0n) + (wrapped ?? 0n)) * 2_500n + ((dollars ?? 0n) * USD_E18) / DOLLAR;
  }
  async function end(requestId: string): Promise<RequestRecord> {
    return until(async () => {
      const record = await recordOf(network, requestId);
      return isTerminalStatus(record.status) && record;
    });
  }

  type Kind = readonly [
    requestType: string,
    steps: readonly string[],
    operation: string,
    change: () => Partial<QuoteRequest>,
  ];
  const KINDS: Record<string, Kind> = {
    "a swap from native": ["Same-chain Swap", ["swap"], "swap", () => ({ recipient: RECIPIENT })],
    "a swap from a token": [
      "Same-chain Swap",
      ["approve", "swap"],
      "swap",
      () => ({
        recipient: RECIPIENT,
        originCurrency: chain.contracts.dollar,
        destinationCurrency: zeroAddress,
        amount: (1_000n * DOLLAR).toString(),
      }),
    ],
    "a swap through two pools": [
      "Same-chain Swap",
      ["swap"],
      "swap",
      () => ({ recipient: RECIPIENT, destinationCurrency: chain.contracts.tether }),
    ],
    "a wrap": ["Wrap", ["swap"], "wrap", () => ({ destinationCurrency: chain.contracts.wrappedNative })],
    "a wrap for another": [
      "Wrap",
      ["swap"],
      "wrap",
      () => ({ recipient: RECIPIENT, destinationCurrency: chain.contracts.wrappedNative }),
    ],
    "an unwrap": [
      "Unwrap",
      ["swap"],
      "unwrap",
      () => ({ originCurrency: chain.contracts.wrappedNative, destinationCurrency: zeroAddress, amount: "1000000" }),
    ],
    "an unwrap for another": [
      "Unwrap",
      ["approve", "swap"],
      "unwrap",
      () => ({
        recipient: RECIPIENT,
        originCurrency: chain.contracts.wrappedNative,
        destinationCurrency: zeroAddress,
        amount: parseEther("0.001").toString(),
      }),
    ],
    "native sent": ["Send", ["send"], "send", () => ({ recipient: RECIPIENT, destinationCurrency: zeroAddress })],
    "a token sent": [
      "Send",
      ["send"],
      "send",
      () => ({ recipient: RECIPIENT, originCurrency: chain.contracts.dollar, amount: (5n * DOLLAR).toString() }),
    ],
    "calls in native": [
      "Call",
      ["deposit"],
      "bridge",
      () => ({
        destinationCurrency: zeroAddress,
        tradeType: "EXACT_OUTPUT" as const,
        amount: "500",
        txs: [{ to: RECIPIENT, data: "0x", value: "500" }],
      }),
    ],
  };
  /** Kinds of requests that send directly to a recipient or token, so that no contract can keep a fee. */
  const FREE = ["a wrap", "an unwrap", "native sent", "a token sent"];
  for (const [name, [requestType, steps, operation, change]] of Object.entries(KINDS)) {
    it(`run ${name} in the user's own transaction`, async () => {
      const quote = await quoteOf(change());
      expect([stepIds(quote), quote.details.operation]).to.deep.equal([steps, operation]);
      expect(quote.protocol).to.equal(undefined);
      const { gas } = parseData(TransactionDataSchema, quote.steps.at(-1)?.items[0]?.data, "the transaction");
      expect(Number(gas)).to.be.within(1_000_000, 2 ** 24);
      expect(quote.details.route.destination).to.equal(undefined);
      expect(quoteFeeTable(quote).mismatches).to.deep.equal([]);
      const { currencyOut, recipient } = quote.details;
      const isOwn = recipient === user();
      const to = requestType === "Call" ? RECIPIENT : (recipient as Address);
      const before = await held(currencyOut.currency.address, to);
      const unpaid = await paidUsdE18();
      const { requestId, status } = await execute(quote);
      const arrived = (await held(currencyOut.currency.address, to)) - before;
      // If the user is the recipient, the gas cost also changes this balance.
      if (!isOwn || requestType === "Wrap") expect(arrived).to.equal(BigInt(currencyOut.amount));

      expect(status.status).to.equal("success");
      expect(status.txHashes).to.deep.equal(status.inTxHashes);
      const record = await end(requestId);
      expect(record).to.include({ requestType, protocol: null });
      expect(record.data.inTxs[0]?.txHash).to.equal(status.inTxHashes?.[0]);
      const { actual } = record.data.route ?? expect.fail("no route");
      expect(actual.destination).to.equal(null);
      expect(actual.origin.outputCurrency.amount).to.equal(currencyOut.amount);
      const paid = recordFeeTable(record, "actual");
      const executionUsdE18 = FREE.includes(name) ? 0n : USD_E18 / 50n;
      for (const table of [quoteFeeTable(quote), paid]) {
        expect(table?.lines.find(({ component }) => component === "execution")?.usdE18).to.equal(executionUsdE18);
      }
      expect(paid?.mismatches).to.deep.equal([]);
      expect(recordFeeTable(record, "quoted")?.lines).to.deep.equal(quoteFeeTable(quote).lines);
      // Fees are rounded up to whole input units.
      const { groups } = quoteFeeTable(quote);
      const collected = (await paidUsdE18()) - unpaid - (executionUsdE18 + groups.provider + groups.app);
      expect(collected >= 0n && collected <= USD_E18 / DOLLAR).to.equal(true);
    });
  }

  it("pay platform fees and app fees to the service from the input", async () => {
    const quote = await quoteOf({
      recipient: RECIPIENT,
      appFees: [{ recipient: network.accounts.stranger.address, fee: "100" }],
    });
    // The fees are 6 bps and 100 bps of 2,500 dollars, and 0.02 dollars for the execution.
    expect(quote.details.expandedPriceImpact.relay.usd).to.equal("-1.500000");
    expect(quote.details.expandedPriceImpact.app.usd).to.equal("-25.000000");
    const before = await held(chain.contracts.wrappedNative, network.solver);
    await execute(quote);
    expect((await held(chain.contracts.wrappedNative, network.solver)) - before).to.equal(parseEther("0.010608"));
  });

  it("neither pay nor record an app fee for a plain transfer", async () => {
    const appFees = [{ recipient: network.accounts.stranger.address, fee: "100" }];
    const quote = await quoteOf({ recipient: RECIPIENT, destinationCurrency: zeroAddress, appFees });
    expect([quote.details.currencyOut.amount, quote.details.expandedPriceImpact.app.usd]).to.deep.equal([
      parseEther("1").toString(),
      "0.000000",
    ]);
    const { requestId } = await execute(quote);
    const { data, features } = await end(requestId);
    expect([data.appFees.quoted, data.appFees.actual, features]).to.deep.equal([[], [], []]);
  });

  it("deliver an exact output, take at most the input plus the tolerance, and return the rest", async () => {
    const amount = 1_000n * DOLLAR;
    const quote = await quoteOf({ recipient: RECIPIENT, tradeType: "EXACT_OUTPUT", amount: amount.toString() });
    const before = await held(chain.contracts.dollar, RECIPIENT);
    const { status } = await execute(quote);
    expect((await held(chain.contracts.dollar, RECIPIENT)) - before).to.equal(amount);
    const { value } = await reader(chain).getTransaction({ hash: (status.inTxHashes?.[0] ?? "0x") as Hex });
    const input = BigInt(quote.details.currencyIn.amount);
    expect(value > input && value <= (input * 10_201n) / 10_000n).to.equal(true);
    expect(await held(zeroAddress, chain.contracts.uniswapRouter)).to.equal(0n);
    expect(quote.details.currencyOut.minimumAmount).to.equal(amount.toString());
  });

  it("accept calls that spend the swap output", async () => {
    const { router, dollar } = chain.contracts;
    const send = {
      to: dollar,
      data: `0xa9059cbb${RECIPIENT.slice(2).padStart(64, "0")}${DOLLAR.toString(16).padStart(64, "0")}`,
      value: "0",
    };
    const careless = await quoteOf({ recipient: RECIPIENT, txs: [send] });
    const error = await failureOf(execute(careless));
    expect(String(error)).to.match(/LEFT_TOKENS, \d+ of 0x[0-9a-fA-F]{40} stay on the router/u);

    const sweep = cleanupErc20s({ router, cleanups: [{ token: dollar, recipient: user() }] });
    const quote = await quoteOf({ recipient: RECIPIENT, txs: [send, sweep] });
    const before = await held(dollar, RECIPIENT);
    const { requestId } = await execute(quote);
    expect((await held(dollar, RECIPIENT)) - before).to.equal(DOLLAR);
    expect((await recordOf(network, requestId)).requestType).to.equal("Call");
    expect([await held(zeroAddress, router), await held(dollar, router)]).to.deep.equal([0n, 0n]);
  });

  it("fail if the transaction reverts, and ignore transactions from other accounts", async () => {
    const quote = await quoteOf({ recipient: RECIPIENT });
    const { data } = quote.steps[0]?.items[0] ?? expect.fail("no step");
    const wallet = userWallet(network, chain);
    const stranger = { ...wallet, account: network.accounts.stranger } as typeof wallet;
    const call = { to: data?.to as Address, data: data?.data as Hex };
    const foreign = await sendTransaction(stranger, { to: RECIPIENT, data: call.data, value: 0n });
    await waitForTransactionReceipt(wallet, { hash: foreign });
    // The node mines the transaction, but returns the revert instead of the hash.
    await sendTransaction(wallet, { ...call, value: 0n, gas: 500_000n }).catch(() => undefined);
    const { transactions } = await reader(chain).getBlock();
    const [hash] = transactions;
    const record = await end(quote.steps[0]?.requestId ?? "");
    expect([record.status, record.data.failReason]).to.deep.equal(["failure", "TRANSACTION_REVERTED"]);
    expect(record.data.failedTxHash).to.equal(hash);
    expect(record.data.fees?.actual).to.equal(null);
  });

  it("are found in their new block after a reorg replaces a block that was already read", async () => {
    const [first, second] = await Promise.all([quoteOf({ recipient: RECIPIENT }), quoteOf({ recipient: RECIPIENT })]);
    const send = async (quote: Quote): Promise<void> => {
      const { to, data, value } = parseData(TransactionDataSchema, quote.steps[0]?.items[0]?.data, "the swap");
      const wallet = userWallet(network, chain);
      // A pool writes an observation only at some timestamps, so a gas estimate can be too low one second later.
      const gas = 1_000_000n;
      const transaction = { to: to as Address, data: data as Hex, value: BigInt(value ?? 0), gas };
      await waitForTransactionReceipt(wallet, { hash: await sendTransaction(wallet, transaction) });
    };
    const snapshot = await onNode(chain, "evm_snapshot");
    await send(first);
    expect((await end(requestIdOf(first))).status).to.equal("success");
    await onNode(chain, "evm_revert", snapshot);
    await send(second);
    await onNode(chain, "evm_mine");
    const { status, data } = await end(requestIdOf(second));
    expect([status, data.inTxs.length]).to.deep.equal(["success", 1]);
  });

  it("run with the unchanged published SDK", async () => {
    const { actions } = createClient({
      baseApiUrl: network.url,
      chains: [convertViemChainToRelayChain(describeChain(chain.id, chain.rpcUrl))],
      pollingInterval: 50,
    });
    for (const [currency, toCurrency, amount] of [
      [zeroAddress, chain.contracts.dollar, parseEther("1")],
      [chain.contracts.dollar, zeroAddress, 1_000n * DOLLAR],
    ] as const) {
      const quote = await actions.getQuote({
        chainId: chain.id,
        toChainId: chain.id,
        currency,
        toCurrency,
        amount: amount.toString(),
        tradeType: "EXACT_INPUT",
        user: user(),
        recipient: RECIPIENT,
      });
      const before = await held(toCurrency, RECIPIENT);
      await actions.execute({ quote, wallet: userWallet(network, chain) });
      expect((await held(toCurrency, RECIPIENT)) - before).to.equal(BigInt(quote.details?.currencyOut?.amount ?? 0));
      expect((await end(quote.steps.at(-1)?.requestId ?? "")).status).to.equal("success");
    }
  });

  type Rejection = readonly [change: () => Partial<QuoteRequest>, errorCode: string, field: string];
  const REFUSALS: Record<string, Rejection> = {
    "sending to oneself": [() => ({ destinationCurrency: zeroAddress }), "UNSUPPORTED_ROUTE", "recipient"],
    "calls paid in a token": [
      () => ({ originCurrency: chain.contracts.dollar, txs: [{ to: RECIPIENT, data: "0x", value: "0" }] }),
      "UNSUPPORTED_EXECUTION_TYPE",
      "originCurrency",
    ],
    "values with a token": [() => ({ txs: [{ to: RECIPIENT, data: "0x", value: "1" }] }), "INVALID_EXTRA_TXS", "txs"],
    "more than the pools hold": [
      () => ({ tradeType: "EXACT_OUTPUT", amount: (10n ** 16n).toString() }),
      "INSUFFICIENT_LIQUIDITY",
      "destinationCurrency",
    ],
    "an amount that would move the price": [
      () => ({ amount: parseEther("20000").toString() }),
      "SWAP_IMPACT_TOO_HIGH",
      "amount",
    ],
    "app fees of the whole amount": [
      () => ({ appFees: [{ recipient: RECIPIENT, fee: "10000" }] }),
      "AMOUNT_TOO_LOW",
      "amount",
    ],
  };
  for (const [name, [change, errorCode, field]] of Object.entries(REFUSALS)) {
    it(`are rejected for ${name}`, async () => {
      const { status, body } = await post(network, "/quote/v2", request(change()));
      const { errorCode: code, field: named } = body as { errorCode: string; field: string };
      expect([status, code, named]).to.deep.equal([400, errorCode, field]);
    });
  }
});
