import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from "@solana/kit";
import { Connection, Keypair, PublicKey, TransactionMessage, VersionedTransaction } from "@solana/web3.js";
import { expect } from "chai";
import { parseEther, zeroAddress } from "viem";

import { u64 } from "../../../packages/crosscall/src/localnet/ledgers/solana/instructions.ts";
import {
  SVM_EXCHANGE,
  SVM_MINOR_TOKEN,
  SVM_TETHER,
  SVM_WRAPPED_NATIVE,
} from "../../../packages/crosscall/src/localnet/market/simulatedChains.ts";
import type { SvmTransactionData } from "../../../packages/crosscall/src/localnet/market/quote/routes/svmDeposit.ts";
import type { Quote, RequestRecord } from "../../../packages/protocol/src/complete.ts";
import { isTerminalStatus, type QuoteRequest, quoteFeeTable } from "../../../packages/protocol/src/index.ts";
import { associatedTokenAccount, vaultOf } from "../../../packages/protocol/src/vms/solanaPrograms.ts";
import {
  createMemoryJournal,
  createServiceClient,
  executeSteps,
  type ExecuteStepsParameters,
} from "../../../packages/sdk/src/index.ts";
import { svmWallet } from "../../../packages/sdk/src/svm.ts";
import { verifyQuote } from "../../../packages/sdk/src/verify/verifyQuote.ts";
import { getQuote } from "../../support/complete.ts";
import { signWeb3, toWeb3Instructions } from "../../support/solanaWeb3.ts";
import { until } from "../../support/until.ts";
import { chainsOf, useNetwork } from "../../support/useNetwork.ts";
import { callAdmin } from "../support/adminCalls.ts";
import { failureOf } from "../support/failureOf.ts";
import { dollarsOf, userWallet } from "../support/parties.ts";
import { get, post, recordOf } from "../support/serviceCalls.ts";
import { DEPOSITORY, SOL, SVM, USDC } from "../support/useSvmPayments.ts";

const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const BELOW_MINIMUM = "0x1771";
const SPONSOR = Keypair.generate().publicKey.toBase58();

/** Deposits after swaps that these sizes make too large, and those that fit. */
const [LIMIT, ABOVE_LIMIT] = [1_172, 1_173];

describe("swaps on the Solana chain", () => {
  const network = useNetwork({ svm: true });
  const [chain] = chainsOf(network);
  const keypair = Keypair.generate();
  const user = keypair.publicKey.toBase58();
  let connection: Connection;
  let signer: KeyPairSigner;

  before(async () => {
    connection = new Connection(network.svm?.rpcUrl ?? "", "confirmed");
    signer = await createKeyPairSignerFromPrivateKeyBytes(keypair.secretKey.slice(0, 32));
    await fund(SOL, 10_000_000_000n);
  });

  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2 });
  const fund = async (currency: string, amount: bigint, address = user): Promise<void> => {
    const body = { address, currency, amount: amount.toString() };
    expect((await callAdmin(network, "POST", `/admin/chains/${SVM}/faucet`, body)).status).to.equal(200);
  };
  const tokensOf = async (owner: string, mint: string): Promise<bigint> => {
    const account = await connection.getAccountInfo(new PublicKey(associatedTokenAccount(owner, mint, TOKEN)));
    return account?.data.readBigUInt64LE(64) ?? 0n;
  };
  const fromSvm = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    user,
    recipient: network.accounts.user.address,
    includeProtocolData: true,
    originChainId: SVM,
    destinationChainId: chain.id,
    originCurrency: SVM_TETHER,
    destinationCurrency: chain.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: "100000000",
    ...change,
  });
  const toSvm = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    ...fromSvm(),
    user: network.accounts.user.address,
    recipient: user,
    originChainId: chain.id,
    originCurrency: zeroAddress,
    destinationChainId: SVM,
    destinationCurrency: SVM_MINOR_TOKEN,
    amount: parseEther("1").toString(),
    ...change,
  });
  const refusal = async (request: QuoteRequest) => {
    const { status, body } = await post(network, "/quote/v2", request);
    const { errorCode, field, message } = body as Readonly<Record<string, string>>;
    return { status, errorCode, field, message };
  };
  const dataOf = (quote: Quote): SvmTransactionData =>
    (quote.steps[0]?.items[0]?.data as SvmTransactionData | undefined) ?? expect.fail("no data");
  const poolsOf = (quote: Quote): number => {
    const swap = dataOf(quote).instructions.find(({ programId }) => programId === SVM_EXCHANGE);
    return Buffer.from(swap?.data ?? "", "hex")[24] ?? 0;
  };
  /** Compiles and signs a quote's deposit as its wallet adapters do. */
  const sign = async (quote: Quote): Promise<VersionedTransaction> => {
    const { instructions, addressLookupTableAddresses } = dataOf(quote);
    const tables = await Promise.all(
      addressLookupTableAddresses.map(async (address) => {
        const { value } = await connection.getAddressLookupTable(new PublicKey(address));
        return value ?? expect.fail("no table");
      }),
    );
    const { blockhash } = await connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: keypair.publicKey,
      recentBlockhash: blockhash,
      instructions: toWeb3Instructions(instructions),
    });
    const transaction = new VersionedTransaction(message.compileToV0Message(tables));
    transaction.sign([keypair]);
    return transaction;
  };
  const bytesOf = async (quote: Quote): Promise<number> => (await sign(quote)).serialize().length;
  const send = async (quote: Quote): Promise<string> => connection.sendTransaction(await sign(quote));
  const end = (quote: Quote): Promise<RequestRecord> =>
    until(async () => {
      const record = await recordOf(network, quote.steps[0]?.requestId ?? "");
      return isTerminalStatus(record.status) && record;
    });
  const inventoryOf = (quote: Quote) => quote.protocol?.v2.orderData.inputs[0]?.payment ?? expect.fail("no order");

  for (const [name, currency, amount, change] of [
    ["WSOL", SVM_WRAPPED_NATIVE, 1_000_000_000n, { maxRouteLength: 3 }],
    ["USDT", SVM_TETHER, 100_000_000n, { maxRouteLength: 5 }],
    ["TKN", SVM_MINOR_TOKEN, 20_000_000n, { includedOriginSwapSources: ["jupiter"] }],
  ] satisfies [string, string, bigint, Partial<QuoteRequest>][]) {
    it(`swaps ${name} in the transaction of the deposit, and fills it`, async () => {
      await fund(currency, amount);
      const request = fromSvm({ originCurrency: currency, amount: amount.toString(), ...change });
      const quote = await getQuote(client(), request);
      const vault = vaultOf(DEPOSITORY);
      const balances = () =>
        Promise.all([tokensOf(user, currency), tokensOf(user, USDC), tokensOf(vault, USDC)] as const);
      const [paying, holding, kept] = await balances();
      const dollars = await dollarsOf(chain, network.accounts.user.address);
      const sent = await send(quote);
      const record = await end(quote);
      expect(record.status).to.equal("success");
      const payment = inventoryOf(quote);
      const { inputCurrency, outputCurrency } = quote.details.route.origin;
      const after = await balances();
      expect([paying - after[0], after[2] - kept]).to.deep.equal([amount, BigInt(payment.amount)]);
      // The quoted output arrives, and the user keeps what the deposit does not need.
      expect(after[1] - holding + BigInt(payment.amount)).to.equal(BigInt(outputCurrency.amount));
      expect([inputCurrency.amount, payment.currency, outputCurrency.minimumAmount]).to.deep.equal([
        amount.toString(),
        USDC,
        payment.amount,
      ]);
      expect(quoteFeeTable(quote).mismatches).to.deep.equal([]);
      const received = (await dollarsOf(chain, network.accounts.user.address)) - dollars;
      expect(received).to.equal(BigInt(quote.details.currencyOut.amount));
      expect(record.data.inTxs.map(({ txHash }) => txHash)).to.deep.equal([sent]);
      expect(record.protocol?.deposit?.origin).to.include({ currency: USDC, amount: payment.amount, depositor: user });
      const { route } = record.data;
      expect(route?.includedOriginSwapSources).to.deep.equal([quote.details.route.origin.router]);
      expect(route?.actual.origin.inputCurrency.amount).to.equal(amount.toString());
      expect(route?.actual.origin.outputCurrency.amount).to.equal(payment.amount);
      expect(record.data.fees?.quoted.swap.usd).to.equal(quote.details.expandedPriceImpact.swap.usd);
      const units = (await connection.getTransaction(sent, { maxSupportedTransactionVersion: 0 }))?.meta;
      expect(Number(units?.computeUnitsConsumed)).to.be.lessThan(80_000 + 20_000 * poolsOf(quote));
      expect(units?.fee).to.be.greaterThan(5_000);
    });
  }

  it("limits the pools by maxRouteLength: a longer route has a better price and a larger transaction", async () => {
    const quotes = await Promise.all(
      [1, 2, 3, 4, 5].map((maxRouteLength) => getQuote(client(), fromSvm({ maxRouteLength }))),
    );
    expect(quotes.map(poolsOf)).to.deep.equal([1, 2, 3, 4, 5]);
    const outputs = quotes.map(({ details }) => Number(details.currencyOut.amount));
    expect(outputs).to.deep.equal(outputs.toSorted((a, b) => a - b));
    const sizes = await Promise.all(quotes.map(bytesOf));
    expect(new Set(outputs).size).to.equal(5);
    expect(sizes).to.deep.equal(sizes.toSorted((a, b) => a - b));
    expect(sizes.at(-1)).to.equal(LIMIT);
  });

  it("quotes a deposit of 1,172 bytes, and rejects one of 1,173 and larger ones", async () => {
    expect(await bytesOf(await getQuote(client(), fromSvm({ maxRouteLength: 5 })))).to.equal(LIMIT);
    const wrapped = { originCurrency: SVM_WRAPPED_NATIVE, amount: "1000000000" };
    for (const [change, bytes] of [
      [{ ...wrapped, maxRouteLength: 4 }, ABOVE_LIMIT],
      [{}, 1_307],
      // Another payer of the fee adds a signature of 64 bytes and an account of 32.
      [{ maxRouteLength: 5, depositFeePayer: SPONSOR }, LIMIT + 96],
    ] as const) {
      const { message, ...refused } = await refusal(fromSvm(change));
      expect(refused).to.deep.equal({ status: 400, errorCode: "SOLANA_TX_TOO_LARGE", field: "maxRouteLength" });
      expect(message).to.contain(`${bytes} bytes`);
    }
  });

  it("lets getQuote retry with smaller routes, down to the aggregator's, which then work", async () => {
    for (const [originCurrency, amount, variant] of [
      [SVM_TETHER, "100000000", "maxRouteLength4"],
      [SVM_WRAPPED_NATIVE, "1000000000", "maxRouteLength3"],
      [SVM_MINOR_TOKEN, "20000000", "aggregatorOnly"],
    ] as const) {
      await fund(originCurrency, BigInt(amount));
      const variants: string[] = [];
      const request = fromSvm({ originCurrency, amount });
      const quote = await getQuote(client(), { ...request, onSvmRoute: (route) => variants.push(route.variant) });
      expect([originCurrency, variants]).to.deep.equal([originCurrency, [variant]]);
      await send(quote);
      expect((await end(quote)).status).to.equal("success");
    }
  });

  it("swaps through the sources of the request, and rejects a request that excludes all", async () => {
    const { body } = await get(network, `/swap-sources?chainId=${SVM}`);
    expect(body).to.deep.equal({ sources: ["jupiter", "local-pools"] });
    const sourceOf = async (change: Partial<QuoteRequest>): Promise<string | undefined> =>
      (await getQuote(client(), fromSvm({ maxRouteLength: 4, ...change }))).details.route.origin.router;
    expect([
      await sourceOf({}),
      await sourceOf({ includedOriginSwapSources: ["jupiter"] }),
      await sourceOf({ includedSwapSources: ["local-pools", "another"] }),
      await sourceOf({ excludedSwapSources: ["local-pools"] }),
    ]).to.deep.equal(["local-pools", "jupiter", "local-pools", "jupiter"]);
    for (const [field, value] of [
      ["includedOriginSwapSources", ["another"]],
      ["includedSwapSources", ["another"]],
      ["excludedSwapSources", ["jupiter", "local-pools"]],
      ["disableOriginSwaps", true],
    ] as const) {
      const { message: _, ...refused } = await refusal(fromSvm({ maxRouteLength: 4, [field]: value }));
      expect(refused).to.deep.equal({ status: 400, errorCode: "NO_SWAP_ROUTES_FOUND", field });
    }
    // Only a swap needs a source.
    expect(
      (await getQuote(client(), fromSvm({ originCurrency: USDC, disableOriginSwaps: true }))).steps,
    ).to.have.length(1);
  });

  it("rejects amounts that the pools cannot swap", async () => {
    const codeOf = async (change: Partial<QuoteRequest>) =>
      (await refusal(fromSvm({ maxRouteLength: 4, ...change }))).errorCode;
    expect(await codeOf({ amount: (10n ** 15n).toString() })).to.equal("SWAP_IMPACT_TOO_HIGH");
    expect(await codeOf({ amount: "1" })).to.equal("INSUFFICIENT_LIQUIDITY");
    const output = { tradeType: "EXACT_OUTPUT", amount: (10n ** 16n).toString() } as const;
    expect(await codeOf(output)).to.equal("INSUFFICIENT_LIQUIDITY");
  });

  it("swaps what an exact output needs", async () => {
    const amount = "50000000";
    const quote = await getQuote(client(), fromSvm({ tradeType: "EXACT_OUTPUT", amount, maxRouteLength: 4 }));
    const paid = BigInt(quote.details.currencyIn.amount);
    await fund(SVM_TETHER, paid);
    const before = await tokensOf(user, SVM_TETHER);
    const dollars = await dollarsOf(chain, network.accounts.user.address);
    await send(quote);
    expect((await end(quote)).status).to.equal("success");
    expect(before - (await tokensOf(user, SVM_TETHER))).to.equal(paid);
    expect((await dollarsOf(chain, network.accounts.user.address)) - dollars).to.equal(BigInt(amount));
  });

  it("fails on the chain if the pools yield less than the deposit, and nothing is paid", async () => {
    const request = fromSvm({ slippageTolerance: "0", maxRouteLength: 1 });
    const quote = await getQuote(client(), request);
    const other = await getQuote(client(), request);
    await fund(SVM_TETHER, 200_000_000n);
    const before = await tokensOf(user, SVM_TETHER);
    // The first swap lowers the price for the second.
    await send(other);
    expect((await end(other)).status).to.equal("success");
    const failure: unknown = await send(quote).catch((error: unknown) => error);
    expect((failure as Error).message).to.contain(`custom program error: ${BELOW_MINIMUM}`);
    const sent = await connection.sendTransaction(await sign(quote), { skipPreflight: true });
    const { value } = await connection.getSignatureStatus(sent);
    expect(value?.err).to.deep.equal({ InstructionError: [3, { Custom: 6_001 }] });
    expect(before - (await tokensOf(user, SVM_TETHER))).to.equal(100_000_000n);
    expect((await recordOf(network, quote.steps[0]?.requestId ?? "")).status).to.equal("waiting");
    // With the default tolerance, the same price is enough.
    const tolerant = await getQuote(client(), fromSvm({ maxRouteLength: 1 }));
    await send(tolerant);
    expect((await end(tolerant)).status).to.equal("success");
  });

  it("refunds the deposited currency of a swap that does not match its order", async () => {
    await fund(SVM_TETHER, 100_000_000n);
    const quote = await getQuote(client(), fromSvm({ maxRouteLength: 4 }));
    const deposit = dataOf(quote).instructions.at(-1) ?? expect.fail("no deposit");
    const data = Buffer.from(deposit.data, "hex");
    const half = BigInt(inventoryOf(quote).amount) / 2n;
    data.writeBigUInt64LE(half, 8);
    Object.assign(deposit, { data: data.toString("hex") });
    const before = await tokensOf(user, USDC);
    await send(quote);
    const record = await end(quote);
    expect([record.status, record.data.failReason]).to.deep.equal(["refund", "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL"]);
    expect(record.data.refundCurrencyData).to.deep.include({ amount: half.toString() });
    // The swap's whole output stays with the user.
    expect((await tokensOf(user, USDC)) - before).to.equal(BigInt(quote.details.route.origin.outputCurrency.amount));
  });

  it("is not bound by verifyQuote, which pins the program but does not decode it; svmWallet pays after a simulation", async () => {
    await fund(SVM_TETHER, 100_000_000n);
    const request = fromSvm({ maxRouteLength: 4 });
    const quote = await getQuote(client(), request);
    const { trust, clock } = network;
    const { verdict, claims } = await verifyQuote({ request, quote, trust, clock });
    expect([verdict, claims.filter(({ isMet }) => !isMet)]).to.deep.equal(["needsSimulation", []]);
    // Elsewhere, the program is unknown.
    const live = await verifyQuote({
      request,
      quote,
      trust: { ...trust, [SVM]: { ...trust[SVM], programs: [] } } as typeof trust,
      clock,
    });
    expect(live.verdict).to.equal("refused");
    const execute = (options: Partial<ExecuteStepsParameters> = {}) =>
      executeSteps(client(), {
        quote,
        trust,
        journal: createMemoryJournal(),
        onSvmTransaction: svmWallet({ signer, rpcUrl: network.svm?.rpcUrl ?? "", pollIntervalMs: 10 }),
        pollIntervalMs: 25,
        ...options,
      });
    expect(await failureOf(execute())).to.have.property("code", "QUOTE_REFUSED");
    const preflight = async () => {
      const { value } = await connection.simulateTransaction(await sign(quote));
      return { verdict: value.err === null ? ("passed" as const) : ("failed" as const), findings: [] };
    };
    const { status } = await execute({ preflight });
    expect(status.status).to.equal("success");
  });

  it("swaps for a fill of a token that the solver does not hold, with the order's id in the memo", async () => {
    for (const [destinationCurrency, tradeType, amount] of [
      [SVM_MINOR_TOKEN, "EXACT_INPUT", parseEther("1").toString()],
      [SVM_WRAPPED_NATIVE, "EXACT_OUTPUT", "1000000000"],
    ] as const) {
      const recipient = Keypair.generate().publicKey.toBase58();
      const quote = await getQuote(client(), toSvm({ recipient, destinationCurrency, tradeType, amount }));
      const { inputCurrency, router } = quote.details.route.destination ?? expect.fail("no destination");
      expect([inputCurrency.currency.address, router]).to.deep.equal([USDC, "local-pools"]);
      expect(quoteFeeTable(quote).mismatches).to.deep.equal([]);
      const wallet = userWallet(network, chain);
      const { status } = await executeSteps(client(), { quote, wallet, pollIntervalMs: 25 });
      expect(await tokensOf(recipient, destinationCurrency)).to.equal(BigInt(quote.details.currencyOut.amount));
      const found = await connection.getTransaction(status.txHashes?.[0] ?? "", { maxSupportedTransactionVersion: 0 });
      const logs = found?.meta?.logMessages?.join("\n");
      expect(logs).to.contain(`Program ${SVM_EXCHANGE} success`).and.to.contain(quote.protocol?.v2.orderId);
    }
  });

  it("fails a fill whose swap costs more than quoted and its tolerance, and refunds the deposit", async () => {
    const request = toSvm({ slippageTolerance: "1" });
    const quote = await getQuote(client(), request);
    // A larger swap of others raises the price by more than 0.01%.
    const other = await getQuote(client(), toSvm({ amount: parseEther("400").toString() }));
    const wallet = userWallet(network, chain);
    await executeSteps(client(), { quote: other, wallet, pollIntervalMs: 25 });
    await failureOf(executeSteps(client(), { quote, wallet, pollIntervalMs: 25 }));
    const { status, data } = await end(quote);
    expect([status, data.failReason]).to.deep.equal(["refund", "SLIPPAGE"]);
    const again = await getQuote(client(), request);
    expect((await executeSteps(client(), { quote: again, wallet, pollIntervalMs: 25 })).status.status).to.equal(
      "success",
    );
  });

  it("charges the rent of a new token account, and fails a fill that needs one since the quote", async () => {
    const owner = Keypair.generate();
    const recipient = owner.publicKey.toBase58();
    const request = toSvm({ recipient, destinationCurrency: USDC });
    // Whole micro-dollars, because Hardhat's matchers compare only integers.
    const microsOf = (usd: number): number => Math.round(usd * 1e6);
    const executionOf = ({ details }: Quote): number => microsOf(-Number(details.expandedPriceImpact.execution.usd));
    const created = await getQuote(client(), request);
    const wallet = userWallet(network, chain);
    await executeSteps(client(), { quote: created, wallet, pollIntervalMs: 25 });
    const quote = await getQuote(client(), request);
    const priceOf = (lamports: number): number => microsOf((lamports / 1e9) * 150);
    const rent = await connection.getMinimumBalanceForRentExemption(165);
    expect(executionOf(created) - executionOf(quote)).to.be.closeTo(priceOf(rent), 1);
    const { data: filled } = await end(created);
    // Signatures of fills cost nothing here.
    const actual = microsOf(-Number(filled.fees?.actual?.execution.usd));
    expect(actual).to.be.closeTo(executionOf(created) - priceOf(10_000), 2);

    const account = associatedTokenAccount(recipient, USDC, TOKEN);
    const use = (pubkey: string, isSigner = false) => ({ pubkey, isSigner, isWritable: true });
    const [TRANSFER, CLOSE] = [3, 9];
    const amount = u64(await tokensOf(recipient, USDC));
    await fund(USDC, 1n);
    await fund(SOL, 10_000_000n, recipient);
    const keys = [use(account), use(associatedTokenAccount(user, USDC, TOKEN)), use(recipient, true)];
    const instructions = [
      { programId: TOKEN, keys, data: Buffer.concat([Buffer.from([TRANSFER]), amount]).toString("hex") },
      {
        programId: TOKEN,
        keys: [use(account), use(recipient), use(recipient, true)],
        data: Buffer.from([CLOSE]).toString("hex"),
      },
    ];
    await connection.sendTransaction(await signWeb3(connection, owner, toWeb3Instructions(instructions)));
    await failureOf(executeSteps(client(), { quote, wallet, pollIntervalMs: 25 }));
    const { status, data } = await end(quote);
    expect([status, data.failReason]).to.deep.equal(["refund", "NEW_CALLDATA_INCLUDES_HIGHER_RENT_FEE"]);
  });

  it("fails a fill to a recipient whose token account belongs to another owner", async () => {
    await fund(SVM_MINOR_TOKEN, 1n);
    const account = associatedTokenAccount(user, SVM_MINOR_TOKEN, TOKEN);
    const SET_AUTHORITY = 6;
    const ACCOUNT_OWNER = 2;
    const change = {
      programId: TOKEN,
      keys: [
        { pubkey: account, isSigner: false, isWritable: true },
        { pubkey: user, isSigner: true, isWritable: false },
      ],
      data: Buffer.from([SET_AUTHORITY, ACCOUNT_OWNER, 1, ...Keypair.generate().publicKey.toBytes()]).toString("hex"),
    };
    await connection.sendTransaction(await signWeb3(connection, keypair, toWeb3Instructions([change])));
    const quote = await getQuote(client(), toSvm());
    const wallet = userWallet(network, chain);
    await failureOf(executeSteps(client(), { quote, wallet, pollIntervalMs: 25 }));
    const { status, data } = await end(quote);
    expect([status, data.failReason]).to.deep.equal(["refund", "JUPITER_INVALID_TOKEN_ACCOUNT"]);
  });
});
