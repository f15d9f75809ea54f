import { Keypair, SystemProgram } from "@solana/web3.js";
import { expect } from "chai";

import type { SvmTransactionData } from "../../../packages/crosscall/src/localnet/market/quote/routes/svmDeposit.ts";
import { createPreflight, type PreflightReport } from "../../../packages/crosscall/src/replay/preflight/index.ts";
import { simulateSvmOrigin } from "../../../packages/crosscall/src/replay/preflight/simulateSvmOrigin.ts";
import { formatPreflight } from "../../../packages/crosscall/src/replay/preflight/report/formatPreflight.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { createMemoryJournal } from "../../../packages/sdk/src/index.ts";
import { openSvmNode } from "../../../packages/sdk/src/kit.ts";
import { rejected } from "../../support/rejection.ts";
import { ONE_SOL, SOL, USDC, useSvmPayments } from "../support/useSvmPayments.ts";

const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

describe("the simulation of a deposit on Solana", () => {
  const node = useSvmPayments();
  const { network, execute, fund } = node;
  const quoteOf = (options: Partial<QuoteRequest> = {}): Promise<Quote> => {
    const recipient = node.otherAccount();
    return node.quoteOf(recipient, { recipient, ...options });
  };

  const requestOf = (quote: Quote): QuoteRequest => (quote as unknown as { quotedRequest: QuoteRequest }).quotedRequest;
  const simulate = (quote: Quote): Promise<PreflightReport> =>
    createPreflight(network)({ request: requestOf(quote), quote });
  const found = ({ findings }: Pick<PreflightReport, "findings">) =>
    findings.map(({ code, leg, severity }) => `${severity} ${leg} ${code}`);

  it("passes, and states what leaves the payer", async () => {
    await fund(ONE_SOL);
    const quote = await quoteOf();
    const report = await simulate(quote);
    expect([report.verdict, found(report)]).to.deep.equal(["passed", []]);
    const paid = BigInt(quote.details.currencyIn.amount);
    // The fee of one signature.
    const after = ONE_SOL - paid - 5_000n;
    expect(report.origin?.balances).to.deep.equal([{ account: node.user, currency: SOL, before: ONE_SOL, after }]);
    expect(report.origin?.logs?.at(-1)).to.match(/^Program \S+ success$/u);
    const text = formatPreflight(report, { request: requestOf(quote), quote, trust: network.trust });
    expect(text).to.match(/chain 792703809 after slot \d+, \d+ compute units/u);
    // Nothing was paid, and the prediction is right.
    expect(BigInt(await node.connection.getBalance(node.keypair.publicKey))).to.equal(ONE_SOL);
    await execute(quote, createMemoryJournal());
    expect(BigInt(await node.connection.getBalance(node.keypair.publicKey))).to.equal(after);
  });

  it("states the tokens and the fee of another fee payer", async () => {
    const payer = Keypair.generate().publicKey.toBase58();
    await fund(ONE_SOL, SOL, payer);
    await fund(ONE_SOL);
    await fund(10_000_000n, USDC);
    const quote = await quoteOf({ originCurrency: USDC, depositFeePayer: payer });
    const { verdict, origin, findings } = await simulate(quote);
    expect([verdict, findings]).to.deep.equal(["passed", []]);
    const lost = origin?.balances.map(({ account, currency, before, after }) => [account, currency, before - after]);
    expect(lost).to.deep.include.members([
      [node.user, USDC, BigInt(quote.details.currencyIn.amount)],
      [payer, SOL, 10_000n],
    ]);
  });

  it("fails with the cause and the logs if the account cannot pay", async () => {
    await fund(2_000_000n);
    const report = await simulate(await quoteOf());
    expect([report.verdict, report.origin, found(report)]).to.deep.equal([
      "failed",
      undefined,
      ["error origin TRANSACTION_REVERTED"],
    ]);
    const [finding] = report.findings;
    expect(finding?.reason).to.match(
      /ResultWithNegativeLamports \(System error 1\) in instruction 0\. .* It has 0\.001995 SOL, and needs [0-9.]+ SOL\./u,
    );
    expect(finding?.hint).to.equal("Fund the account, or use a smaller amount.");
    expect(finding?.logs?.some((line) => line.includes("insufficient lamports"))).to.equal(true);
    const unfunded = await simulate(await quoteOf({ user: Keypair.generate().publicKey.toBase58() }));
    expect(found(unfunded)).to.deep.equal(["error origin TRANSACTION_REVERTED"]);
    expect(unfunded.findings[0]?.hint).to.equal("Fund the fee payer.");
  });

  /** Simulates a quote with further instructions, which verification would refuse. */
  async function simulateWith(quote: Quote, ...added: readonly object[]) {
    const steps = quote.steps.map((step) => ({
      ...step,
      items: step.items.map((item) => {
        const data = item.data as unknown as { instructions: readonly object[] };
        return { ...item, data: { ...data, instructions: [...data.instructions, ...added] } };
      }),
    }));
    const rpc = openSvmNode(network.svm?.rpcUrl ?? "", new AbortController().signal);
    const changed = { ...quote, steps } as unknown as Quote;
    return simulateSvmOrigin(rpc, { request: requestOf(quote), quote: changed, trust: network.trust, limits: {} });
  }
  const key = (pubkey: string, isSigner = false, isWritable = true) => ({ pubkey, isSigner, isWritable });

  it("finds what leaves the payer besides the input, and accounts that others can use", async () => {
    await fund(ONE_SOL);
    await fund(10_000_000n, USDC);
    const quote = await quoteOf({ originCurrency: USDC });
    const other = Keypair.generate().publicKey;
    const sent = SystemProgram.transfer({ fromPubkey: node.keypair.publicKey, toPubkey: other, lamports: 10_000_000n });
    const transfer = {
      programId: SOL,
      keys: sent.keys.map(({ pubkey, ...role }) => ({ pubkey: pubkey.toBase58(), ...role })),
      data: sent.data.toString("hex"),
    };
    expect(found(await simulateWith(quote, transfer))).to.deep.equal(["error origin OTHER_FUNDS_LEFT"]);
    const data = quote.steps[0]?.items[0]?.data as unknown as SvmTransactionData;
    const [deposit] = data.instructions;
    const tokens = deposit?.keys[5]?.pubkey ?? expect.fail("no token account");
    const tokenCall = (data: string, ...keys: readonly object[]) => ({ programId: TOKEN, data, keys });
    const owner = key(node.user, true, false);
    const approval = tokenCall("040100000000000000", key(tokens), key(other.toBase58(), false, false), owner);
    const approved = await simulateWith(quote, approval);
    expect(found(approved)).to.deep.equal(["error origin ALLOWANCE_LEFT"]);
    const spender = other.toBase58();
    expect(approved.leg?.allowances).to.deep.equal([{ token: USDC, owner: node.user, spender, before: 0n, after: 1n }]);
    // SetAuthority: 2 is the owner, 3 is who can close the account.
    const authority = other.toBuffer().toString("hex");
    const given = tokenCall(`060201${authority}`, key(tokens), owner);
    const closed = tokenCall(`060301${authority}`, key(tokens), owner);
    expect(found(await simulateWith(quote, given))).to.include("error origin OTHER_FUNDS_LEFT");
    expect(found(await simulateWith(quote, closed))).to.deep.equal(["error origin ALLOWANCE_LEFT"]);
    const assigned = {
      programId: SOL,
      keys: [key(node.user, true)],
      data: `01000000${authority}`,
    };
    expect(found(await simulateWith(quote, assigned))).to.deep.equal(["error origin OTHER_FUNDS_LEFT"]);
  });

  it("finds a larger input than requested", async () => {
    await fund(ONE_SOL);
    const quote = await quoteOf();
    const sent = SystemProgram.transfer({
      fromPubkey: node.keypair.publicKey,
      toPubkey: Keypair.generate().publicKey,
      lamports: 10_000_000n,
    });
    const keys = sent.keys.map(({ pubkey, ...role }) => ({ pubkey: pubkey.toBase58(), ...role }));
    const transfer = { programId: SOL, keys, data: sent.data.toString("hex") };
    expect(found(await simulateWith(quote, transfer))).to.deep.equal(["error origin INPUT_EXCEEDED"]);
  });

  it("prevents a payment in executeSteps that would fail, and needs no endpoint", async () => {
    await fund(2_000_000n);
    const quote = await quoteOf();
    const error = await rejected(execute(quote, createMemoryJournal(), { preflight: createPreflight(network) }));
    expect([error.code, node.signed.length]).to.deep.equal(["PREFLIGHT_FAILED", 0]);
    const chains = network.chains.map(({ id, rpcUrl }) => ({ id, rpcUrl }));
    const without = await createPreflight({ chains, trust: network.trust })({ request: requestOf(quote), quote });
    expect([without.verdict, found(without)]).to.deep.equal(["passed", ["note origin NOT_SIMULATED"]]);
  });
});
