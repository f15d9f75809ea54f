import { Connection, Keypair } from "@solana/web3.js";
import { expect } from "chai";

import { svmAddress } from "../../../packages/crosscall/src/localnet/market/simulatedChains.ts";
import type {
  SvmAccount,
  SvmInstruction,
  SvmTransactionData,
} from "../../../packages/crosscall/src/localnet/market/quote/routes/svmDeposit.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { isTerminalStatus, type QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { associatedTokenAccount, vaultOf } from "../../../packages/protocol/src/vms/solanaPrograms.ts";
import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { QuoteReport } from "../../../packages/sdk/src/verify/quoteReport.ts";
import { serviceTrust, type ServiceTrust } from "../../../packages/sdk/src/verify/trust.ts";
import { verifyQuote } from "../../../packages/sdk/src/verify/verifyQuote.ts";
import { getQuote } from "../../support/complete.ts";
import { rehashOrder } from "../../support/rehashOrder.ts";
import { signWeb3, toWeb3Instructions } from "../../support/solanaWeb3.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { callAdmin } from "../support/adminCalls.ts";
import { recordOf } from "../support/serviceCalls.ts";

const SVM = 792_703_809;
const SYSTEM = "11111111111111111111111111111111";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const ASSOCIATED = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const TETHER = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB";
const DEPOSITORY = "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2";

/** Accounts in deposits of native currency of the live service. */
const LIVE_STATE = "Dodg2HifwU8rmaVVyMyUZDGTRbqAJTyVYxXPwcbNpBKc";
const LIVE_VAULT = "7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ";

const CURRENCIES = { native: SYSTEM, token: USDC } as const;
const AMOUNT = 50_000_000n;

const account = (pubkey: string, isSigner = false, isWritable = true): SvmAccount => ({ pubkey, isSigner, isWritable });
const u64 = (value: bigint): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes.toString("hex");
};
const call = (programId: string, data: string, ...keys: readonly SvmAccount[]): SvmInstruction => ({
  programId,
  data,
  keys,
});

describe("verified quotes with a payment on Solana", () => {
  const network = useNetwork({ svm: true });
  const keypair = Keypair.generate();
  const user = keypair.publicKey.toBase58();
  const stranger = svmAddress("stranger");
  const vault = vaultOf(DEPOSITORY);
  const signer = account(user, true);
  const requests = {} as Record<keyof typeof CURRENCIES, QuoteRequest>;
  const quotes = {} as Record<keyof typeof CURRENCIES, Quote>;

  before(async () => {
    const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2 });
    for (const kind of ["native", "token"] as const) {
      const body = { address: user, currency: CURRENCIES[kind], amount: String(10n * AMOUNT) };
      expect((await callAdmin(network, "POST", `/admin/chains/${SVM}/faucet`, body)).status).to.equal(200);
      requests[kind] = {
        user,
        recipient: network.accounts.user.address,
        originChainId: SVM,
        destinationChainId: network.chains[0].id,
        originCurrency: CURRENCIES[kind],
        destinationCurrency: network.chains[0].contracts.dollar,
        tradeType: "EXACT_INPUT",
        amount: String(AMOUNT),
      };
      quotes[kind] = await getQuote(client, requests[kind]);
    }
  });

  const dataOf = (quote: Quote): SvmTransactionData => quote.steps[0]?.items[0]?.data as unknown as SvmTransactionData;

  async function verify(
    kind: keyof typeof CURRENCIES,
    change: (data: SvmTransactionData, deposit: SvmInstruction) => object,
    {
      trust = network.trust,
      request = requests[kind],
      stepId = "deposit",
    }: {
      readonly trust?: ServiceTrust;
      readonly request?: QuoteRequest;
      readonly stepId?: string;
    } = {},
  ): Promise<QuoteReport> {
    const quote = structuredClone(quotes[kind]);
    const [step = expect.fail("no step")] = quote.steps;
    const data = dataOf(quote);
    const [deposit = expect.fail("no deposit")] = data.instructions;
    const items = step.items.map((item) => ({ ...item, data: change(data, deposit) }));
    const changed = { ...quote, steps: [{ ...step, id: stepId, items }] } as unknown as Quote;
    return verifyQuote({ request, quote: changed, trust, clock: network.clock });
  }
  const withExtra =
    (...extra: readonly SvmInstruction[]) =>
    (data: SvmTransactionData) => ({ ...data, instructions: [...extra, ...data.instructions] });
  const withDeposit =
    (change: (deposit: SvmInstruction) => Partial<SvmInstruction>) =>
    (data: SvmTransactionData, deposit: SvmInstruction) => ({
      ...data,
      instructions: [{ ...deposit, ...change(deposit) }],
    });
  const withKey = (index: number, key: Partial<SvmAccount>) =>
    withDeposit(({ keys }) => ({ keys: keys.map((one, at) => (at === index ? { ...one, ...key } : one)) }));
  /** Replaces the accounts of the token. */
  const withTokenOf = (mint: string, program = TOKEN) =>
    withDeposit(({ keys }) => ({
      keys: keys.map((key, index) => ({
        ...key,
        pubkey:
          {
            4: mint,
            5: associatedTokenAccount(user, mint, program),
            6: associatedTokenAccount(vault, mint, program),
            7: program,
          }[index] ?? key.pubkey,
      })),
    }));
  const unmetOf = ({ claims }: QuoteReport): readonly string[] => [
    ...new Set(claims.filter(({ isMet }) => !isMet).map(({ code }) => code)),
  ];
  const createOf = (owner: string, mint = USDC, payer = user): SvmInstruction =>
    call(
      ASSOCIATED,
      "01",
      account(payer, true),
      account(associatedTokenAccount(owner, mint, TOKEN)),
      ...[owner, mint, SYSTEM, TOKEN].map((one) => account(one, false, false)),
    );
  const limit = call(COMPUTE_BUDGET, "02400d0300");
  const price = (microLamports: bigint): SvmInstruction => call(COMPUTE_BUDGET, `03${u64(microLamports)}`);
  const memo = call(MEMO, Buffer.from("hello").toString("hex"), account(user, true, false));

  for (const kind of ["native", "token"] as const) {
    it(`are bound: ${kind}`, async () => {
      const report = await verify(kind, (data) => data);
      expect(unmetOf(report)).to.deep.equal([]);
      expect(report.verdict).to.equal("bound");
      const orderId = quotes[kind].protocol?.v2.orderId;
      expect(report.items.map(({ effect }) => effect)).to.deep.equal([
        `deposits ${AMOUNT} of ${CURRENCIES[kind]} for order ${orderId}`,
      ]);
    });

    it(`are bound with fees, memos and token accounts, and filled: ${kind}`, async () => {
      const creations = kind === "token" ? [createOf(user), createOf(vault)] : [];
      const change = withExtra(limit, price(10_000_000n), memo, ...creations);
      const report = await verify(kind, change);
      expect([unmetOf(report), report.verdict]).to.deep.equal([[], "bound"]);

      const { instructions } = change(dataOf(quotes[kind]));
      const connection = new Connection(network.svm?.rpcUrl ?? "", "confirmed");
      const transaction = await signWeb3(connection, keypair, toWeb3Instructions(instructions));
      await connection.sendTransaction(transaction);
      const id = quotes[kind].steps[0]?.requestId ?? "";
      const { status } = await until(async () => {
        const record = await recordOf(network, id);
        return isTerminalStatus(record.status) && record;
      });
      expect(status).to.equal("success");
    });
  }

  it("have the accounts of the live depository", () => {
    const [deposit] = dataOf(quotes.native).instructions;
    expect(deposit?.keys.map(({ pubkey }) => pubkey)).to.deep.equal([LIVE_STATE, user, user, LIVE_VAULT, SYSTEM]);
  });

  const transfer = (to: string): SvmInstruction => call(SYSTEM, `02000000${u64(1n)}`, signer, account(to));
  const ownTokens = associatedTokenAccount(user, USDC, TOKEN);
  const strangersTokens = associatedTokenAccount(stranger, USDC, TOKEN);
  const ofUser = account(user, true, false);
  const tokenCall = (data: string, ...keys: readonly string[]): SvmInstruction =>
    call(TOKEN, data, ...keys.map((key) => account(key)), ofUser);
  const otherId = "ab".repeat(32);
  type Change = Parameters<typeof verify>[1];
  type Case = readonly [name: string, kind: keyof typeof CURRENCIES, change: Change, claims: readonly string[]];
  const HOSTILE: readonly Case[] = [
    ["another depository", "native", withDeposit(() => ({ programId: stranger })), ["SVM_DEPOSIT", "SVM_PROGRAM"]],
    ["another order", "native", withDeposit(({ data }) => ({ data: data.slice(0, 32) + otherId })), ["DEPOSIT_ID"]],
    [
      "a larger amount",
      "native",
      withDeposit(({ data }) => ({ data: data.slice(0, 16) + u64(AMOUNT + 1n) + data.slice(32) })),
      ["DEPOSIT_AMOUNT"],
    ],
    [
      "a larger amount of a token",
      "token",
      withDeposit(({ data }) => ({ data: data.slice(0, 16) + u64(AMOUNT + 1n) + data.slice(32) })),
      ["DEPOSIT_AMOUNT"],
    ],
    ["another token", "token", withKey(4, { pubkey: TETHER }), ["DEPOSIT_CURRENCY"]],
    ["the accounts of another token", "token", withTokenOf(TETHER), ["DEPOSIT_CURRENCY", "SVM_DEPOSIT"]],
    ["the accounts of an unknown token program", "token", withTokenOf(USDC, stranger), ["SVM_DEPOSIT"]],
    [
      "another instruction of the depository",
      "native",
      withDeposit(({ data }) => ({ data: `00${data.slice(2)}` })),
      ["DEPOSIT_CURRENCY", "SVM_DEPOSIT", "DEPOSIT_AMOUNT", "DEPOSIT_ID"],
    ],
    [
      "bytes after the id",
      "native",
      withDeposit(({ data }) => ({ data: `${data}00` })),
      ["DEPOSIT_CURRENCY", "SVM_DEPOSIT", "DEPOSIT_AMOUNT", "DEPOSIT_ID"],
    ],
    ["another sender", "native", withKey(1, { pubkey: stranger }), ["SVM_DEPOSIT", "DEPOSITOR"]],
    ["a sender that does not sign", "native", withKey(1, { isSigner: false }), ["DEPOSITOR"]],
    ["another depositor", "token", withKey(2, { pubkey: stranger }), ["DEPOSITOR"]],
    ["another state", "native", withKey(0, { pubkey: stranger }), ["SVM_DEPOSIT"]],
    ["another vault", "native", withKey(3, { pubkey: stranger }), ["SVM_DEPOSIT"]],
    ["a stranger's account as the source", "token", withKey(5, { pubkey: strangersTokens }), ["SVM_DEPOSIT"]],
    ["a stranger's account as the target", "token", withKey(6, { pubkey: strangersTokens }), ["SVM_DEPOSIT"]],
    ["another token program", "token", withKey(7, { pubkey: TOKEN_2022 }), ["SVM_DEPOSIT"]],
    ["an unknown token program", "token", withKey(7, { pubkey: stranger }), ["SVM_DEPOSIT"]],
    [
      "another signer",
      "native",
      withDeposit(({ keys }) => ({ keys: [...keys, account(stranger, true)] })),
      ["SVM_DEPOSIT", "DEPOSITOR"],
    ],
    [
      "a further account",
      "native",
      withDeposit(({ keys }) => ({ keys: [...keys, account(ownTokens)] })),
      ["SVM_DEPOSIT"],
    ],
    [
      "a further account of a token",
      "token",
      withDeposit(({ keys }) => ({ keys: [...keys, account(stranger)] })),
      ["SVM_DEPOSIT"],
    ],
    ["a second deposit", "native", (data, deposit) => ({ ...data, instructions: [deposit, deposit] }), ["SVM_DEPOSIT"]],
    ["no deposit", "native", (data) => ({ ...data, instructions: [memo] }), ["SVM_DEPOSIT"]],
    ["a transfer of native currency", "native", withExtra(transfer(stranger)), ["SVM_INSTRUCTION"]],
    [
      "an assignment of the user's account",
      "native",
      withExtra(call(SYSTEM, `01000000${"01".repeat(32)}`, signer)),
      ["SVM_INSTRUCTION"],
    ],
    [
      "a transfer of tokens",
      "token",
      withExtra(tokenCall(`03${u64(1n)}`, ownTokens, strangersTokens)),
      ["SVM_INSTRUCTION"],
    ],
    ["an approval", "token", withExtra(tokenCall(`04${u64(1n)}`, ownTokens, stranger)), ["SVM_INSTRUCTION"]],
    [
      "another owner of tokens",
      "token",
      withExtra(tokenCall(`060201${"01".repeat(32)}`, ownTokens)),
      ["SVM_INSTRUCTION"],
    ],
    [
      "an approval of Token-2022",
      "token",
      withExtra({ ...tokenCall(`04${u64(1n)}`, ownTokens, stranger), programId: TOKEN_2022 }),
      ["SVM_INSTRUCTION"],
    ],
    ["a batch of the token program", "token", withExtra(tokenCall("ff", ownTokens, stranger)), ["SVM_INSTRUCTION"]],
    ["a closed account", "token", withExtra(tokenCall("09", ownTokens, stranger)), ["SVM_INSTRUCTION"]],
    [
      "a signature that the instruction does not state",
      "token",
      withExtra(call(TOKEN, `04${u64(1n)}`, account(ownTokens), account(stranger), account(user))),
      ["SVM_INSTRUCTION"],
    ],
    ["a stranger's token account", "token", withExtra(createOf(stranger)), ["SVM_INSTRUCTION"]],
    ["a token account for another token", "token", withExtra(createOf(user, TETHER)), ["SVM_INSTRUCTION"]],
    [
      "the accounts of a creation for another program",
      "token",
      withExtra({ ...createOf(user), programId: TOKEN }),
      ["SVM_INSTRUCTION"],
    ],
    ["recovery of nested tokens", "token", withExtra({ ...createOf(user), data: "02" }), ["SVM_INSTRUCTION"]],
    ["a creation that a stranger signs", "token", withExtra(createOf(user, USDC, stranger)), ["SVM_DEPOSIT"]],
    ["an unknown program", "native", withExtra(call(stranger, "00", signer)), ["SVM_PROGRAM"]],
    [
      "a program that is no text",
      "native",
      withExtra({ ...transfer(stranger), programId: [MEMO] as unknown as string }),
      ["SVM_PROGRAM"],
    ],
    [
      "an account that is no text",
      "native",
      withKey(1, { pubkey: [user] as unknown as string }),
      ["SVM_DEPOSIT", "DEPOSITOR"],
    ],
    ["a high priority fee", "native", withExtra(limit, price(100_000_000n)), ["TRANSACTION_FEE"]],
    ["a high priority fee without a limit", "native", withExtra(price(8_000_000n)), ["TRANSACTION_FEE"]],
    [
      "an unknown lookup table",
      "native",
      (data) => ({ ...data, addressLookupTableAddresses: [svmAddress("lookup table")] }),
      ["SVM_PROGRAM"],
    ],
  ];
  for (const [name, kind, change, claims] of HOSTILE) {
    it(`are refused with ${name}`, async () => {
      const report = await verify(kind, change);
      expect([report.verdict, unmetOf(report)]).to.deep.equal(["refused", claims]);
    });
  }

  it("are refused with an order and a deposit in another currency", async () => {
    const quote = structuredClone(quotes.token);
    const [input = expect.fail("no input")] = quote.protocol?.v2.orderData.inputs ?? [];
    Object.assign(input.payment, { currency: TETHER });
    const [item = expect.fail("no item")] = quote.steps[0]?.items ?? [];
    const [deposit = expect.fail("no deposit")] = dataOf(quote).instructions;
    Object.assign(item, { data: withTokenOf(TETHER)(dataOf(quote), deposit) });
    const report = await verifyQuote({
      request: requests.token,
      quote: rehashOrder(quote),
      trust: network.trust,
      clock: network.clock,
    });
    expect([report.verdict, ...unmetOf(report)]).to.include.members(["refused", "DEPOSIT_CURRENCY"]);
    expect(unmetOf(report)).not.to.include.members(["DEPOSIT_ID"]);
  });

  it("are refused as an approval", async () => {
    const report = await verify("native", (data) => data, { stepId: "approve" });
    expect([report.verdict, unmetOf(report)]).to.deep.equal(["refused", ["STEP_ID"]]);
  });

  it("need a simulation if decoding does not show every effect", async () => {
    const changes: readonly Change[] = [
      withExtra(call(TOKEN, "11", account(strangersTokens))),
      withExtra(call(COMPUTE_BUDGET, "0000000000")),
      withExtra(call(svmAddress("swap program"), "00", signer)),
      (data) => ({ ...data, transaction: "AQ==" }),
    ];
    for (const change of changes) {
      const report = await verify("token", change);
      expect([report.verdict, unmetOf(report)]).to.deep.equal(["needsSimulation", []]);
    }
  });

  for (const [name, extra] of [
    ["a transfer", () => call(SYSTEM, `02000000${u64(1n)}`, account(stranger, true), account(vault))],
    ["a transfer to the user", () => call(SYSTEM, `02000000${u64(1n)}`, account(stranger, true), account(user))],
    ["an approval", () => tokenCall(`04${u64(1n)}`, strangersTokens, user, stranger)],
    ["the rent of a stranger's account", () => createOf(svmAddress("other stranger"), USDC, stranger)],
  ] as const) {
    it(`are refused with ${name} of the fee payer in the request`, async () => {
      const request = { ...requests.token, depositFeePayer: stranger };
      const report = await verify("token", withExtra(extra()), { request });
      expect([report.verdict, unmetOf(report)]).to.deep.equal(["refused", ["SVM_INSTRUCTION"]]);
    });
  }

  it("are refused if the fee payer in the request makes the deposit", async () => {
    const request = { ...requests.native, depositFeePayer: stranger };
    const report = await verify("native", withKey(1, { pubkey: stranger }), { request });
    expect([report.verdict, unmetOf(report)]).to.deep.equal(["refused", ["DEPOSITOR"]]);
  });

  it("are bound with the pinned lookup table, and a fee payer in the request", async () => {
    const { lookupTables = [] } = serviceTrust[SVM] ?? {};
    const own = network.trust[SVM] ?? expect.fail("Solana is not pinned");
    const trust = { ...network.trust, [SVM]: { ...own, lookupTables } };
    const withTable: Change = (data) => ({ ...data, addressLookupTableAddresses: lookupTables });
    expect(lookupTables).to.have.length(1);
    expect((await verify("native", withTable, { trust })).verdict).to.equal("bound");
    const request = { ...requests.token, depositFeePayer: stranger };
    expect((await verify("token", withExtra(createOf(user, USDC, stranger)), { request })).verdict).to.equal("bound");
  });
});
