import { request as httpRequest } from "node:http";

import { createClient, type Execute, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { adaptTronWallet } from "@relayprotocol/relay-tron-wallet-adapter";
import { expect } from "chai";
import { TronWeb, type Types } from "tronweb";
import { encodeFunctionData, erc20Abi, type Hex, parseEther, zeroAddress } from "viem";

import { createLocalNames } from "../../../packages/oracle/src/server.ts";
import type { LedgerParts } from "../../../packages/crosscall/src/localnet/ledgers/ledgerParts.ts";
import { openTron } from "../../../packages/crosscall/src/localnet/ledgers/tron/openTron.ts";
import { createLog } from "../../../packages/crosscall/src/localnet/log.ts";
import type { Ledger } from "../../../packages/crosscall/src/localnet/market/ledger.ts";
import { rejectUnknown } from "../../../packages/crosscall/src/localnet/market/rejection.ts";
import { insertRequest } from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import type { Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import type { Quote, RequestRecord } from "../../../packages/protocol/src/complete.ts";
import { isTerminalStatus, type QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { attest } from "../../../packages/sdk/src/attestation.ts";
import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import { expectLive } from "../../support/complete.ts";
import { until } from "../../support/until.ts";
import { chainsOf, useNetwork } from "../../support/useNetwork.ts";
import { failureOf } from "../support/failureOf.ts";
import { onEachDatabase } from "../support/onEachDatabase.ts";
import { dollarsOf, userWallet } from "../support/parties.ts";
import { get, post, recordOf } from "../support/serviceCalls.ts";
import { newOrder, newRequest } from "../support/storeRows.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const TRON = 728_126_428;
const TRX = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
const USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const DEPOSITORY = "TXtEs6t2oUWQsNos7m68gbHdE9Q5n6x2oN";
const SOLVER = "TYVWGh8XkmU49Hi9PkGAZXiiJPB3J5zJZy";

const KEY = "1".repeat(64);
const STRANGERS_KEY = "2".repeat(64);
const addressOf = (key: string): string => TronWeb.address.fromPrivateKey(key) || expect.fail("not a key");
const USER = addressOf(KEY);
const STRANGER = addressOf(STRANGERS_KEY);

/** Returns an address as the 20 bytes that contracts use. */
const evm = (address: string): Hex => `0x${TronWeb.address.toHex(address).slice(2)}`;
const textOf = (hex: unknown): string => Buffer.from(String(hex), "hex").toString();

/** The published SDK's type lacks the order. */
interface Quoted extends Execute {
  readonly protocol?: Quote["protocol"];
}

interface TransactionInfo {
  readonly id?: string;
  readonly receipt?: { readonly result?: string };
  readonly log?: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
}

// The wallet adapter and tronweb are unmodified. tronweb uses the node URL from GET /chains.
describe("the Tron ledger", () => {
  const network = useNetwork();
  const [chain] = chainsOf(network);
  let client: RelayClient;
  let url: string;
  let tronWeb: TronWeb;

  before(async () => {
    client = createClient({ baseApiUrl: network.url, pollingInterval: 25, websocket: { enabled: false } });
    const tron = (await configureDynamicChains()).find(({ id }) => id === TRON);
    url = tron?.httpRpcUrl ?? expect.fail("no Tron");
    tronWeb = new TronWeb({ fullHost: url, privateKey: KEY });
  });

  const fund = (amount: bigint, currency?: string, address = USER) =>
    post(
      network,
      `/admin/chains/${TRON}/faucet`,
      { address, amount: amount.toString(), ...(currency === undefined ? {} : { currency }) },
      { "x-admin-key": network.adminKey },
    );
  const trxOf = (address: string): Promise<number> => tronWeb.trx.getBalance(address);
  async function usdtOf(address: string): Promise<bigint> {
    const call = { owner_address: USER, contract_address: USDT, function_selector: "balanceOf(address)" };
    const parameter = evm(address).slice(2).padStart(64, "0");
    const { constant_result: result } = await tronWeb.fullNode.request<{ constant_result: string[] }>(
      "wallet/triggerconstantcontract",
      { ...call, parameter },
      "post",
    );
    return BigInt(`0x${result[0] ?? expect.fail("no result")}`);
  }
  const infoOf = (id: string): Promise<TransactionInfo> =>
    tronWeb.fullNode.request<TransactionInfo>("wallet/gettransactioninfobyid", { value: id }, "post");

  const fromTron = (currency: string, amount: bigint, change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    user: USER,
    recipient: network.accounts.user.address,
    originChainId: TRON,
    destinationChainId: chain.id,
    originCurrency: currency,
    destinationCurrency: chain.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: amount.toString(),
    includeProtocolData: true,
    ...change,
  });
  const toTron = (currency: string): QuoteRequest => ({
    ...fromTron(currency, parseEther("0.1")),
    user: network.accounts.user.address,
    recipient: USER,
    originChainId: chain.id,
    originCurrency: zeroAddress,
    destinationChainId: TRON,
    destinationCurrency: currency,
  });
  const quoteOf = (request: QuoteRequest): Promise<Quoted> => {
    const { user, recipient = user, amount, originChainId, destinationChainId, originCurrency, ...rest } = request;
    return client.actions.getQuote({
      chainId: originChainId,
      toChainId: destinationChainId,
      currency: originCurrency,
      toCurrency: rest.destinationCurrency,
      tradeType: "EXACT_INPUT",
      options: { includeProtocolData: true },
      ...{ user, recipient, amount },
    });
  };
  const idsOf = (quote: Quoted) => ({
    requestId: quote.steps[0]?.requestId ?? expect.fail("no request"),
    orderId: (quote.protocol?.v2.orderId ?? expect.fail("no order")) as Hex,
  });
  const outputOf = (quote: Quoted): bigint => BigInt(quote.details?.currencyOut?.amount ?? expect.fail("no output"));
  const statusOf = async (requestId: string): Promise<string> => (await recordOf(network, requestId)).status;
  const end = (requestId: string): Promise<RequestRecord> =>
    until(async () => {
      const record = await recordOf(network, requestId);
      return isTerminalStatus(record.status) && record;
    });

  /** Executes a quote with the published SDK. Returns the transaction hashes by chain. */
  async function execute(quote: Quoted, wallet: Parameters<RelayClient["actions"]["execute"]>[0]["wallet"]) {
    const hashes = new Map<number, Set<string>>();
    await client.actions.execute({
      quote,
      wallet,
      onProgress: ({ txHashes = [] }) => {
        for (const { chainId, txHash } of txHashes) hashes.set(chainId, (hashes.get(chainId) ?? new Set()).add(txHash));
      },
    });
    return (chainId: number): string[] => [...(hashes.get(chainId) ?? [])];
  }
  const pay = (quote: Quoted) => execute(quote, adaptTronWallet(USER, tronWeb));

  /** Creates a depository transaction that belongs to no quote. */
  async function signDeposit(orderId: Hex, amount: bigint, key = KEY): Promise<Types.SignedTransaction> {
    const owner = addressOf(key);
    const data = encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [evm(owner), orderId] });
    return sign(DEPOSITORY, data, Number(amount), key);
  }
  async function sign(contract: string, data: Hex, callValue = 0, key = KEY): Promise<Types.SignedTransaction> {
    const { transaction } = await tronWeb.fullNode.request<{ transaction: Types.Transaction }>(
      "wallet/triggersmartcontract",
      { owner_address: addressOf(key), contract_address: contract, data: data.slice(2), call_value: callValue },
      "post",
    );
    return tronWeb.trx.sign(transaction, key);
  }
  const send = (signed: Types.SignedTransaction) => tronWeb.trx.sendRawTransaction(signed);
  /** Returns the node's error code for the rejection. */
  const outcomeOf = ({ result, code }: Awaited<ReturnType<typeof send>>): string => (result ? "SUCCESS" : code);
  const codeOf = async (signed: Types.SignedTransaction): Promise<string> => outcomeOf(await send(signed));

  it("is listed with the names and addresses of the live service", async () => {
    const { body } = await get(network, "/chains");
    const entry = (body as { chains: { id: number }[] }).chains.find(({ id }) => id === TRON);
    expect(entry).to.deep.include({ name: "tron", displayName: "Tron", vmType: "tvm", solverAddresses: [SOLVER] });
    expect(entry).to.have.nested.property("currency.address", TRX);
    expect(entry).to.have.nested.property("currency.decimals", 6);
    expect(entry).to.have.nested.property("protocol.v2.depository", DEPOSITORY);
    expect(entry).to.have.nested.property("erc20Currencies[0].address", USDT);
  });

  it("is quoted in the live service's format", async () => {
    for (const request of [fromTron(USDT, 50_000_000n), toTron(TRX)]) {
      expectLive("POST /quote/v2 200", (await post(network, "/quote/v2", request)).body);
    }
  });

  it("funds accounts with native currency by default, which tronweb and TronGrid show", async () => {
    const { status, body } = await fund(7_000_000n, undefined, STRANGER);
    expect([status, body]).to.deep.equal([
      200,
      { chainId: TRON, address: STRANGER, currency: TRX, symbol: "TRX", decimals: 6, amount: "7000000" },
    ]);
    await fund(3n, "USDT", STRANGER);
    expect([await trxOf(STRANGER), await usdtOf(STRANGER)]).to.deep.equal([7_000_000, 3n]);
    expect(await tronWeb.fullNode.request(`v1/accounts/${STRANGER}`)).to.deep.include({
      data: [{ address: TronWeb.address.toHex(STRANGER), balance: 7_000_000, trc20: [{ [USDT]: "3" }] }],
    });
    expect((await fund(1n, undefined, chain.contracts.dollar)).status).to.equal(400);
  });

  it("accepts a deposit of native currency from the published wallet adapter", async () => {
    await fund(100_000_000n);
    const quote = await quoteOf(fromTron(TRX, 100_000_000n));
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["deposit"]);
    const before = await dollarsOf(chain, network.accounts.user.address);
    const hashesOn = await pay(quote);
    const received = (await dollarsOf(chain, network.accounts.user.address)) - before;
    expect(received).to.equal(outputOf(quote));
    expect(await trxOf(USER)).to.equal(0);

    const { requestId, orderId } = idsOf(quote);
    const record = await recordOf(network, requestId);
    const [deposit] = hashesOn(TRON);
    expect(record.data.inTxs.map(({ txHash, chainId }) => [txHash, chainId])).to.deep.equal([[deposit, TRON]]);
    expect(record.protocol?.deposit?.origin).to.include({ depositor: USER, transactionId: deposit });
    const { receipt, log = [] } = await infoOf(deposit ?? "");
    expect(receipt).to.include({ result: "SUCCESS" });
    expect(log.map(({ address, data }) => [address, data.slice(-64)])).to.deep.equal([
      [evm(DEPOSITORY).slice(2), orderId.slice(2)],
    ]);
  });

  it("accepts a token's approval and deposit from the published wallet adapter, and fills once", async () => {
    await fund(50_000_000n, USDT);
    const quote = await quoteOf(fromTron(USDT, 50_000_000n));
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["approve", "deposit"]);
    expect(quote.details?.userBalance).to.equal("50000000");
    const hashesOn = await pay(quote);
    expect(hashesOn(TRON)).to.have.length(2);
    expect(hashesOn(chain.id)).to.have.length(1);
    expect(await usdtOf(USER)).to.equal(0n);
    expect((await recordOf(network, idsOf(quote).requestId)).status).to.equal("success");
  });

  it("omits the approval if the allowance is sufficient, and accepts a transfer that ends with the order's id", async () => {
    await fund(50_000_000n, USDT);
    const args = [evm(DEPOSITORY), 10n ** 12n] as const;
    await send(await sign(USDT, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args })));
    const quote = await quoteOf(fromTron(USDT, 50_000_000n));
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["deposit"]);
    const { requestId, orderId } = idsOf(quote);
    const transferred = [evm(DEPOSITORY), 50_000_000n] as const;
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: transferred });
    await fund(50_000_000n, USDT);
    expect(await send(await sign(USDT, transfer))).to.include({ result: true });
    // The depository keeps a transfer that names no order.
    expect([await usdtOf(USER), await statusOf(requestId)]).to.deep.equal([50_000_000n, "waiting"]);
    await send(await sign(USDT, `${transfer}${orderId.slice(2)}`));
    expect((await end(requestId)).status).to.equal("success");
    expect(await usdtOf(USER)).to.equal(0n);
  });

  it("shows fills in native currency and tokens, with their order ids", async () => {
    for (const currency of [TRX, USDT]) {
      const balance = async () => (currency === TRX ? BigInt(await trxOf(USER)) : usdtOf(USER));
      const before = await balance();
      const quote = await quoteOf(toTron(currency));
      const hashesOn = await execute(quote, userWallet(network, chain));
      expect((await balance()) - before).to.equal(outputOf(quote));
      const [fill = ""] = hashesOn(TRON);
      const { raw_data: raw } = await tronWeb.trx.getTransaction(fill);
      const { value } = raw.contract[0]!.parameter as { value: { owner_address: string; data?: string } };
      expect(TronWeb.address.fromHex(value.owner_address)).to.equal(SOLVER);
      const named = currency === TRX ? raw.data : value.data?.slice(-64);
      expect(named).to.equal(idsOf(quote).orderId.slice(2));
    }
  });

  it("refunds a second deposit for an order, and a deposit for an unknown order", async () => {
    const paid = await quoteOf(fromTron(TRX, 100_000_000n));
    await fund(100_000_000n);
    await pay(paid);
    await fund(5_000_000n);
    const before = await trxOf(USER);
    for (const orderId of [idsOf(paid).orderId, `0x${"ab".repeat(32)}`] as const) {
      expect(await send(await signDeposit(orderId, 5_000_000n))).to.include({ result: true });
      expect(await trxOf(USER)).to.equal(before);
    }
    expect(await statusOf(idsOf(paid).requestId)).to.equal("success");
  });

  it("refunds to the user deposits that do not match their orders", async () => {
    const tooLittle = await quoteOf(fromTron(TRX, 100_000_000n));
    await fund(99_000_000n);
    const before = await trxOf(USER);
    await send(await signDeposit(idsOf(tooLittle).orderId, 99_000_000n));
    const record = await end(idsOf(tooLittle).requestId);
    expect([record.status, record.data.failReason]).to.deep.equal(["refund", "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL"]);
    expect(await trxOf(USER)).to.equal(before);
    const [refund] = record.protocol?.settlement?.destination?.refunds ?? [];
    expect(await tronWeb.trx.getTransaction(refund?.transactionId ?? "")).to.deep.include({
      ret: [{ contractRet: "SUCCESS" }],
    });

    const another = await quoteOf(fromTron(USDT, 50_000_000n));
    await fund(200_000_000n);
    await send(await signDeposit(idsOf(another).orderId, 200_000_000n));
    const { status, data } = await end(idsOf(another).requestId);
    expect([status, data.failReason]).to.deep.equal(["refund", "INCORRECT_DEPOSIT_CURRENCY"]);
  });

  it("rejects signatures from other accounts, changed transactions and replays, and includes none of them in a block", async () => {
    await fund(300_000_000n);
    const quote = await quoteOf(fromTron(TRX, 100_000_000n));
    const { requestId, orderId } = idsOf(quote);
    const signed = await signDeposit(orderId, 100_000_000n);
    const before = await trxOf(USER);

    const strangers = await signDeposit(orderId, 1n, STRANGERS_KEY);
    expect(await codeOf({ ...signed, signature: strangers.signature })).to.equal("SIGERROR");
    expect(await codeOf({ ...signed, signature: [] })).to.equal("SIGERROR");
    expect(await codeOf({ ...signed, signature: ["00".repeat(65)] })).to.equal("SIGERROR");
    expect(await codeOf({ ...signed, signature: [...signed.signature, ...strangers.signature] })).to.equal("SIGERROR");
    const text = JSON.stringify(signed);
    const cheaper = JSON.parse(text.replace('"call_value":100000000', '"call_value":1')) as Types.SignedTransaction;
    expect(await codeOf(cheaper)).to.equal("OTHER_ERROR");
    const { txID: _, ...withoutId } = cheaper;
    expect(await codeOf(withoutId as Types.SignedTransaction)).to.equal("SIGERROR");
    expect([await trxOf(USER), await infoOf(signed.txID), await statusOf(requestId)]).to.deep.equal([
      before,
      {},
      "waiting",
    ]);

    expect(await send(signed)).to.deep.include({ result: true, txid: signed.txID });
    expect(await codeOf(signed)).to.equal("DUP_TRANSACTION_ERROR");
    expect((await end(requestId)).status).to.equal("success");
    expect(before - (await trxOf(USER))).to.equal(100_000_000);
  });

  it("spends a balance once, and reverts token calls that exceed the balance", async () => {
    await fund(1n);
    const balance = BigInt(await trxOf(USER));
    const [first, second] = [await quoteOf(fromTron(TRX, balance)), await quoteOf(fromTron(TRX, balance))].map(idsOf);
    const spends = await Promise.all([first, second].map((ids) => signDeposit(ids?.orderId ?? "0x", balance)));
    const results = await Promise.all(spends.map(send));
    expect(results.map(outcomeOf)).to.have.members(["SUCCESS", "CONTRACT_VALIDATE_ERROR"]);
    expect(textOf(results.find(({ result }) => !result)?.message)).to.match(/balance/u);
    expect(await trxOf(USER)).to.equal(0);

    const { requestId, orderId } = idsOf(await quoteOf(fromTron(USDT, 50_000_000n)));
    const held = await usdtOf(USER);
    const args = [evm(STRANGER), held + 1n] as const;
    const tooMuch = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
    const deposit = encodeFunctionData({
      abi: depositoryAbi,
      functionName: "depositErc20",
      args: [evm(USER), evm(USDT), held + 1n, orderId],
    });
    // The stranger approved nothing, and neither contract accepts native currency in this call.
    const unapproved = encodeFunctionData({
      abi: depositoryAbi,
      functionName: "depositErc20",
      args: [evm(STRANGER), evm(USDT), 1n, orderId],
    });
    await Promise.all([fund(1n), fund(1n, undefined, STRANGER), fund(1n, USDT, STRANGER)]);
    const nothing = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [evm(STRANGER), 0n] });
    for (const signed of [
      await sign(USDT, tooMuch),
      await sign(DEPOSITORY, deposit),
      await sign(DEPOSITORY, unapproved, 0, STRANGERS_KEY),
      await sign(DEPOSITORY, unapproved.replace(/1(?=.{64}$)/u, "0") as Hex, 1),
      await sign(USDT, nothing, 1),
      await sign(USDT, "0x12345678"),
    ]) {
      expect(await send(signed)).to.include({ result: true });
      expect((await infoOf(signed.txID)).receipt).to.include({ result: "REVERT" });
    }
    expect([await usdtOf(USER), await trxOf(USER), await statusOf(requestId)]).to.deep.equal([held, 1, "waiting"]);
  });

  it("rejects transactions that have expired or belong to another chain", async () => {
    await fund(2_000_000n);
    const block = await tronWeb.trx.getCurrentRefBlockParams();
    const transferAt = async (change: object): Promise<string> => {
      const blockHeader = { ...block, ...change };
      const transfer = await tronWeb.transactionBuilder.sendTrx(STRANGER, 1_000_000, USER, { blockHeader });
      return outcomeOf(await send(await tronWeb.trx.sign(transfer)));
    };
    expect(await transferAt({ expiration: 1 })).to.equal("TRANSACTION_EXPIRATION_ERROR");
    expect(await transferAt({ expiration: block.expiration + 10 ** 8 })).to.equal("TRANSACTION_EXPIRATION_ERROR");
    expect(await transferAt({ ref_block_hash: "ab".repeat(8) })).to.equal("TAPOS_ERROR");
    expect(await transferAt({})).to.equal("SUCCESS");
    const toContract = { owner_address: USER, to_address: DEPOSITORY, amount: 1, visible: true };
    const built = await tronWeb.fullNode.request<Types.Transaction>("wallet/createtransaction", toContract, "post");
    expect(await codeOf(await tronWeb.trx.sign(built))).to.equal("CONTRACT_VALIDATE_ERROR");
  });

  it("accepts announcements with Tron's own transaction hashes", async () => {
    await fund(100_000_000n);
    const { requestId, orderId } = idsOf(await quoteOf(fromTron(TRX, 100_000_000n)));
    const { txid: txHash, result } = await send(await signDeposit(orderId, 100_000_000n));
    expect(result).to.equal(true);
    const index = { txHash, chainId: String(TRON) };
    const single = { requestId, chainId: String(TRON), tx: JSON.stringify({ txHash }) };
    for (const [path, body] of [
      ["index", index],
      ["single", single],
    ] as const) {
      const answer = await post(network, `/transactions/${path}`, body);
      expect([path, answer]).to.deep.equal([path, { status: 200, body: { message: "Success" } }]);
      const unknown = JSON.parse(JSON.stringify(body).replaceAll(txHash, "c1".repeat(32))) as object;
      expect([path, (await post(network, `/transactions/${path}`, unknown)).status]).to.deep.equal([path, 404]);
    }
    const elsewhere = { ...index, requestId: idsOf(await quoteOf(toTron(TRX))).requestId };
    expect((await post(network, "/transactions/index", elsewhere)).body).to.include({ field: "chainId" });
  });

  it("requires accounts in base58 with a valid checksum, and amounts as JSON numbers", async () => {
    const wrong = `${USER.slice(0, -1)}${USER.endsWith("1") ? "2" : "1"}`;
    for (const [request, field] of [
      [fromTron(TRX, 10n ** 8n, { user: network.accounts.user.address }), "user"],
      [fromTron(TRX, 10n ** 8n, { user: USER.toLowerCase() }), "user"],
      [fromTron(TRX, 10n ** 8n, { refundTo: wrong }), "refundTo"],
      [{ ...toTron(USDT), recipient: wrong }, "recipient"],
      [{ ...toTron(USDT), recipient: network.accounts.user.address }, "recipient"],
    ] as const) {
      const { status, body } = await post(network, "/quote/v2", request);
      expect([status, body]).to.deep.include(400);
      expect(body).to.include({ errorCode: "INVALID_ADDRESS", field });
    }
    const tooMuch = await post(network, "/quote/v2", fromTron(TRX, 2n ** 53n));
    expect(tooMuch.body).to.include({ errorCode: "INVALID_REQUEST", field: "amount" });
  });

  it("is read by the local oracles, which attest its deposits, fills and refunds", async () => {
    const oracle = createServiceClient({ baseUrl: network.oracle?.url ?? "", apiKey: network.apiKey });
    const attestDeposit = async (quote: Quoted, chainId: string, transactionId: string) => {
      const { messages } = await attest(oracle, "depository-deposits/v1", { chainId, transactionId });
      const [{ result } = expect.fail("no deposit")] = messages;
      expect(result.depositId).to.equal(idsOf(quote).orderId);
      const { orderData: order, orderSignature = "" } = quote.protocol?.v2 ?? expect.fail("no order");
      return { order, orderSignature, inputs: [{ transactionId, onchainId: result.onchainId, inputIndex: 0 }] };
    };
    const attestFill = async (quote: Quoted, from: string, [depositId = "", fillId = ""]: (string | undefined)[]) => {
      const fill = { ...(await attestDeposit(quote, from, depositId)), fill: { transactionId: fillId } };
      const { execution } = await attest(oracle, "solver-fills/v1", fill);
      expect(execution?.actions).to.have.length(1);
    };
    await fund(199_000_000n);
    const out = await quoteOf(fromTron(TRX, 100_000_000n));
    const outHashes = await pay(out);
    await attestFill(out, "tron", [outHashes(TRON)[0], outHashes(chain.id)[0]]);
    for (const currency of [TRX, USDT]) {
      const back = await quoteOf(toTron(currency));
      const backHashes = await execute(back, userWallet(network, chain));
      await attestFill(back, `local-${chain.id}`, [backHashes(chain.id)[0], backHashes(TRON)[0]]);
    }
    const tooLittle = await quoteOf(fromTron(TRX, 100_000_000n));
    const { txid } = await send(await signDeposit(idsOf(tooLittle).orderId, 99_000_000n));
    const { protocol } = await end(idsOf(tooLittle).requestId);
    const [refund = expect.fail("no refund")] = protocol?.settlement?.destination?.refunds ?? [];
    const { execution } = await attest(oracle, "solver-refunds/v1", {
      ...(await attestDeposit(tooLittle, "tron", txid)),
      refunds: [{ transactionId: refund.transactionId, inputIndex: 0, refundIndex: 0 }],
    });
    expect(execution?.actions).to.have.length(1);
  });

  it("responds to web pages from other ports, but not under another host name", async () => {
    const response = await fetch(`${url}/wallet/getnowblock`, { headers: { origin: "http://localhost:5173" } });
    expect([response.status, response.headers.get("access-control-allow-origin")]).to.deep.equal([200, "*"]);
    const status = await new Promise((resolve, reject) => {
      const call = httpRequest(`${url}/wallet/getnowblock`, { headers: { host: "attacker.example" } }, (incoming) => {
        incoming.resume();
        resolve(incoming.statusCode);
      });
      call.on("error", reject).end();
    });
    expect(status).to.equal(403);
    expect((await fetch(`${url}/wallet/nothing`)).status).to.equal(404);
  });
});

onEachDatabase("a Tron ledger without a network", (openStore) => {
  let now = 1_800_000_000_000;
  let store: Store;
  let ledger: Ledger;
  let tronWeb: TronWeb;
  let onArrival: LedgerParts["onArrival"];

  const open = (): Promise<Ledger> =>
    openTron({
      db: store.db,
      onLedgerChange: store.onLedgerChange,
      onArrival: (arrival, db) => onArrival(arrival, db),
      names: createLocalNames([]),
      clock: { now: () => now },
      log: createLog("silent"),
    });

  before(async () => {
    store = await openStore();
    onArrival = () => Promise.resolve();
    ledger = await open();
    tronWeb = new TronWeb({ fullHost: ledger.url, privateKey: KEY });
  });
  after(async () => {
    await ledger.close();
    await store.close();
  });

  const pay = (key: string): Promise<string> =>
    store.db.transaction().execute((db) => ledger.pay({ ...payment, key }, db));
  const payment = { recipient: USER, currency: USDT, amount: 5n, orderId: `0x${"cd".repeat(32)}` };
  const receiptOf = async (id: string) => {
    const call = { jsonrpc: "2.0", id: 1, method: "eth_getTransactionReceipt", params: [`0x${id}`] };
    const { result } = await tronWeb.fullNode.request<{ result: { logs: { logIndex: string }[] } }>(
      "jsonrpc",
      call,
      "post",
    );
    return result;
  };

  it("pays once per key, and numbers the logs in a block", async () => {
    const first = await pay("a");
    expect(await pay("a")).to.equal(first);
    const second = await pay("b");
    expect(second).not.to.equal(first);
    const account = await tronWeb.fullNode.request<{ data: { trc20: object[] }[] }>(`v1/accounts/${USER}`);
    expect(account.data[0]?.trc20).to.deep.equal([{ [USDT]: "10" }]);
    const receipts = await Promise.all([first, second].map(receiptOf));
    expect(receipts.map(({ logs }) => logs.map(({ logIndex }) => logIndex))).to.deep.equal([["0x0"], ["0x1"]]);
    now += 3_000;
    const { logs } = await receiptOf(await pay("c"));
    expect(logs[0]?.logIndex).to.equal("0x0");
  });

  it("is shared by the processes on a database, and continues after a restart", async () => {
    const paid = await pay("shared");
    const other = await open();
    try {
      const again = store.db.transaction().execute((db) => other.pay({ ...payment, key: "shared" }, db));
      expect(await again).to.equal(paid);
      await other.fund(USER, USDT, 7n);
      expect(await ledger.balanceOf!(USER, USDT)).to.equal(await other.balanceOf!(USER, USDT));
      const hash = await store.db.transaction().execute((db) => other.pay({ ...payment, key: "other" }, db));
      expect(await ledger.hasTransaction!(hash)).to.equal(true);
    } finally {
      await other.close();
    }
  });

  it("keeps and returns a deposit that its request rejects, but forgets one whose report fails", async () => {
    const orderId: Hex = `0x${"ab".repeat(32)}`;
    await insertRequest(store.db, newRequest("0x01", { order_id: orderId, origin_chain_id: TRON }), newOrder());
    await ledger.fund(USER, TRX, 9n);
    const deposit = async (amount: number): Promise<{ id: string; isAccepted: boolean }> => {
      const data = encodeFunctionData({
        abi: depositoryAbi,
        functionName: "depositNative",
        args: [evm(USER), orderId],
      });
      const call = { owner_address: USER, contract_address: DEPOSITORY, data: data.slice(2), call_value: amount };
      const { transaction } = await tronWeb.fullNode.request<{ transaction: Types.Transaction }>(
        "wallet/triggersmartcontract",
        call,
        "post",
      );
      const sent = tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction, KEY));
      const isAccepted = await sent.then(
        ({ result }) => result,
        () => false,
      );
      return { id: transaction.txID, isAccepted };
    };
    const balances = () => Promise.all([USER, DEPOSITORY].map((account) => ledger.balanceOf!(account, TRX)));
    const reported: bigint[] = [];
    onArrival = ({ amount }) => {
      reported.push(amount);
      return Promise.reject(amount === 5n ? rejectUnknown("the request") : new Error("the database is gone"));
    };
    const rejected = await deposit(5);
    expect([rejected.isAccepted, await ledger.hasTransaction!(rejected.id)]).to.deep.equal([true, true]);
    expect(await balances()).to.deep.equal([9n, 5n]);
    const lost = await deposit(6);
    expect([lost.isAccepted, await ledger.hasTransaction!(lost.id)]).to.deep.equal([false, false]);
    expect(await balances()).to.deep.equal([9n, 5n]);
    expect(reported).to.deep.equal([5n, 6n]);
  });

  it("forgets a payment whose transaction is rolled back", async () => {
    const rolledBack = new Error("rolled back");
    let lost = "";
    const failing = store.db.transaction().execute(async (db) => {
      lost = await ledger.pay({ ...payment, key: "lost" }, db);
      throw rolledBack;
    });
    expect(await failureOf(failing)).to.equal(rolledBack);
    expect(await ledger.hasTransaction!(lost)).to.equal(false);
    expect(await ledger.hasTransaction!(await pay("lost"))).to.equal(true);
  });

  it("adds a block every three seconds, and keeps all blocks when the clock is set back", async () => {
    const numberNow = async () => (await tronWeb.trx.getCurrentBlock()).block_header.raw_data.number;
    const before = await numberNow();
    now += 6_000;
    expect(await numberNow()).to.equal(before + 2);
    await pay("d");
    now -= 60_000;
    expect(await numberNow()).to.equal(before + 2);
  });
});
