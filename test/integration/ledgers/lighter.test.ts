import { expect } from "chai";
import { type Hex, hexToBytes, parseEther, zeroAddress } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

import { EXCHANGE_CHAIN_ID } from "../../../packages/protocol/src/chains/chainIds.ts";
import type { ChainEntry, Quote } from "../../../packages/protocol/src/complete.ts";
import { isTerminalStatus, parseExchangeTransfer, type QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { attest } from "../../../packages/sdk/src/attestation.ts";
import { createServiceClient, executeSteps } from "../../../packages/sdk/src/index.ts";
import { getQuote } from "../../support/complete.ts";
import { until } from "../../support/until.ts";
import { chainsOf, useNetwork } from "../../support/useNetwork.ts";
import { callAdmin } from "../support/adminCalls.ts";
import { dollarsOf, userWallet } from "../support/parties.ts";
import { type Answer, get, post, recordOf } from "../support/serviceCalls.ts";

const PERPS = "0";
const SPOT = "3";
const DEPOSITORY = 1;

interface LighterAccount {
  readonly index: number;
  readonly l1_address: string;
  readonly collateral: string;
  readonly assets: { balance: string }[];
}

interface Wallet {
  readonly signer: PrivateKeyAccount;
  readonly index: number;
}

interface Transfer {
  readonly FromAccountIndex: number;
  readonly ApiKeyIndex: number;
  readonly ToAccountIndex: number;
  readonly AssetIndex: number;
  readonly FromRouteType: number;
  readonly ToRouteType: number;
  readonly Amount: number;
  readonly USDCFee: number;
  readonly Memo: readonly number[];
  readonly ExpiredAt: number;
  readonly Nonce: number;
}

/** Text that Lighter's clients sign with the EVM key, written independently of the network's code. */
function textOf(info: Transfer): string {
  const word = (value: number): string => `0x${value.toString(16).padStart(16, "0")}`;
  return `Transfer

nonce: ${word(info.Nonce)}
from: ${word(info.FromAccountIndex)} (route ${word(info.FromRouteType)})
api key: ${word(info.ApiKeyIndex)}
to: ${word(info.ToAccountIndex)} (route ${word(info.ToRouteType)})
asset: ${word(info.AssetIndex)}
amount: ${word(info.Amount)}
fee: ${word(info.USDCFee)}
chainId: ${word(304)}
memo: ${Buffer.from(info.Memo).toString("hex")}
Only sign this message for a trusted client!`;
}

describe("the Lighter ledger", () => {
  const network = useNetwork({ defaultApiKey: "crosscall-local" });
  const [chain] = chainsOf(network);
  let api = "";

  before(async () => {
    const { body } = await get(network, "/chains");
    const entry = (body as { chains: ChainEntry[] }).chains.find(({ id }) => id === EXCHANGE_CHAIN_ID);
    api = `${entry?.httpRpcUrl ?? ""}/api/v1`;
  });

  const read = async (path: string): Promise<Answer> => {
    const response = await fetch(`${api}/${path}`);
    return { status: response.status, body: await response.json() };
  };
  const accountOf = async (query: string): Promise<LighterAccount> =>
    ((await read(`account?${query}`)).body as { accounts: [LighterAccount] }).accounts[0];
  const balancesOf = async (index: number | string): Promise<(string | undefined)[]> => {
    const { collateral, assets } = await accountOf(`by=index&value=${index}`);
    return [collateral, assets[0]?.balance];
  };
  const fund = async (address: string, currency = PERPS): Promise<void> => {
    const path = `/admin/chains/${EXCHANGE_CHAIN_ID}/faucet`;
    const { status } = await callAdmin(network, "POST", path, { address, currency, amount: "100000000" });
    expect(status).to.equal(200);
  };
  const openWallet = async (): Promise<Wallet> => {
    const signer = privateKeyToAccount(generatePrivateKey());
    await fund(signer.address);
    const { body } = await read(`accountsByL1Address?l1_address=${signer.address}`);
    const [account] = (body as { sub_accounts: LighterAccount[] }).sub_accounts;
    return { signer, index: account?.index ?? expect.fail("no account") };
  };
  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2 });
  const quoteFrom = (index: number, change: Partial<QuoteRequest> = {}): Promise<Quote> =>
    getQuote(client(), {
      user: `${index}`,
      recipient: network.accounts.user.address,
      originChainId: EXCHANGE_CHAIN_ID,
      destinationChainId: chain.id,
      originCurrency: PERPS,
      destinationCurrency: chain.contracts.dollar,
      tradeType: "EXACT_INPUT",
      amount: "50000000",
      includeProtocolData: true,
      ...change,
    });
  const idOf = ({ steps }: Quote): string => steps[0]?.requestId ?? "";
  const endOf = (quote: Quote) =>
    until(async () => {
      const record = await recordOf(network, idOf(quote));
      return isTerminalStatus(record.status) && record;
    });

  /** Builds a quote's transfer as a client does. */
  async function transferOf({ index }: Wallet, quote: Quote, memo = idOf(quote)): Promise<Transfer> {
    const { data } = quote.steps[0]?.items[0] ?? expect.fail("no item");
    const planned = parseExchangeTransfer({ data, requestId: idOf(quote), path: "data" });
    const { body } = await read(`nextNonce?account_index=${index}&api_key_index=4`);
    return {
      FromAccountIndex: index,
      ApiKeyIndex: 4,
      ToAccountIndex: Number(planned.toAccountIndex),
      AssetIndex: Number(planned.assetIndex),
      FromRouteType: planned.fromRouteType,
      ToRouteType: planned.toRouteType,
      Amount: Number(planned.amount),
      USDCFee: Number(planned.usdcFee),
      Memo: [...hexToBytes(memo as Hex)],
      ExpiredAt: network.clock.now() + 600_000,
      Nonce: (body as { nonce: number }).nonce,
    };
  }

  /** @param change changed fields that are sent but not signed */
  async function send({ signer }: Wallet, transfer: Transfer, change: object = {}, isMultipart = true) {
    const L1Sig = await signer.signMessage({ message: textOf(transfer) });
    const body = isMultipart ? new FormData() : new URLSearchParams();
    body.append("tx_type", "12");
    body.append("tx_info", JSON.stringify({ ...transfer, ...change, Sig: "00", L1Sig }));
    const response = await fetch(`${api}/sendTx`, { method: "POST", body });
    return (await response.json()) as { code: number; tx_hash?: string };
  }

  it("continues a request after a transfer whose memo is the id of the request or its order", async () => {
    for (const [named, isMultipart] of [
      ["request", true],
      ["order", false],
    ] as const) {
      const wallet = await openWallet();
      const quote = await quoteFrom(wallet.index);
      const orderId = quote.protocol?.v2.orderId;
      const before = await dollarsOf(chain, network.accounts.user.address);
      const transfer = await transferOf(wallet, quote, named === "order" ? orderId : undefined);
      const { code, tx_hash: hash = "" } = await send(wallet, transfer, {}, isMultipart);
      expect([named, code]).to.deep.equal([named, 200]);
      const record = await endOf(quote);
      expect([record.status, record.data.inTxs.map(({ txHash }) => txHash)]).to.deep.equal(["success", [hash]]);
      const received = (await dollarsOf(chain, network.accounts.user.address)) - before;
      expect(received).to.equal(BigInt(quote.details.currencyOut.amount));
      expect(await balancesOf(wallet.index)).to.deep.equal(["50.000000", "0.000000"]);
      const { body } = await read(`accountTxs?by=account_index&value=${wallet.index}&limit=5`);
      expect((body as { txs: object[] }).txs).to.have.length(1);

      const oracle = createServiceClient({ baseUrl: network.oracle?.url ?? "", apiKey: network.apiKey });
      const { messages } = await attest(oracle, "depository-deposits/v1", { chainId: "lighter", transactionId: hash });
      const depositId = named === "order" ? orderId : idOf(quote);
      const expected = { depositId, depositor: `${wallet.index}`, currency: PERPS, amount: "50000000" };
      expect(messages[0]?.result).to.include(expected);
      const announced = { chainId: EXCHANGE_CHAIN_ID, txHash: hash };
      expect((await post(network, "/transactions/index", announced)).status).to.equal(200);
    }
  });

  it("fills a request to Lighter with a transfer that the local oracles attest", async () => {
    const quote = await getQuote(client(), {
      user: network.accounts.user.address,
      recipient: "700001",
      originChainId: chain.id,
      destinationChainId: EXCHANGE_CHAIN_ID,
      originCurrency: zeroAddress,
      destinationCurrency: SPOT,
      tradeType: "EXACT_INPUT",
      amount: parseEther("1").toString(),
      includeProtocolData: true,
    });
    const wallet = userWallet(network, chain);
    const { status, transactions } = await executeSteps(client(), { quote, wallet, pollIntervalMs: 25 });
    expect(status.status).to.equal("success");
    const [, spot = "0"] = await balancesOf(700_001);
    expect(BigInt(spot.replace(".", ""))).to.equal(BigInt(quote.details.currencyOut.amount));
    const oracle = createServiceClient({ baseUrl: network.oracle?.url ?? "", apiKey: network.apiKey });
    const transactionId = transactions[0]?.txHash ?? "0x";
    const from = { chainId: `local-${chain.id}`, transactionId };
    const { messages } = await attest(oracle, "depository-deposits/v1", from);
    const { orderData: order, orderSignature = "" } = quote.protocol!.v2;
    const { execution } = await attest(oracle, "solver-fills/v1", {
      order,
      orderSignature,
      inputs: [{ transactionId, onchainId: messages[0]!.result.onchainId, inputIndex: 0 }],
      fill: { transactionId: status.txHashes?.[0] ?? "" },
    });
    expect(execution?.actions).to.have.length.greaterThan(0);
  });

  it("refunds deposits that are too small or from another market with a transfer", async () => {
    for (const [change, failReason, balances] of [
      [{ Amount: 49_990_000 }, "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL", ["100.000000", "0.000000"]],
      [{ ToRouteType: 1 }, "INCORRECT_DEPOSIT_CURRENCY", ["50.000000", "50.000000"]],
    ] as const) {
      const wallet = await openWallet();
      const quote = await quoteFrom(wallet.index);
      expect((await send(wallet, { ...(await transferOf(wallet, quote)), ...change })).code).to.equal(200);
      const record = await endOf(quote);
      expect([record.status, record.data.failReason]).to.deep.equal(["refund", failReason]);
      expect(await balancesOf(wallet.index)).to.deep.equal(balances);
    }
  });

  it("rejects forged, repeated, late and uncovered transfers", async () => {
    const wallet = await openWallet();
    const thief = await openWallet();
    const quote = await quoteFrom(wallet.index);
    const transfer = await transferOf(wallet, quote);
    const codeOf = async (answer: Promise<{ code: number }>): Promise<number> => (await answer).code;
    const INVALID_SIGNATURE = 21_120;
    expect(await codeOf(send(thief, transfer))).to.equal(INVALID_SIGNATURE);
    for (const change of [{ Amount: 60_000_000 }, { ToAccountIndex: thief.index }, { ApiKeyIndex: 5 }]) {
      expect(await codeOf(send(wallet, transfer, change))).to.equal(INVALID_SIGNATURE);
    }
    // An account without an EVM address cannot send transfers.
    await fund("900001");
    expect(await codeOf(send(wallet, { ...transfer, FromAccountIndex: 900_001 }))).to.equal(INVALID_SIGNATURE);
    expect(await codeOf(send(wallet, { ...transfer, FromAccountIndex: 900_002 }))).to.equal(21_100);
    expect(await codeOf(send(wallet, { ...transfer, Nonce: 1 }))).to.equal(21_104);
    expect(await codeOf(send(wallet, { ...transfer, ExpiredAt: 1 }))).to.equal(21_105);
    expect(await codeOf(send(wallet, { ...transfer, Amount: 100_000_001 }))).to.equal(21_106);
    expect(await codeOf(send(wallet, { ...transfer, AssetIndex: 1 }))).to.equal(20_001);
    expect((await recordOf(network, idOf(quote))).status).to.equal("waiting");

    // Of two equal concurrent transfers, one is executed.
    const codes = await Promise.all([codeOf(send(wallet, transfer)), codeOf(send(wallet, transfer))]);
    expect(codes.toSorted()).to.deep.equal([200, 21_104]);
    expect(await balancesOf(wallet.index)).to.deep.equal(["50.000000", "0.000000"]);
    expect((await endOf(quote)).data.inTxs).to.have.length(1);
    expect(transfer.ToAccountIndex).to.equal(DEPOSITORY);
  });

  it("reports unknown accounts and transactions", async () => {
    for (const path of ["account?by=index&value=5", "accountsByL1Address?l1_address=0x1", "tx?by=hash&value=ab"]) {
      expect([path, (await read(path)).status]).to.deep.equal([path, 400]);
    }
    expect((await read("orderBooks")).status).to.equal(404);
    const unknown = { chainId: EXCHANGE_CHAIN_ID, txHash: "ab".repeat(40) };
    expect((await post(network, "/transactions/index", unknown)).status).to.equal(404);
  });
});
