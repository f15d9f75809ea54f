import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit";
import {
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js";
import { expect } from "chai";

import { createMemoryJournal, type SvmTransaction } from "../../../packages/sdk/src/index.ts";
import { factsOf, rejected } from "../../support/rejection.ts";
import { until } from "../../support/until.ts";
import { dollarsOf } from "../support/parties.ts";
import { EXPIRY_MS, ONE_SOL, SOL, SVM, USDC, useSvmPayments } from "../support/useSvmPayments.ts";

describe("svmWallet", () => {
  const node = useSvmPayments();
  const { chain, wallet, execute, resultOf, advance, fund, otherAccount, quoteOf, deposits, sends, stopBeforeSending } =
    node;

  it("pays in native currency with a signer of @solana/kit", async () => {
    await fund(ONE_SOL);
    const recipient = otherAccount();
    const signer = await createKeyPairSignerFromPrivateKeyBytes(node.keypair.secretKey.slice(0, 32));
    const onSvmTransaction = wallet({ signer });
    const { status } = await execute(await quoteOf(recipient), createMemoryJournal(), { onSvmTransaction });
    expect([status.status, await dollarsOf(chain, recipient)]).to.deep.equal(["success", 1_000_000n]);
    expect(await deposits()).to.deep.equal(status.inTxHashes);
  });

  it("pays in tokens with a wallet that signs bytes", async () => {
    await fund(ONE_SOL);
    await fund(10_000_000n, USDC);
    const recipient = otherAccount();
    const { status } = await execute(await quoteOf(recipient, { originCurrency: USDC }), createMemoryJournal());
    expect([status.status, await dollarsOf(chain, recipient)]).to.deep.equal(["success", 1_000_000n]);
    expect(await deposits()).to.deep.equal(status.inTxHashes);
  });

  for (const [when, isDelivered] of [
    ["before the transaction is sent", false],
    ["after the transaction is sent", true],
  ] as const) {
    it(`pays once if it stops ${when}`, async () => {
      await fund(ONE_SOL);
      const [journal, stop] = [createMemoryJournal(), new AbortController()];
      const quote = await quoteOf(otherAccount());
      node.answer = async (call, forward) => {
        if (call.method !== "sendTransaction" || stop.signal.aborted) return forward(call);
        const answered = isDelivered ? await forward(call) : undefined;
        stop.abort();
        return answered;
      };
      expect((await rejected(execute(quote, journal, { signal: stop.signal }))).code).to.equal("ABORTED");
      expect(await deposits()).to.have.length(isDelivered ? 1 : 0);
      // The payment may have spent the funds, so a simulation could fail.
      const preflight = () => Promise.reject(new RangeError("simulated"));
      const { status } = await execute(quote, journal, { preflight });
      expect([status.status, node.signed.length]).to.deep.equal(["success", 1]);
      expect(await deposits()).to.deep.equal(status.inTxHashes);
    });
  }

  it("finds the payment of a lost journal", async () => {
    await fund(ONE_SOL);
    const onSvmTransaction = async (step: SvmTransaction): Promise<string> => {
      await wallet()({ ...step, record: () => Promise.resolve() });
      return wallet()(step);
    };
    const { status } = await execute(await quoteOf(otherAccount()), createMemoryJournal(), { onSvmTransaction });
    expect([status.status, node.signed.length]).to.deep.equal(["success", 1]);
    expect(await deposits()).to.deep.equal(status.inTxHashes);
  });

  it("replaces a transaction that expired, once", async () => {
    await fund(ONE_SOL);
    const quote = await quoteOf(otherAccount());
    const lost = new Set<string>();
    let losses = 2;
    node.answer = (call, forward) => {
      if (call.method !== "sendTransaction") return forward(call);
      const [transaction] = call.params;
      if (losses > 0 && !lost.has(transaction)) {
        lost.add(transaction);
        losses -= 1;
        advance(EXPIRY_MS);
      }
      return lost.has(transaction) ? Promise.resolve(resultOf(call.id, "lost")) : forward(call);
    };
    const journal = createMemoryJournal();
    const error = await rejected(execute(quote, journal));
    expect(factsOf(error)).to.deep.equal({ code: "TRANSACTION_FAILED", chainId: SVM, txHash: undefined });
    expect([node.signed.length, await deposits()]).to.deep.equal([2, []]);
    losses = 1;
    const { status } = await execute(quote, journal);
    expect([status.status, node.signed.length]).to.deep.equal(["success", 4]);
    expect(await deposits()).to.deep.equal(status.inTxHashes);
  });

  it("replaces a transaction that the node rejects because it expires", async () => {
    await fund(ONE_SOL);
    const [quote, journal] = [await quoteOf(otherAccount()), createMemoryJournal()];
    await stopBeforeSending(quote, journal);
    // More than 150 slots, but less than the margin.
    advance(61_500);
    let isFirst = true;
    node.answer = async (call, forward) => {
      const answered = await forward(call);
      if (call.method === "sendTransaction" && isFirst) advance(EXPIRY_MS);
      isFirst &&= call.method !== "sendTransaction";
      return answered;
    };
    const { status } = await execute(quote, journal);
    expect([status.status, node.signed.length]).to.deep.equal(["success", 2]);
    expect(await deposits()).to.deep.equal(status.inTxHashes);
  });

  it("does not replace a transaction that only a lagging node does not know", async () => {
    await fund(ONE_SOL);
    const quote = await quoteOf(otherAccount());
    let lags = 8;
    node.answer = async (call, forward) => {
      const answered = await forward(call);
      if (call.method === "sendTransaction") advance(EXPIRY_MS);
      if (call.method !== "getSignatureStatuses" || sends().length === 0 || lags-- <= 0) return answered;
      return resultOf(call.id, { context: { slot: 1 }, value: [null] });
    };
    const { status } = await execute(quote, createMemoryJournal(), { freshness: false });
    expect([status.status, node.signed.length]).to.deep.equal(["success", 1]);
    expect(await deposits()).to.have.length(1);
  });

  it("does not replace a transaction if the node lacks the blocks that could include it", async () => {
    await fund(ONE_SOL);
    const quote = await quoteOf(otherAccount());
    node.answer = async (call, forward) => {
      if (call.method === "getFirstAvailableBlock") return resultOf(call.id, 2 ** 40);
      if (call.method !== "sendTransaction") return forward(call);
      advance(EXPIRY_MS);
      return resultOf(call.id, "lost");
    };
    const error = await rejected(execute(quote, createMemoryJournal()));
    expect([factsOf(error), node.signed.length]).to.deep.equal([{ code: "CHAIN_ERROR", chainId: SVM }, 1]);
  });

  it("does not resume on another chain", async () => {
    await fund(ONE_SOL);
    const [quote, journal] = [await quoteOf(otherAccount()), createMemoryJournal()];
    await stopBeforeSending(quote, journal);
    node.answer = (call, forward) =>
      call.method === "getGenesisHash" ? Promise.resolve(resultOf(call.id, USDC)) : forward(call);
    const error = await rejected(execute(quote, journal));
    expect(factsOf(error)).to.deep.equal({ code: "INVALID_INPUT", field: "rpcUrl", value: undefined });
    expect([node.signed.length, await deposits()]).to.deep.equal([1, []]);
  });

  it("sends a transaction that the node rejected again, after the account is funded", async () => {
    await fund(1_000_000n);
    const [quote, journal] = [await quoteOf(otherAccount()), createMemoryJournal()];
    const error = await rejected(execute(quote, journal));
    expect(factsOf(error)).to.deep.equal({ code: "TRANSACTION_FAILED", chainId: SVM, txHash: undefined });
    await fund(ONE_SOL);
    expect((await execute(quote, journal)).status.status).to.equal("success");
    expect([node.signed.length, (await deposits()).length]).to.deep.equal([1, 1]);
  });

  it("prompts again in a later run if a transaction failed on the chain", async () => {
    await fund(1_000_000n);
    const [quote, journal] = [await quoteOf(otherAccount()), createMemoryJournal()];
    node.answer = (call, forward) => {
      const [transaction, options] = call.params;
      const params = [transaction, { ...options, skipPreflight: true }] as const;
      return forward(call.method === "sendTransaction" ? { ...call, params } : call);
    };
    const error = factsOf(await rejected(execute(quote, journal)));
    expect(error).to.include({ code: "TRANSACTION_FAILED", chainId: SVM });
    expect(await node.connection.getSignatureStatus(String(error.txHash))).to.have.nested.property(
      "value.err.InstructionError",
    );
    await fund(ONE_SOL);
    // In the same slot, the transaction would have the same block hash, and so be the same.
    advance(1_000);
    expect((await execute(quote, journal)).status.status).to.equal("success");
    expect([node.signed.length, (await deposits()).length]).to.deep.equal([2, 1]);
  });

  it("sends nothing if the user rejects, and prompts again in a later run", async () => {
    await fund(ONE_SOL);
    const [quote, journal] = [await quoteOf(otherAccount()), createMemoryJournal()];
    const signTransaction = () => Promise.reject(new Error("User rejected the request."));
    const onSvmTransaction = wallet({ signer: { address: node.user, signTransaction } });
    const error = await rejected(execute(quote, journal, { onSvmTransaction }));
    expect(factsOf(error)).to.deep.equal({ code: "USER_REJECTED", stepId: "deposit" });
    expect(sends()).to.deep.equal([]);
    let simulations = 0;
    const preflight = () => {
      simulations += 1;
      return Promise.resolve({ verdict: "passed", findings: [] } as const);
    };
    expect((await execute(quote, journal, { preflight })).status.status).to.equal("success");
    expect(simulations).to.equal(1);
  });

  it("does not continue the payment of another callback", async () => {
    const quote = await quoteOf(otherAccount());
    for (const [text, code] of [
      [undefined, "INVALID_STATE"],
      ["{}", "MALFORMED_DATA"],
    ] as const) {
      const journal = createMemoryJournal();
      const onSvmTransaction = async ({ record }: SvmTransaction): Promise<string> => {
        if (text !== undefined) await record(text);
        throw new RangeError("lost");
      };
      await execute(quote, journal, { onSvmTransaction }).catch((error: unknown) =>
        expect(error).to.be.instanceOf(RangeError),
      );
      expect((await rejected(execute(quote, journal))).code).to.equal(code);
    }
    expect([node.signed.length, node.calls]).to.deep.equal([0, []]);
  });

  it("rejects a wallet that replaces the block hash, and one of another account", async () => {
    await fund(ONE_SOL);
    const quote = await quoteOf(otherAccount());
    let latest = "";
    const changing = {
      address: node.user,
      signTransaction(bytes: Uint8Array) {
        const transaction = VersionedTransaction.deserialize(bytes);
        latest = transaction.message.recentBlockhash;
        transaction.message.recentBlockhash = USDC;
        transaction.sign([node.keypair]);
        return Promise.resolve(transaction.serialize());
      },
    };
    const other = { ...changing, address: Keypair.generate().publicKey.toBase58() };
    const seen: unknown[] = [];
    for (const signer of [changing, other]) {
      const onSvmTransaction = wallet({ signer });
      seen.push(factsOf(await rejected(execute(quote, createMemoryJournal(), { onSvmTransaction }))));
    }
    expect(seen).to.deep.equal([
      {
        code: "INVALID_INPUT",
        field: "signer",
        value: JSON.stringify(node.user),
        changes: [`the block hash is ${USDC} instead of ${latest}`],
      },
      { code: "INVALID_INPUT", field: "signer", value: JSON.stringify(other.address) },
    ]);
    expect(sends()).to.deep.equal([]);
  });

  it("takes accounts from lookup tables", async () => {
    await fund(ONE_SOL);
    const recentSlot = (await node.connection.getSlot()) - 1;
    const owner = { authority: node.keypair.publicKey, payer: node.keypair.publicKey };
    const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({ ...owner, recentSlot });
    const targets = Array.from({ length: 20 }, () => Keypair.generate().publicKey);
    const addresses = [...targets, SystemProgram.programId];
    const message = new TransactionMessage({
      payerKey: node.keypair.publicKey,
      recentBlockhash: (await node.connection.getLatestBlockhash()).blockhash,
      instructions: [create, AddressLookupTableProgram.extendLookupTable({ ...owner, lookupTable, addresses })],
    });
    const setup = new VersionedTransaction(message.compileToV0Message());
    setup.sign([node.keypair]);
    await node.connection.sendTransaction(setup);
    const extended = await node.connection.getSlot();
    await until(async () => (await node.connection.getSlot()) > extended);
    const instructions = targets.map((toPubkey) => {
      const transfer = SystemProgram.transfer({
        fromPubkey: node.keypair.publicKey,
        toPubkey,
        lamports: ONE_SOL / 100n,
      });
      const keys = transfer.keys.map(({ pubkey, ...role }) => ({ pubkey: pubkey.toBase58(), ...role }));
      return { programId: SOL, keys, data: transfer.data.toString("hex") };
    });
    const missing = Keypair.generate().publicKey.toBase58();
    const step: SvmTransaction = {
      requestId: "request",
      chainId: SVM,
      stepId: "deposit",
      mayHaveRun: false,
      recorded: undefined,
      payAgain: false,
      quote: await quoteOf(otherAccount()),
      request: undefined,
      record: () => Promise.resolve(),
      verify: () => Promise.resolve(),
      signal: new AbortController().signal,
      data: { instructions, addressLookupTableAddresses: [missing, lookupTable.toBase58()] },
    };
    const sent = await wallet()(step);
    const found = await node.connection.getTransaction(sent, { maxSupportedTransactionVersion: 0 });
    expect(found?.meta?.loadedAddresses?.writable.map(String)).to.deep.equal(targets.map(String));
    expect(found?.transaction.message.staticAccountKeys.map(String)).to.deep.equal([node.user, SOL]);
    const last = new PublicKey(targets.at(-1) ?? expect.fail("no target"));
    expect(BigInt(await node.connection.getBalance(last))).to.equal(ONE_SOL / 100n);
  });
});
