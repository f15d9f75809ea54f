// Tests every client function against a real local network.
import { expect } from "chai";
import { type Address, createWalletClient, type Hex, http, parseEther, toHex, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import * as sdk from "../../packages/sdk/src/index.ts";
import { LOCAL_API_KEY } from "../../packages/crosscall/src/localnet/index.ts";
import { factsOf, rejected } from "../support/rejection.ts";
import { until } from "../support/until.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { dollarsOf, reader, userWallet } from "./support/parties.ts";
import {
  depositAndWatch,
  depositNative,
  etherRequest,
  orderIdOf,
  quoteEther,
  requestIdOf,
} from "./support/requests.ts";

const UNKNOWN_ID = `0x${"0".repeat(64)}`;

describe("the client functions", () => {
  const network = useNetwork({ sponsoringApiKeys: [LOCAL_API_KEY] });
  let client: sdk.ServiceClient;
  const [origin, destination] = chainsOf(network);

  before(() => {
    client = sdk.createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  });

  it("getPrice returns the amounts of a quote, without storing a request", async () => {
    const request = etherRequest(network);
    const quote = await sdk.getQuote(client, request);
    const countRequests = async () => (await sdk.listRequests(client, { includeTotal: true, limit: 1 })).total;
    const before = await countRequests();
    const price = await sdk.getPrice(client, request);
    expect(await countRequests()).to.equal(before);
    expect(price.details?.currencyOut?.amount).to.equal(quote.details?.currencyOut?.amount);
    const older = await sdk.getQuote(sdk.createServiceClient({ baseUrl: network.url, quoteVersion: 2 }), request);
    expect(price.fees?.relayer?.amountUsd).to.equal(older.fees?.relayer?.amountUsd);
    const error = await rejected(sdk.getPrice(client, { ...request, originCurrency: network.solver }));
    expect(error).to.include({ code: "SERVICE_ERROR", status: 400, errorCode: "INVALID_INPUT_CURRENCY" });
  });

  it("searchCurrencies finds currencies by name, chain and address", async () => {
    const found = await sdk.searchCurrencies(client, { term: "tether", chainIds: [destination.id] });
    expect(found.map(({ chainId, address, vmType }) => [chainId, address, vmType])).to.deep.equal([
      [destination.id, destination.contracts.tether.toLowerCase(), "evm"],
    ]);
    const tokens = [`${origin.id}:${origin.contracts.dollar}`];
    expect((await sdk.searchCurrencies(client, { tokens })).map(({ symbol }) => symbol)).to.deep.equal(["USDC"]);
    expect(await sdk.searchCurrencies(client, { limit: 1 })).to.have.length(1);
  });

  it("getTrendingCurrencies returns recently bought currencies", async () => {
    await depositAndWatch(network, await quoteEther(network));
    const [first] = await sdk.getTrendingCurrencies(client, { sortBy: "relay24hBuyTxCount", limit: 1 });
    expect(first).to.include({ chainId: destination.id, address: destination.contracts.dollar.toLowerCase() });
  });

  it("getTokenPrice returns a price in US dollars", async () => {
    expect(await sdk.getTokenPrice(client, { chainId: origin.id, address: zeroAddress })).to.equal(2_500);
    const unknown = sdk.getTokenPrice(client, { chainId: origin.id, address: network.solver });
    expect(await rejected(unknown)).to.include({ code: "SERVICE_ERROR", status: 400 });
  });

  it("getChains, getChainHealth, getChainLiquidity and getSwapSources describe the chains", async () => {
    expect((await sdk.getChains(client)).map(({ id }) => id)).to.include.members([origin.id, destination.id]);
    expect(await sdk.getChainHealth(client)).to.deep.equal({ healthy: true });
    expect(await sdk.getChainHealth(client, { chainId: origin.id })).to.deep.equal({ healthy: true });
    const liquidity = await sdk.getChainLiquidity(client, { chainId: destination.id });
    const dollars = await dollarsOf(destination, network.solver);
    expect(liquidity.find(({ currencyId }) => currencyId === "usdc")?.balance).to.equal(dollars.toString());
    expect(await sdk.getSwapSources(client, { chainId: origin.id })).to.deep.equal(["uniswap-v3", "wrapped-native"]);
    for (const verb of [sdk.getChainHealth, sdk.getChainLiquidity, sdk.getSwapSources]) {
      expect(await rejected(verb(client, { chainId: 5 }))).to.include({ status: 400, code: "SERVICE_ERROR" });
    }
  });

  it("getConfig returns the currencies that can be bridged", async () => {
    const user = network.accounts.user.address;
    const route = { originChainId: origin.id, destinationChainId: destination.id };
    const config = await sdk.getConfig(client, { ...route, user, currency: "usdc" });
    expect(config).to.include({ enabled: true });
    expect(config.user?.balance).to.equal((await dollarsOf(origin, user)).toString());
    expect(config.solver?.balance).to.equal((await dollarsOf(destination, network.solver)).toString());
    const error = await rejected(sdk.getConfig(client, { ...route, currency: "btc" }));
    expect(factsOf(error)).to.include({ code: "SERVICE_ERROR", endpoint: "GET /config/v2", status: 400 });
  });

  it("getUsage counts the requests made with the API key", async () => {
    await sdk.getStatus(client, { requestId: requestIdOf(await quoteEther(network)) });
    const metrics = await sdk.getUsage(client, { granularity: "daily" });
    const counted = metrics.find(({ endpoint }) => endpoint === "/intents/status/v3");
    expect(counted).to.include({ apiKey: network.apiKey, statusCode: 200 });
    expect(counted?.count).to.be.greaterThan(0);
    const error = await rejected(sdk.getUsage(client, { apiKey: "the key of another account" }));
    expect(error.code).to.equal("SERVICE_ERROR");
    expect(JSON.stringify(error)).not.to.include("another account");
  });

  it("getDepositAddress returns an address, and reindexDepositAddress finds a payment that was not announced", async () => {
    const quote = await sdk.getQuote(client, {
      ...etherRequest(network),
      refundTo: network.accounts.stranger.address,
      useDepositAddress: true,
    });
    const requestId = quote.steps?.[0]?.requestId ?? "";
    const found = await sdk.getDepositAddress(client, { requestId });
    expect(found).to.include({ requestId, chainId: origin.id, type: "open", currency: "eth" });
    const { depositAddress } = found;
    expect(await sdk.getDepositAddress(client, { address: depositAddress })).to.deep.equal(found);

    const reindex = () =>
      sdk.reindexDepositAddress(client, { chainId: origin.id, depositAddress, currency: zeroAddress });
    // The solver reads the balance only when there is a new block.
    const balance = parseEther("1");
    const params = [depositAddress, toHex(balance)];
    await reader(origin).request({ method: "hardhat_setBalance", params } as never);
    expect(await reindex()).to.deep.include({
      triggeredCurrencies: [{ currency: zeroAddress, symbol: "ETH", balance: balance.toString() }],
      failedCurrencies: 0,
    });
    await until(async () => (await sdk.getStatus(client, { requestId })).status === "success");
    const unknown = { chainId: origin.id, depositAddress: network.solver };
    expect(await rejected(sdk.reindexDepositAddress(client, unknown))).to.include({
      code: "SERVICE_ERROR",
      status: 404,
    });
  });

  it("setRequestMetadata adds a partner id to the record", async () => {
    const requestId = requestIdOf(await quoteEther(network));
    await sdk.setRequestMetadata(client, { requestId, moonPayId: "purchase-7" });
    const { data } = await sdk.getRequest(client, { requestId });
    expect(JSON.stringify(data)).to.include("purchase-7");
    const unknown = sdk.setRequestMetadata(client, { requestId: UNKNOWN_ID, moonPayId: "purchase-7" });
    expect(factsOf(await rejected(unknown))).to.include({ status: 404, requestId: UNKNOWN_ID });
  });

  it("fastFill fills a request before its deposit", async () => {
    const quote = await quoteEther(network, { amount: parseEther("0.1").toString() });
    const requestId = requestIdOf(quote);
    expect(await rejected(sdk.fastFill(client, { requestId, maxFillAmountUsd: 1 }))).to.include({ status: 400 });
    await sdk.fastFill(client, { requestId, maxFillAmountUsd: 300 });
    await until(async () => (await sdk.getStatus(client, { requestId })).status === "success");
    expect((await sdk.getRequest(client, { requestId })).features).to.deep.equal(["fast_fill"]);
    const txHash = await depositNative(network, { id: orderIdOf(quote), value: parseEther("0.1") });
    await sdk.announceDeposit(client, { chainId: origin.id, txHash, requestId });
  });

  it("announceTransaction reports the transaction of a same-chain request", async () => {
    const quote = await quoteEther(network, {
      destinationChainId: origin.id,
      destinationCurrency: zeroAddress,
      recipient: network.accounts.stranger.address,
    });
    const requestId = requestIdOf(quote);
    const transaction = quote.steps[0]?.items[0]?.data ?? {};
    const wallet = userWallet(network, origin);
    const { to, data, value } = transaction as { to: Address; data: Hex; value: string };
    const txHash = await sendTransaction(wallet, { to, data, value: BigInt(value) });
    await waitForTransactionReceipt(wallet, { hash: txHash });
    await sdk.announceTransaction(client, { requestId, chainId: origin.id, txHash, transaction });
    expect((await sdk.getStatus(client, { requestId })).status).to.equal("success");
    const unknown = { requestId: UNKNOWN_ID, chainId: origin.id, txHash, transaction };
    expect(await rejected(sdk.announceTransaction(client, unknown))).to.include({ code: "SERVICE_ERROR", status: 404 });
  });

  it("getSignature and getSignatureV2 return the signed fields", async () => {
    const quote = await quoteEther(network);
    const requestId = requestIdOf(quote);
    const { destinationCurrency, ...shared } = (await sdk.getSignatureV2(client, { requestId })).requestData ?? {};
    const { originAmount, ...fields } = (await sdk.getSignature(client, { requestId })).requestData ?? {};
    expect(shared).to.deep.equal(fields);
    expect(originAmount).to.equal(quote.details.currencyIn.amount);
    expect(destinationCurrency).to.equal(destination.contracts.dollar.toLowerCase());
    const error = await rejected(sdk.getSignatureV2(client, { requestId: UNKNOWN_ID }));
    expect(factsOf(error)).to.include({ code: "SERVICE_ERROR", status: 404, requestId: UNKNOWN_ID });
  });

  describe("app fees", () => {
    /** Creates a wallet with 25 US dollars in earned fees. Counts its signatures. */
    async function earn() {
      let signed = 0;
      const account = privateKeyToAccount(generatePrivateKey());
      const wallet = createWalletClient({
        account: {
          ...account,
          signMessage: (message) => {
            signed += 1;
            return account.signMessage(message);
          },
        },
        transport: http(origin.rpcUrl),
      });
      const { address } = account;
      await depositAndWatch(network, await quoteEther(network, { appFees: [{ recipient: address, fee: "100" }] }));
      return { address, wallet, signedCount: () => signed };
    }
    const availableTo = async (address: string) =>
      (await sdk.getAppFeeBalances(client, { address })).availableBalanceUsd;
    const currency = () => ({ chainId: origin.id, currency: origin.contracts.dollar });

    it("are claimed with one signature, and listed afterwards", async () => {
      const { address, wallet, signedCount } = await earn();
      expect(await availableTo(address)).to.equal(25);
      const recipient = privateKeyToAccount(generatePrivateKey()).address;
      const first = await sdk.claimAppFees(client, { wallet, ...currency(), recipient, amount: 5_000_000n });
      expect([signedCount(), await availableTo(address)]).to.deep.equal([1, 20]);
      const rest = await sdk.claimAppFees(client, { wallet, ...currency() });
      expect(await availableTo(address)).to.equal(0);
      const isPaid = async () =>
        (await sdk.listAppFeeClaims(client, { address })).claims.every(({ status }) => status === "success");
      await until(isPaid);
      expect([await dollarsOf(origin, recipient), await dollarsOf(origin, address)]).to.deep.equal([
        5_000_000n,
        20_000_000n,
      ]);

      const page = await sdk.listAppFeeClaims(client, { address, limit: 1 });
      expect(page.claims.map(({ claimId }) => claimId)).to.deep.equal([rest.claimId]);
      const { continuation = "" } = page;
      const next = await sdk.listAppFeeClaims(client, { address, limit: 1, continuation });
      expect(next.claims.map(({ claimId, recipient: to }) => [claimId, to])).to.deep.equal([
        [first.claimId, recipient],
      ]);
      expect(next.continuation).to.equal(undefined);
      const ids: unknown[] = [];
      for await (const { claimId } of sdk.iterateAppFeeClaims(client, { address })) ids.push(claimId);
      expect(ids).to.deep.equal([rest.claimId, first.claimId]);

      const empty = await rejected(sdk.claimAppFees(client, { wallet, ...currency() }));
      expect([empty.code, signedCount()]).to.deep.equal(["SERVICE_ERROR", 2]);
    });

    it("are not claimed if the service requests a different signature", async () => {
      const { address, wallet, signedCount } = await earn();
      const paths: string[] = [];
      const hostile = (change: (body: string) => string) =>
        sdk.createServiceClient({
          baseUrl: network.url,
          fetch: async (url, init) => {
            paths.push(new URL(url).pathname);
            const response = await fetch(url, init);
            return new Response(change(await response.text()), { status: response.status });
          },
        });
      const attacks = {
        "sign.message": (body: string) => body.replace(/("message":"0x)[0-9a-f]{64}/u, `$1${"5a".repeat(32)}`),
        "sign.signatureKind": (body: string) => body.replace('"eip191"', '"eip712"'),
        "post.endpoint": (body: string) => body.replace('"/execute/permits"', '"/execute"'),
      };
      for (const [path, change] of Object.entries(attacks)) {
        const error = await rejected(sdk.claimAppFees(hostile(change), { wallet, ...currency() }));
        expect(factsOf(error)).to.include({ code: "MALFORMED_DATA", path: `steps[0].items[0].data.${path}` });
      }
      const path = `/app-fees/${address}/claim`;
      expect([signedCount(), paths]).to.deep.equal([0, [path, path, path]]);
      expect(await availableTo(address)).to.equal(25);
      expect((await sdk.listAppFeeClaims(client, { address })).claims).to.deep.equal([]);
    });
  });
});
