import { request as httpRequest } from "node:http";

import { createClient, type Execute } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import axios from "axios";
import { expect } from "chai";
import { type Address, encodeFunctionData, type Hex, parseEther, parseSignature, parseUnits, zeroAddress } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

import { localHubAbi } from "../../../packages/crosscall/src/abi/localHub.generated.ts";
import { HYPERLIQUID_CHAIN_ID } from "../../../packages/protocol/src/chains/chainIds.ts";
import type { ChainEntry, Quote } from "../../../packages/protocol/src/complete.ts";
import { isTerminalStatus, type QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { attest } from "../../../packages/sdk/src/attestation.ts";
import { createServiceClient, executeSteps } from "../../../packages/sdk/src/index.ts";
import { expectLive, getQuote } from "../../support/complete.ts";
import { until } from "../../support/until.ts";
import { chainsOf, useNetwork } from "../../support/useNetwork.ts";
import { callAdmin } from "../support/adminCalls.ts";
import { inHubOrder, openLocalHub } from "../support/localHub.ts";
import { dollarsOf, userWallet } from "../support/parties.ts";
import { type Answer, get, post, recordOf } from "../support/serviceCalls.ts";

const PERPS = "0x00000000000000000000000000000000";
const SPOT = "0x6d1e7cde53ba9467b783cb7c530ce054";
const DEPOSITORY = "0x66cf0aace1b4e562593bec10ec7868fba9932224";

/** 100 US dollars. */
const HUNDRED = 10_000_000_000n;

interface TypedData {
  readonly domain: Record<string, unknown>;
  readonly types: Record<string, { name: string; type: string }[]>;
  readonly primaryType: string;
  readonly value: Record<string, unknown>;
}

interface Mapping {
  readonly sign: TypedData;
  readonly post: { readonly endpoint: string; readonly body: Record<string, unknown> };
}

interface Send {
  readonly action: { readonly type: string; readonly parameters: Record<string, unknown> };
  readonly nonce: number;
  readonly eip712Types: TypedData["types"];
  readonly eip712PrimaryType: string;
}

describe("the Hyperliquid ledger", () => {
  const network = useNetwork({ defaultApiKey: "crosscall-local" });
  const [chain] = chainsOf(network);
  let api = "";
  let redirect = 0;

  before(async () => {
    const { body } = await get(network, "/chains");
    api = (body as { chains: ChainEntry[] }).chains.find(({ id }) => id === HYPERLIQUID_CHAIN_ID)?.httpRpcUrl ?? "";
    // The published SDK uses a fixed URL.
    redirect = axios.interceptors.request.use((config) => ({
      ...config,
      url: (config.url ?? "").replace("https://api.hyperliquid.xyz", api),
    }));
  });
  after(() => axios.interceptors.request.eject(redirect));

  const call = async (path: string, body: unknown): Promise<Answer> => {
    const response = await fetch(`${api}${path}`, { method: "POST", body: JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text };
  };
  const info = async <Body>(type: string, user: string): Promise<Body> =>
    (await call("/info", { type, user, startTime: 0 })).body as Body;
  const perpsOf = async (user: string): Promise<string> =>
    (await info<{ withdrawable: string }>("clearinghouseState", user)).withdrawable;
  const spotOf = async (user: string): Promise<string | undefined> =>
    (await info<{ balances: { total: string }[] }>("spotClearinghouseState", user)).balances[0]?.total;
  const unitsOf = (amount = "0"): bigint => parseUnits(amount, 8);
  const fund = async (address: string, amount = HUNDRED, currency = PERPS): Promise<void> => {
    const path = `/admin/chains/${HYPERLIQUID_CHAIN_ID}/faucet`;
    const { status } = await callAdmin(network, "POST", path, { address, currency, amount: `${amount}` });
    expect(status).to.equal(200);
  };
  const requestFrom = (user: Address, change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    user,
    recipient: network.accounts.user.address,
    originChainId: HYPERLIQUID_CHAIN_ID,
    destinationChainId: chain.id,
    originCurrency: PERPS,
    destinationCurrency: chain.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: "5000000000",
    ...change,
  });
  const quoteFrom = async (user: Address, change: Partial<QuoteRequest> = {}): Promise<Quote> => {
    const request = { ...requestFrom(user, change), protocolVersion: "v2", includeProtocolData: true };
    const { status, body } = await post(network, "/quote/v2", request);
    expect(status, JSON.stringify(body)).to.equal(200);
    expectLive("POST /quote/v2 200", body);
    return body as Quote;
  };
  const idOf = ({ steps }: Quote): string => steps[0]?.requestId ?? "";
  const dataOf = ({ steps }: Quote, index: number): object => steps[index]?.items[0]?.data ?? expect.fail("no data");
  const mappingOf = (quote: Quote): Mapping => dataOf(quote, 0) as Mapping;
  const sendOf = (quote: Quote): Send => dataOf(quote, 1) as Send;
  const endOf = (quote: Quote) =>
    until(async () => {
      const record = await recordOf(network, idOf(quote));
      return isTerminalStatus(record.status) && record;
    });

  const sign = (account: PrivateKeyAccount, { domain, types, primaryType, value }: TypedData): Promise<Hex> =>
    account.signTypedData({ domain, types, primaryType, message: value });
  const authorize = async (
    account: PrivateKeyAccount,
    { sign: typed, post: { endpoint, body } }: Mapping,
  ): Promise<Answer> => post(network, `${endpoint}?signature=${await sign(account, typed)}`, body);

  /** Signs the parameters, then sends the action with changes. */
  async function send(
    account: PrivateKeyAccount,
    { action, nonce, eip712Types, eip712PrimaryType }: Send,
    { parameters = {}, unsigned = {} }: { parameters?: Record<string, unknown>; unsigned?: object } = {},
  ): Promise<Answer> {
    const value = { ...action.parameters, ...parameters };
    const domain = {
      name: "HyperliquidSignTransaction",
      version: "1",
      chainId: 42_161,
      verifyingContract: zeroAddress,
    };
    const signature = await sign(account, { domain, types: eip712Types, primaryType: eip712PrimaryType, value });
    const { r, s, v } = parseSignature(signature);
    return call("/exchange", {
      action: { type: action.type, signatureChainId: "0xa4b1", ...value, ...unsigned },
      nonce: value.nonce ?? value.time ?? nonce,
      signature: { r, s, v: Number(v) },
    });
  }

  const OK: Answer = { status: 200, body: { status: "ok", response: { type: "default" } } };
  const failure = (response: string): Answer => ({ status: 200, body: { status: "err", response } });

  async function fundedAccount(): Promise<PrivateKeyAccount> {
    const account = privateKeyToAccount(generatePrivateKey());
    await fund(account.address);
    return account;
  }

  describe("with the published SDK and its viem wallet adapter", () => {
    const sdk = async () => {
      const client = createClient({ baseApiUrl: network.url, chains: [], pollingInterval: 50 });
      await configureDynamicChains();
      return client;
    };

    for (const [market, currency, balanceOf] of [
      ["perpetuals", PERPS, perpsOf],
      ["spot", SPOT, spotOf],
    ] as const) {
      it(`pays for a request from the ${market} market`, async () => {
        const user = network.accounts.user.address;
        await fund(user, HUNDRED, currency);
        const { actions } = await sdk();
        const quote = await actions.getQuote({
          chainId: HYPERLIQUID_CHAIN_ID,
          toChainId: chain.id,
          currency,
          toCurrency: chain.contracts.dollar,
          amount: "5000000000",
          tradeType: "EXACT_INPUT",
          user,
          recipient: user,
        });
        const before = await dollarsOf(chain, user);
        const held = await balanceOf(DEPOSITORY);
        const { data } = (await actions.execute({ quote, wallet: userWallet(network, chain) })) as { data: Execute };
        expect(data.steps.map(({ id, items }) => [id, items.map(({ status }) => status)])).to.deep.equal([
          ["authorize", ["complete"]],
          ["hyperliquid-signature", ["complete"]],
        ]);
        expect((await dollarsOf(chain, user)) - before).to.equal(BigInt(quote.details?.currencyOut?.amount ?? 0));
        expect(await balanceOf(user)).to.equal("50.0");
        expect(unitsOf(await balanceOf(DEPOSITORY)) - unitsOf(held)).to.equal(5_000_000_000n);
        const record = await recordOf(network, quote.steps[0]?.requestId ?? "");
        expect(record.status).to.equal("success");
        expect(record.data.inTxs[0]).to.include({ chainId: HYPERLIQUID_CHAIN_ID });
        const { tx } = (await call("/explorer", { type: "txDetails", hash: record.data.inTxs[0]?.txHash })).body as {
          tx: { user: string; action: object };
        };
        expect(tx).to.deep.include({ user: user.toLowerCase(), error: null });
        expect(tx.action).to.include({ type: "sendAsset", destination: DEPOSITORY, amount: "50.000000" });
      });
    }
  });

  it("is listed with the live service's ids, and quoted with the same two steps", async () => {
    const { body } = await get(network, "/chains");
    const entry = (body as { chains: ChainEntry[] }).chains.find(({ id }) => id === HYPERLIQUID_CHAIN_ID);
    expect(entry).to.deep.include({ name: "hyperliquid", displayName: "Hyperliquid", vmType: "hypevm" });
    expect(entry?.protocol?.v2?.depository).to.equal(DEPOSITORY);
    expect(entry?.currency).to.include({ address: PERPS, symbol: "USDC", decimals: 8 });
    expect(entry?.erc20Currencies.map(({ address }) => address)).to.deep.equal([SPOT]);

    const { address } = network.accounts.user;
    const wallet = address.toLowerCase();
    const quote = await quoteFrom(address);
    const { sign: typed, post: posted } = mappingOf(quote);
    const { nonce, action, eip712PrimaryType } = sendOf(quote);
    const id = quote.protocol?.v2.orderId;
    expect(typed.domain).to.deep.equal({
      name: "RelayNonceMapping",
      version: "2",
      chainId: 1,
      verifyingContract: zeroAddress,
    });
    // Some clients compare this text.
    expect(JSON.stringify(typed.types)).to.equal(
      `{"NonceMapping":[{"name":"chainId","type":"string"},{"name":"wallet","type":"address"},{"name":"depositor","type":"address"},{"name":"id","type":"bytes32"},{"name":"nonce","type":"uint256"}]}`,
    );
    expect(typed.value).to.deep.equal({ chainId: "hyperliquid", wallet, depositor: wallet, id, nonce });
    expect(posted).to.deep.equal({
      endpoint: "/authorize",
      method: "POST",
      body: {
        type: "nonce-mapping",
        walletChainId: HYPERLIQUID_CHAIN_ID,
        wallet,
        depositor: wallet,
        id,
        nonce,
        signatureChainId: 1,
      },
    });
    expect(eip712PrimaryType).to.equal("HyperliquidTransaction:SendAsset");
    expect(action).to.deep.equal({
      type: "sendAsset",
      parameters: {
        hyperliquidChain: "Mainnet",
        destination: DEPOSITORY,
        sourceDex: "",
        destinationDex: "",
        token: `USDC:${SPOT}`,
        amount: "50.000000",
        fromSubAccount: "",
        nonce,
      },
    });
    const other = await quoteFrom(address);
    expect(sendOf(other).nonce).to.be.greaterThan(nonce);
    const { body: v3 } = await post(network, "/quote/v3", requestFrom(address));
    const [step] = (v3 as { steps: { id: string; data: Mapping }[] }).steps;
    expect([step?.id, step?.data.post.endpoint]).to.deep.equal(["authorize", "/authorize"]);
  });

  it("rejects accounts and currencies from other chains", async () => {
    const { address } = network.accounts.user;
    for (const [change, errorCode, field] of [
      [{ user: "509564" }, "INVALID_ADDRESS", "user"],
      [{ originCurrency: zeroAddress }, "INVALID_INPUT_CURRENCY", "originCurrency"],
      [{ useDepositAddress: true }, "UNSUPPORTED_EXECUTION_TYPE", "useDepositAddress"],
    ] as const) {
      const { status, body } = await post(network, "/quote/v2", { ...requestFrom(address), ...change });
      expect(status).to.equal(400);
      expect(body).to.include({ errorCode, field });
    }
    const toExchange = { destinationChainId: HYPERLIQUID_CHAIN_ID, destinationCurrency: PERPS, recipient: "509564" };
    const request = { ...requestFrom(address), originChainId: chain.id, originCurrency: zeroAddress, ...toExchange };
    const { body } = await post(network, "/quote/v2", request);
    expect(body).to.include({ errorCode: "INVALID_ADDRESS", field: "recipient" });
  });

  it("fills a request to Hyperliquid, once", async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const user = network.accounts.user.address;
    const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2 });
    const quote = await getQuote(client, {
      ...requestFrom(user),
      originChainId: chain.id,
      originCurrency: zeroAddress,
      destinationChainId: HYPERLIQUID_CHAIN_ID,
      destinationCurrency: SPOT,
      recipient: account.address,
      amount: parseEther("1").toString(),
    });
    const { status } = await executeSteps(client, { quote, wallet: userWallet(network, chain), pollIntervalMs: 25 });
    expect(status).to.include({ status: "success", destinationChainId: HYPERLIQUID_CHAIN_ID });
    const { amount } = quote.details.currencyOut;
    expect(unitsOf(await spotOf(account.address))).to.equal(BigInt(amount));
    const updates = await info<{ hash: string; delta: object }[]>("userNonFundingLedgerUpdates", account.address);
    expect(updates.map(({ hash }) => hash)).to.deep.equal(status.txHashes);
    expect(updates[0]?.delta).to.include({ type: "send", destination: account.address.toLowerCase(), token: "USDC" });
  });

  it("continues a request only after its transfer is linked, in either order", async () => {
    const account = await fundedAccount();
    const quote = await quoteFrom(account.address);
    expect(await send(account, sendOf(quote))).to.deep.equal(OK);
    expect((await recordOf(network, idOf(quote))).status).to.equal("waiting");
    expect((await authorize(account, mappingOf(quote))).body).to.deep.equal({ message: "Success" });
    expect((await endOf(quote)).status).to.equal("success");
    // Sending the same link again changes nothing.
    expect((await authorize(account, mappingOf(quote))).status).to.equal(200);
  });

  it("accepts the older action for dollars in the perpetuals market", async () => {
    const account = await fundedAccount();
    const quote = await quoteFrom(account.address);
    expect((await authorize(account, mappingOf(quote))).status).to.equal(200);
    const { nonce } = sendOf(quote);
    const usdSend: Send = {
      action: {
        type: "usdSend",
        parameters: { hyperliquidChain: "Mainnet", destination: DEPOSITORY, amount: "50", time: nonce },
      },
      nonce,
      eip712PrimaryType: "HyperliquidTransaction:UsdSend",
      eip712Types: {
        "HyperliquidTransaction:UsdSend": [
          { name: "hyperliquidChain", type: "string" },
          { name: "destination", type: "string" },
          { name: "amount", type: "string" },
          { name: "time", type: "uint64" },
        ],
      },
    };
    expect(await send(account, usdSend)).to.deep.equal(OK);
    expect((await endOf(quote)).status).to.equal("success");
  });

  it("refunds deposits that are too small or in another currency on the ledger", async () => {
    for (const [currency, parameters, failReason, balances] of [
      [PERPS, { amount: "49.99" }, "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL", ["100.0", undefined]],
      // The deposit arrives in the spot market.
      [PERPS, { destinationDex: "spot" }, "INCORRECT_DEPOSIT_CURRENCY", ["50.0", "50.0"]],
    ] as const) {
      const account = await fundedAccount();
      const quote = await quoteFrom(account.address, { originCurrency: currency });
      await authorize(account, mappingOf(quote));
      expect(await send(account, sendOf(quote), { parameters })).to.deep.equal(OK);
      const record = await endOf(quote);
      expect([record.status, record.data.failReason]).to.deep.equal(["refund", failReason]);
      expect([await perpsOf(account.address), await spotOf(account.address)]).to.deep.equal(balances);
    }
  });

  it("rejects links that the user did not sign for this order", async () => {
    const account = await fundedAccount();
    const thief = await fundedAccount();
    const quote = await quoteFrom(account.address);
    const mapping = mappingOf(quote);
    const rejected = async (
      change: object,
      signer: PrivateKeyAccount = account,
      value: object = {},
    ): Promise<unknown[]> => {
      const { sign: typed, post: posted } = mapping;
      const changed = {
        sign: { ...typed, value: { ...typed.value, ...value } },
        post: { ...posted, body: { ...posted.body, ...change } },
      };
      const { status, body } = await authorize(signer, changed);
      return [status, (body as { field?: string }).field];
    };
    const { nonce } = sendOf(quote);
    const stolen = { wallet: thief.address, depositor: thief.address };
    expect(await rejected({}, thief)).to.deep.equal([400, "signature"]);
    expect(await rejected({ nonce: nonce + 1 })).to.deep.equal([400, "signature"]);
    expect(await rejected({ signatureChainId: 10 })).to.deep.equal([400, "signature"]);
    expect(await rejected(stolen, thief, stolen)).to.deep.equal([400, "wallet"]);
    expect(await rejected({ depositor: thief.address })).to.deep.equal([400, "depositor"]);
    expect(await rejected({ walletChainId: chain.id })).to.deep.equal([400, "walletChainId"]);
    expect(await rejected({ id: `0x${"11".repeat(32)}` })).to.deep.equal([404, undefined]);
    expect((await recordOf(network, idOf(quote))).status).to.equal("waiting");

    // A nonce belongs to one order.
    const other = await quoteFrom(account.address);
    expect(await rejected({})).to.deep.equal([200, undefined]);
    const { sign: typed, post: posted } = mappingOf(other);
    const reused = {
      sign: { ...typed, value: { ...typed.value, nonce } },
      post: { ...posted, body: { ...posted.body, nonce } },
    };
    const { status, body } = await authorize(account, reused);
    expect([status, (body as { field?: string }).field]).to.deep.equal([400, "nonce"]);
  });

  it("rejects forged, repeated and uncovered transfers", async () => {
    const account = await fundedAccount();
    const quote = await quoteFrom(account.address);
    await authorize(account, mappingOf(quote));
    const planned = sendOf(quote);
    const { nonce } = planned;

    // The signer recovered from each of these has no funds.
    for (const unsigned of [{ amount: "99.000000" }, { destination: account.address }, { signatureChainId: "0x1" }]) {
      const { status, body } = await send(account, planned, { unsigned });
      expect(status).to.equal(200);
      expect((body as { response: string }).response).to.match(/^Must deposit before performing actions/u);
    }
    expect(await send(account, planned, { parameters: { amount: "100.01" } })).to.deep.equal(
      failure("Insufficient balance for token transfer"),
    );
    const day = 86_400_000;
    for (const late of [nonce - 3 * day, nonce + 2 * day]) {
      const { body } = await send(account, planned, { parameters: { nonce: late } });
      expect((body as { response: string }).response).to.match(/^Invalid nonce/u);
    }
    expect(await send(account, planned, { parameters: { amount: "0" } })).to.deep.equal(failure("Invalid amount"));
    expect(await perpsOf(account.address)).to.equal("100.0");

    // Rejected transfers do not use the nonce. Of two equal concurrent transfers, one is executed.
    const responses = await Promise.all([send(account, planned), send(account, planned)]);
    expect(responses).to.have.deep.members([OK, failure(`Invalid nonce: duplicate nonce ${nonce}`)]);
    expect(await perpsOf(account.address)).to.equal("50.0");
    const record = await endOf(quote);
    expect([record.status, record.data.inTxs.length]).to.deep.equal(["success", 1]);

    for (const unsigned of [{ token: "COIN:0x01" }, { fromSubAccount: account.address }, { type: "withdraw3" }]) {
      const { status, body } = await send(account, planned, { unsigned });
      expect(status).to.equal(422);
      expect(body).to.match(/^Failed to deserialize/u);
    }
  });

  it("serves only programs on this machine", async () => {
    const { hostname, port } = new URL(api);
    const status = await new Promise((resolve, reject) => {
      const headers = { host: "attacker.example" };
      httpRequest({ hostname, port, path: "/info", method: "POST", headers }, ({ statusCode }) => resolve(statusCode))
        .on("error", reject)
        .end("{}");
    });
    expect(status).to.equal(403);
    expect((await fetch(`${api}/info`, { method: "OPTIONS" })).headers.get("access-control-allow-origin")).to.equal(
      "*",
    );
    expect((await call("/info", "{")).status).to.equal(422);
    expect((await call("/unknown", {})).status).to.equal(404);
  });

  it("is read by the local oracles, which attest a linked deposit for its order", async () => {
    const account = await fundedAccount();
    const quote = await quoteFrom(account.address, { amount: "1234567800" });
    const { sign: typed, post: posted } = mappingOf(quote);
    const mapping: Mapping = {
      sign: { ...typed, domain: { ...typed.domain, chainId: chain.id } },
      post: { ...posted, body: { ...posted.body, signatureChainId: chain.id } },
    };
    expect((await authorize(account, mapping)).status).to.equal(200);
    expect(await send(account, sendOf(quote))).to.deep.equal(OK);
    const record = await endOf(quote);
    const transactionId = record.data.inTxs[0]?.txHash ?? "";

    const oracle = createServiceClient({ baseUrl: network.oracle?.url ?? "", apiKey: network.apiKey });
    const { id = "", wallet, depositor, nonce } = posted.body as Record<string, string>;
    const { genericMapping } = await attest(oracle, "signatures/nonce-mapping/v2", {
      walletChainId: "hyperliquid",
      wallet: String(wallet),
      nonce: String(nonce),
      id,
      depositor: String(depositor),
      signatureChainId: `local-${chain.id}`,
      signature: await sign(account, mapping.sign),
      requestPeerSignatures: true,
    });
    const { user, id: entryId, data, nonce: entryNonce, signatures } = genericMapping;
    const signed = [user as Address, entryId as Hex, data as Hex, entryNonce as Hex, inHubOrder(signatures)] as const;
    const entry = encodeFunctionData({ abi: localHubAbi, functionName: "setEntry", args: signed });
    await openLocalHub(network).send(entry);

    const { messages } = await attest(oracle, "depository-deposits/v1", { chainId: "hyperliquid", transactionId });
    const [{ result } = expect.fail("no deposit")] = messages;
    expect(result).to.include({ depositId: id, depositor, currency: PERPS, amount: "1234567800" });
    const { orderData: order, orderSignature = "" } = quote.protocol!.v2;
    const { execution } = await attest(oracle, "solver-fills/v1", {
      order,
      orderSignature,
      inputs: [{ transactionId, onchainId: result.onchainId, inputIndex: 0 }],
      fill: { transactionId: record.data.outTxs[0]?.txHash ?? "" },
    });
    expect(execution?.actions).to.have.length.greaterThan(0);
    const announced = { chainId: HYPERLIQUID_CHAIN_ID, txHash: transactionId };
    expect((await post(network, "/transactions/index", announced)).status).to.equal(200);
    const unknown = { ...announced, txHash: `0x${"00".repeat(32)}` };
    expect((await post(network, "/transactions/index", unknown)).status).to.equal(404);
  });
});
