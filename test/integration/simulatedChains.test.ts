import { PublicKey, TransactionMessage, VersionedTransaction } from "@solana/web3.js";
import { expect } from "chai";
import { formatUnits, parseEther, zeroAddress } from "viem";

import { createServiceClient, executeSteps, verifySignature } from "../../packages/sdk/src/index.ts";
import type { Quote, RequestRecord } from "../../packages/protocol/src/complete.ts";
import {
  isTerminalStatus,
  parseExchangeTransfer,
  quoteFeeTable,
  type QuoteRequest,
} from "../../packages/protocol/src/index.ts";
import type { LocalnetChain } from "../../packages/crosscall/src/localnet/index.ts";
import {
  SVM_MINOR_TOKEN,
  SVM_TETHER,
  SVM_WRAPPED_NATIVE,
  svmAddress,
} from "../../packages/crosscall/src/localnet/market/simulatedChains.ts";
import type { SvmTransactionData } from "../../packages/crosscall/src/localnet/market/quote/routes/svmDeposit.ts";
import { getChains, getQuote } from "../support/complete.ts";
import { toWeb3Instructions } from "../support/solanaWeb3.ts";
import { until } from "../support/until.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { dollarsOf, userWallet } from "./support/parties.ts";
import { post, recordOf } from "./support/serviceCalls.ts";

const SVM = 792_703_809;
const EXCHANGE = 3_586_256;
const SOL = "11111111111111111111111111111111";
const WALLET = svmAddress("test wallet");

describe("simulated chains", () => {
  const network = useNetwork();
  let chain: LocalnetChain;

  before(() => {
    [chain] = network.chains;
  });

  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2 });
  const user = () => network.accounts.user.address;
  const admin = () => ({ "x-admin-key": network.adminKey });
  const idOf = (quote: Quote): string => quote.steps[0]?.requestId ?? "";
  const deposit = (quote: Quote, body: object = {}) =>
    post(network, `/admin/requests/${idOf(quote)}/deposit`, body, admin());
  async function end(requestId: string): Promise<RequestRecord> {
    return until(async () => {
      const record = await recordOf(network, requestId);
      return isTerminalStatus(record.status) && record;
    });
  }
  const fromSvm = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    user: WALLET,
    recipient: user(),
    originChainId: SVM,
    destinationChainId: chain.id,
    originCurrency: SOL,
    destinationCurrency: chain.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: "1000000000",
    ...change,
  });
  const fromExchange = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    ...fromSvm(),
    user: "509564",
    originChainId: EXCHANGE,
    originCurrency: "3",
    amount: "100000000",
    ...change,
  });

  it("appear in the list of chains with their VM types", async () => {
    const chains = await getChains(client());
    const families = chains.map(({ id, vmType }) => [id, vmType]);
    expect(families).to.deep.include.members([
      [SVM, "svm"],
      [EXCHANGE, "lvm"],
    ]);
  });

  it("accept a deposit on the SVM chain made with the quoted instructions, and fill it on the EVM chain", async () => {
    const quote = await getQuote(client(), fromSvm());
    const { data } = quote.steps[0]?.items[0] ?? expect.fail("no item");
    expect(Object.keys(data ?? {})).to.deep.equal(["instructions", "addressLookupTableAddresses"]);
    const [instruction] = (data as { instructions: { programId: string; data: string; keys: object[] }[] })
      .instructions;
    expect(instruction?.programId).to.equal(quote.protocol?.v2.paymentDetails.depository);
    expect(instruction?.data.endsWith(quote.protocol?.v2.orderId.slice(2) ?? "?")).to.equal(true);
    // Amount of 10^9 lamports, as 8 little-endian bytes.
    expect(instruction?.data.slice(16, 32)).to.equal("00ca9a3b00000000");
    expect(instruction?.keys).to.deep.include({ pubkey: WALLET, isSigner: true, isWritable: true });

    const before = await dollarsOf(chain, user());
    expect((await deposit(quote, { txHash: "5sig" })).body).to.deep.equal({ txHash: "5sig" });
    const record = await end(idOf(quote));
    expect(record.status).to.equal("success");
    expect((await dollarsOf(chain, user())) - before).to.equal(BigInt(quote.details.currencyOut.amount));
    expect(record.data.inTxs.map(({ txHash, chainId }) => [txHash, chainId])).to.deep.equal([["5sig", SVM]]);
    expect(record.protocol?.deposit?.origin).to.include({ depositor: WALLET, transactionId: "5sig" });
  });

  it("reject a deposit transaction that is too large until the route is short enough", async () => {
    for (const [originCurrency, variant] of [
      [SVM_TETHER, "maxRouteLength4"],
      [SVM_WRAPPED_NATIVE, "maxRouteLength3"],
      [SVM_MINOR_TOKEN, "aggregatorOnly"],
    ] as const) {
      const request = fromSvm({ originCurrency, amount: "100000000000" });
      const { status, body } = await post(network, "/quote/v2", request);
      expect([originCurrency, status]).to.deep.equal([originCurrency, 400]);
      expect(body).to.have.property("errorCode", "SOLANA_TX_TOO_LARGE");
      const variants: string[] = [];
      await getQuote(client(), { ...request, onSvmRoute: (route) => variants.push(route.variant) });
      expect([originCurrency, variants]).to.deep.equal([originCurrency, [variant]]);
    }
  });

  it("quote SVM deposits whose transactions take at most 1,125 bytes, and reject longer routes", async () => {
    const payer = new PublicKey(WALLET);
    const accepted: number[] = [];
    const rejected: string[] = [];
    for (const originCurrency of [SVM_TETHER, SVM_WRAPPED_NATIVE, SVM_MINOR_TOKEN]) {
      for (const maxRouteLength of [1, 2, 3, 4, 5, 6]) {
        const request = fromSvm({ originCurrency, amount: "100000000000", maxRouteLength });
        const { status, body } = await post(network, "/quote/v2", request);
        if (status !== 200) {
          rejected.push(`${(body as { errorCode: string }).errorCode} ${originCurrency} ${maxRouteLength}`);
          continue;
        }
        const data = (body as Quote).steps[0]?.items[0]?.data as SvmTransactionData | undefined;
        const { instructions } = data ?? expect.fail("no data");
        const message = new TransactionMessage({
          payerKey: payer,
          recentBlockhash: WALLET,
          instructions: toWeb3Instructions(instructions),
        });
        accepted.push(new VersionedTransaction(message.compileToV0Message()).serialize().length);
      }
    }
    expect(Math.max(...accepted)).to.equal(1_125);
    expect(rejected).to.deep.equal(
      [
        ...[5, 6].map((length) => [SVM_TETHER, length]),
        ...[4, 5, 6].map((length) => [SVM_WRAPPED_NATIVE, length]),
        ...[3, 4, 5, 6].map((length) => [SVM_MINOR_TOKEN, length]),
      ].map((route) => `SOLANA_TX_TOO_LARGE ${route.join(" ")}`),
    );
  });

  it("accept the quoted transfer on the exchange chain as a deposit", async () => {
    const quote = await getQuote(client(), fromExchange());
    const { data } = quote.steps[0]?.items[0] ?? expect.fail("no item");
    const transfer = parseExchangeTransfer({ data, requestId: idOf(quote), path: "steps[0].items[0].data" });
    expect(transfer).to.include({ toAccountIndex: 1n, assetIndex: 3n, amount: 100_000_000n, memo: idOf(quote) });
    const { execution } = quote.details.expandedPriceImpact;
    expect(Number(transfer.usdcFee)).to.be.greaterThan(20_000);
    expect(formatUnits(-transfer.usdcFee, 6)).to.equal(execution.usd.replace(/0+$/u, ""));
    await deposit(quote);
    const record = await end(idOf(quote));
    const signed = await verifySignature(client(), { requestId: idOf(quote), expected: { originUser: "509564" } });
    expect(signed.isValid).to.equal(true);
    const { requestData, signature } = signed.signed;
    const another = { requestData: { ...requestData, originCurrency: "0" }, signature };
    expect((await verifySignature(client(), { requestId: idOf(quote), signed: another })).isValid).to.equal(false);
    expect([record.status, record.user]).to.deep.equal(["success", "509564"]);
  });

  it("refund deposits that do not match the order on the simulated chain", async () => {
    for (const [body, failReason] of [
      [{ amount: "99999999" }, "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL"],
      [{ currency: "0" }, "INCORRECT_DEPOSIT_CURRENCY"],
    ] as const) {
      const quote = await getQuote(client(), fromExchange());
      await deposit(quote, body);
      const record = await end(idOf(quote));
      expect([record.status, record.data.failReason]).to.deep.equal(["refund", failReason]);
      expect(record.protocol?.settlement?.destination?.refunds.map(({ chainId }) => chainId)).to.deep.equal([EXCHANGE]);
    }
  });

  for (const [name, destinationChainId, destinationCurrency, recipient, executionUsd] of [
    ["SVM", SVM, SOL, WALLET, ["-0.021500", "-0.021500"]],
    // The second deposit pays an account that is already active.
    ["exchange", EXCHANGE, "0", "700001", ["-1.020000", "-0.020000"]],
  ] as const) {
    it(`have a simulated fill on the ${name} chain after a real deposit`, async () => {
      const request: QuoteRequest = {
        user: user(),
        originChainId: chain.id,
        originCurrency: zeroAddress,
        destinationChainId,
        destinationCurrency,
        recipient,
        tradeType: "EXACT_INPUT",
        amount: parseEther("1").toString(),
      };
      const quote = await getQuote(client(), request);
      expect(quoteFeeTable(quote).mismatches).to.deep.equal([]);
      expect(quote.fees.relayerGas.amountUsd).to.equal(executionUsd[0].slice(1));
      const { status } = await executeSteps(client(), {
        quote,
        wallet: userWallet(network, chain),
        pollIntervalMs: 25,
      });
      expect(status).to.include({ status: "success", destinationChainId });
      const record = await recordOf(network, idOf(quote));
      expect(record.recipient).to.equal(recipient);
      expect(record.data.outTxs[0]).to.include({ chainId: destinationChainId, txHash: status.txHashes?.[0] });
      expect(record.data.route?.actual.destination?.outputCurrency.amount).to.equal(quote.details.currencyOut.amount);
      expect(record.data.fees?.quoted.execution.usd).to.equal(executionUsd[0]);
      const second = await getQuote(client(), request);
      const executions = [quote, second].map(({ details }) => details.expandedPriceImpact.execution.usd);
      expect(executions).to.deep.equal(executionUsd);
    });
  }

  it("reject unsupported requests with the corresponding error code", async () => {
    const cases: [QuoteRequest, string, string][] = [
      [fromSvm({ user: user() }), "INVALID_ADDRESS", "user"],
      [fromSvm({ originCurrency: svmAddress("unknown") }), "INVALID_INPUT_CURRENCY", "originCurrency"],
      [fromSvm({ useDepositAddress: true }), "UNSUPPORTED_EXECUTION_TYPE", "useDepositAddress"],
      [
        fromSvm({ destinationChainId: SVM, destinationCurrency: SVM_TETHER, recipient: WALLET }),
        "UNSUPPORTED_ROUTE",
        "destinationChainId",
      ],
      [fromSvm({ originGasOverhead: 80_000 }), "UNSUPPORTED_EXECUTION_TYPE", "originGasOverhead"],
      [fromExchange({ originGasOverhead: 80_000 }), "UNSUPPORTED_EXECUTION_TYPE", "originGasOverhead"],
      [fromExchange({ amount: "1" }), "AMOUNT_TOO_LOW", "amount"],
      [
        fromSvm({
          user: user(),
          recipient: WALLET,
          originChainId: chain.id,
          originCurrency: chain.contracts.feeToken,
          destinationChainId: SVM,
          destinationCurrency: SOL,
        }),
        "INVALID_INPUT_CURRENCY",
        "originCurrency",
      ],
    ];
    for (const [request, errorCode, field] of cases) {
      const { status, body } = await post(network, "/quote/v2", request);
      const { errorCode: code, field: named } = body as { errorCode: string; field: string };
      expect([status, code, named]).to.deep.equal([400, errorCode, field]);
    }
  });

  it("accept a reported deposit only from an admin, once, and only on a simulated chain", async () => {
    const quote = await getQuote(client(), fromSvm());
    expect((await post(network, `/admin/requests/${idOf(quote)}/deposit`, {})).status).to.equal(401);
    expect((await deposit(quote, { depositor: user() })).status).to.equal(400);
    expect((await deposit(quote)).status).to.equal(200);
    expect((await deposit(quote)).status).to.equal(400);
    const onChain = await getQuote(client(), {
      ...fromSvm(),
      user: user(),
      originChainId: chain.id,
      originCurrency: zeroAddress,
      destinationChainId: network.chains[1].id,
      destinationCurrency: zeroAddress,
      amount: parseEther("1").toString(),
    });
    expect((await deposit(onChain)).status).to.equal(400);
  });
});
