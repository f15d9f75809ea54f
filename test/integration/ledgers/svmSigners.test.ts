import {
  address,
  createKeyPairSignerFromPrivateKeyBytes,
  getTransactionDecoder,
  getTransactionEncoder,
  type SignatureBytes,
  type TransactionModifyingSigner,
  type TransactionSendingSigner,
} from "@solana/kit";
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js";
import { expect } from "chai";

import {
  type SvmTransactionData,
  svmTransactionBytes,
} from "../../../packages/crosscall/src/localnet/market/quote/routes/svmDeposit.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { createMemoryJournal, type ExecutionJournal, type SvmTransaction } from "../../../packages/sdk/src/index.ts";
import { factsOf, rejected } from "../../support/rejection.ts";
import { dollarsOf } from "../support/parties.ts";
import { EXPIRY_MS, ONE_SOL, SOL, SVM, USDC, useSvmPayments } from "../support/useSvmPayments.ts";

const ASSERTIONS = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95";
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

interface TransactionResult {
  readonly transaction: { readonly message: { instructions: readonly object[] } };
  readonly meta: { innerInstructions: readonly object[] };
}

describe("signers of svmWallet", () => {
  const node = useSvmPayments();
  const { chain, wallet, execute, advance, fund, otherAccount, quoteOf, deposits, sends, sign } = node;

  const call = (programId: string, data: readonly number[], ...keys: readonly PublicKey[]): TransactionInstruction =>
    new TransactionInstruction({
      programId: new PublicKey(programId),
      keys: keys.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false })),
      data: Buffer.from(data),
    });
  const assertion = (...keys: readonly PublicKey[]) => call(ASSERTIONS, [5, 0, 1], ...keys);
  const price = (microLamports: number) => ComputeBudgetProgram.setComputeUnitPrice({ microLamports });
  const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 });

  type Change = (own: readonly TransactionInstruction[]) => readonly TransactionInstruction[];

  /** Compiles a transaction with other instructions, as a wallet does before it signs. */
  const modify = (bytes: Uint8Array, change: Change): Uint8Array => {
    const { message } = VersionedTransaction.deserialize(bytes);
    const { payerKey, recentBlockhash, instructions } = TransactionMessage.decompile(message);
    const changed = new TransactionMessage({ payerKey, recentBlockhash, instructions: [...change(instructions)] });
    return new VersionedTransaction(changed.compileToV0Message()).serialize();
  };
  const like: Change = (own) => [limit, price(10_000), ...own, assertion(node.keypair.publicKey)];

  const modifying = (change: Change): TransactionModifyingSigner => ({
    address: address(node.user),
    modifyAndSignTransactions: (transactions) =>
      Promise.resolve(
        transactions.map((transaction) => {
          const bytes = Uint8Array.from(getTransactionEncoder().encode(transaction));
          const signed = sign(modify(bytes, change)).serialize();
          return { ...transaction, ...getTransactionDecoder().decode(signed) } as never;
        }),
      ),
  });
  const sending = (send: (bytes: Uint8Array) => Promise<Uint8Array>): TransactionSendingSigner => ({
    address: address(node.user),
    signAndSendTransactions: (transactions) =>
      Promise.all(
        transactions.map(async (transaction) => {
          const bytes = Uint8Array.from(getTransactionEncoder().encode(transaction));
          return (await send(bytes)) as SignatureBytes;
        }),
      ),
  });
  /** Signs and sends a transaction to the node. */
  const deliver = async (bytes: Uint8Array): Promise<Uint8Array> => {
    const transaction = sign(bytes);
    await node.connection.sendTransaction(transaction, { skipPreflight: true });
    return transaction.signatures[0] ?? expect.fail("no signature");
  };
  const bytesSigner = (change: Change) => ({
    address: node.user,
    signTransaction: (bytes: Uint8Array) => Promise.resolve(sign(modify(bytes, change)).serialize()),
  });
  type Features = Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>>;
  /** A wallet as wallets register themselves. Its methods need their object. */
  const standard = (features: Features, versions: readonly (number | string)[] = ["legacy", 0]) => {
    const account = { address: node.user, publicKey: node.keypair.publicKey.toBytes(), chains: ["solana:mainnet"] };
    const entries = Object.entries(features).map(([name, run]) => {
      const [, method = ""] = name.split(":");
      const result = method === "signTransaction" ? "signedTransaction" : "signature";
      const feature = {
        version: "1.0.0",
        supportedTransactionVersions: versions,
        async [method](
          this: unknown,
          ...inputs: readonly { transaction: Uint8Array; account: object; chain: string }[]
        ) {
          expect([this, inputs[0]?.account]).to.deep.equal([feature, own]);
          return Promise.all(inputs.map(async ({ transaction }) => ({ [result]: await run(transaction) })));
        },
      };
      return [name, feature];
    });
    const own = { ...account, features: Object.keys(features) };
    return { wallet: { name: "Wallet", features: Object.fromEntries(entries) as object }, account: own };
  };
  /** Returns the programs of the user's deposits. */
  const programsPaid = async (): Promise<readonly string[]> => {
    const [id = expect.fail("no deposit")] = await deposits();
    const sent = await node.connection.getTransaction(id, { maxSupportedTransactionVersion: 0 });
    const { staticAccountKeys: keys, compiledInstructions } =
      sent?.transaction.message ?? expect.fail("no transaction");
    return compiledInstructions.map(({ programIdIndex }) => String(keys[programIdIndex]));
  };

  for (const [name, signerOf] of [
    ["a modifying signer of @solana/kit", () => modifying(like)],
    ["a wallet that signs bytes", () => bytesSigner(like)],
    [
      "a wallet of the wallet standard",
      () =>
        standard({
          "solana:signTransaction": (bytes) => Promise.resolve(sign(modify(bytes, like)).serialize()),
          "solana:signAndSendTransaction": () => expect.fail("the SDK can send"),
        }),
    ],
  ] as const) {
    it(`pays with ${name} that adds a priority fee and an assertion`, async () => {
      await fund(ONE_SOL);
      const recipient = otherAccount();
      const onSvmTransaction = wallet({ signer: signerOf() });
      const { status } = await execute(await quoteOf(recipient), createMemoryJournal(), { onSvmTransaction });
      expect([status.status, await dollarsOf(chain, recipient)]).to.deep.equal(["success", 1_000_000n]);
      expect(await deposits()).to.deep.equal(status.inTxHashes);
      const programs = await programsPaid();
      expect([programs.length, programs.at(-1)]).to.deep.equal([4, ASSERTIONS]);
    });
  }

  const elsewhere = Keypair.generate().publicKey;
  const transfer = (lamports: number) =>
    SystemProgram.transfer({ fromPubkey: node.keypair.publicKey, toPubkey: elsewhere, lamports });
  const added = (index: number, program: string) => `instruction ${index}, which calls ${program}, is not the step's`;
  const DEPOSITORY = "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2";
  const missing = `an instruction of the step, which calls ${DEPOSITORY}, is missing`;
  const withData = (own: readonly TransactionInstruction[], at: number) =>
    own.map((one) => {
      const data = Buffer.from(one.data);
      data[at] = (data[at] ?? 0) ^ 1;
      return new TransactionInstruction({ programId: one.programId, keys: one.keys, data });
    });
  const HOSTILE: readonly (readonly [name: string, change: Change, changes: readonly string[]])[] = [
    ["a transfer", (own) => [...own, transfer(1)], [added(1, SOL)]],
    ["a transfer before the deposit", (own) => [transfer(1), ...own], [added(0, SOL)]],
    ["another amount", (own) => withData(own, 8), [added(0, DEPOSITORY), missing]],
    ["another order", (own) => withData(own, 16), [added(0, DEPOSITORY), missing]],
    ["a second deposit", (own) => [...own, ...own], [added(1, DEPOSITORY)]],
    ["no deposit", () => [limit], [missing]],
    [
      "another vault",
      ([own = expect.fail("no deposit")]) => {
        const keys = own.keys.map((key, index) => (index === 3 ? { ...key, pubkey: elsewhere } : key));
        return [new TransactionInstruction({ programId: own.programId, keys, data: own.data })];
      },
      [added(0, DEPOSITORY), missing],
    ],
    [
      "an instruction that writes in the program of assertions",
      (own) => [...own, call(ASSERTIONS, [0, 1], node.keypair.publicKey)],
      [added(1, ASSERTIONS)],
    ],
    [
      "an assertion that can transfer",
      (own) => [...own, assertion(node.keypair.publicKey, SystemProgram.programId)],
      [added(1, ASSERTIONS)],
    ],
    ["an unknown program", (own) => [...own, call(String(elsewhere), [1])], [added(1, String(elsewhere))]],
  ];
  const refused = () => ({ code: "INVALID_INPUT", field: "signer", value: JSON.stringify(node.user) });
  for (const [name, change, changes] of HOSTILE) {
    it(`sends nothing if a wallet signs ${name}`, async () => {
      await fund(ONE_SOL);
      const [quote, journal] = [await quoteOf(otherAccount()), createMemoryJournal()];
      for (const signer of [modifying(change), bytesSigner(change)]) {
        const error = await rejected(execute(quote, journal, { onSvmTransaction: wallet({ signer }) }));
        expect(factsOf(error)).to.deep.equal({ ...refused(), changes });
      }
      expect(sends()).to.deep.equal([]);
      // The refused transaction was not sent, so a later run can pay with another wallet.
      expect((await execute(quote, journal)).status.status).to.equal("success");
      expect(await deposits()).to.have.length(1);
    });
  }

  it("sends nothing if a wallet adds a high priority fee or another signer", async () => {
    await fund(ONE_SOL);
    const quote = await quoteOf(otherAccount());
    const onSvmTransaction = wallet({ signer: bytesSigner((own) => [limit, price(200_000_000), ...own]) });
    const error = await rejected(execute(quote, createMemoryJournal(), { onSvmTransaction }));
    const path = "steps[0].items[0].data.instructions";
    const changes = [`TRANSACTION_FEE, ${path} is 20000000 instead of at most 10000000`];
    expect(factsOf(error)).to.deep.equal({ ...refused(), changes });

    const second = Keypair.generate();
    const signer = {
      address: node.user,
      signTransaction(bytes: Uint8Array) {
        const note = new TransactionInstruction({
          programId: new PublicKey(MEMO),
          keys: [{ pubkey: second.publicKey, isSigner: true, isWritable: false }],
          data: Buffer.from("hello"),
        });
        const transaction = VersionedTransaction.deserialize(modify(bytes, (own) => [...own, note]));
        transaction.sign([node.keypair, second]);
        return Promise.resolve(transaction.serialize());
      },
    };
    const other = await rejected(execute(quote, createMemoryJournal(), { onSvmTransaction: wallet({ signer }) }));
    expect(factsOf(other).changes).to.deep.equal([
      `the signers are ${node.user}, ${second.publicKey.toBase58()} instead of ${node.user}`,
    ]);
    expect(sends()).to.deep.equal([]);
  });

  for (const [name, signerOf] of [
    ["a sending signer of @solana/kit", () => sending(deliver)],
    ["a standard wallet that only sends", () => standard({ "solana:signAndSendTransaction": deliver })],
    ["a sending signer that adds a priority fee", () => sending((bytes) => deliver(modify(bytes, like)))],
  ] as const) {
    it(`pays with ${name}`, async () => {
      await fund(ONE_SOL);
      const recipient = otherAccount();
      const onSvmTransaction = wallet({ signer: signerOf() });
      const { status } = await execute(await quoteOf(recipient), createMemoryJournal(), { onSvmTransaction });
      expect([status.status, await dollarsOf(chain, recipient)]).to.deep.equal(["success", 1_000_000n]);
      expect(await deposits()).to.deep.equal(status.inTxHashes);
      expect([sends(), node.signed.length]).to.deep.equal([[], 1]);
    });
  }

  const lost = () => Promise.reject(new Error("Failed to fetch"));
  /** Lets the block hash of a prompt expire. */
  const expire = (): void => {
    node.answer = (request, forward) => {
      if (request.method === "getEpochInfo") advance(EXPIRY_MS);
      return forward(request);
    };
  };
  const stepOf = (quote: Quote, record: (text: string) => void, recorded?: string): SvmTransaction => ({
    requestId: "request",
    chainId: SVM,
    stepId: "deposit",
    mayHaveRun: recorded !== undefined,
    recorded,
    payAgain: false,
    quote,
    request: undefined,
    record(text) {
      record(text);
      return Promise.resolve();
    },
    verify: () => Promise.resolve(),
    signal: new AbortController().signal,
    data: quote.steps[0]?.items[0]?.data ?? expect.fail("no data"),
  });

  it("finds the payment on the chain if the wallet sent it and its response was lost", async () => {
    await fund(ONE_SOL);
    const quote = await quoteOf(otherAccount());
    let recorded: string | undefined;
    const record = (text: string): void => void (recorded = text);
    const signer = sending(async (bytes) => {
      await deliver(bytes);
      return lost();
    });
    const found = await wallet({ signer })(stepOf(quote, record));
    expect(await deposits()).to.deep.equal([found]);
    // A later run finds it too, also with a wallet that signs.
    const prompts = node.signed.length;
    expect(await wallet()(stepOf(quote, record, recorded))).to.equal(found);
    expect([prompts, node.signed.length]).to.deep.equal([1, 1]);
  });

  it("finds the payment if the wallet's signature is of another transaction", async () => {
    await fund(ONE_SOL);
    const quote = await quoteOf(otherAccount());
    const signer = sending(async (bytes) => {
      const proposal = await deliver(modify(bytes, () => [call(MEMO, [...Buffer.from("proposal")])]));
      await deliver(bytes);
      return proposal;
    });
    const found = await wallet({ signer })(stepOf(quote, () => undefined));
    expect(await deposits()).to.deep.equal([found]);
  });

  it("finds a payment that a program makes in a nested call", async () => {
    await fund(ONE_SOL);
    const quote = await quoteOf(otherAccount());
    node.answer = async (request, forward) => {
      const answered = (await forward(request)) as { result: TransactionResult };
      if (request.method !== "getTransaction") return answered;
      const { transaction, meta } = answered.result;
      meta.innerInstructions = [{ index: 0, instructions: transaction.message.instructions }];
      transaction.message.instructions = [];
      return answered;
    };
    const found = await wallet({ signer: sending(deliver) })(stepOf(quote, () => undefined));
    expect(await deposits()).to.deep.equal([found]);
  });

  it("does not take the deposit of another order for the payment", async () => {
    await fund(ONE_SOL);
    const [quote, other] = [await quoteOf(otherAccount()), await quoteOf(otherAccount())];
    const signer = sending(async () => {
      await wallet()(stepOf(other, () => undefined));
      expire();
      return lost();
    });
    const error = factsOf(await rejected(wallet({ signer })(stepOf(quote, () => undefined))));
    expect(error).to.include({ code: "PAYMENT_UNRESOLVED", chainId: SVM, account: node.user, what: "transaction" });
    expect(await deposits()).to.have.length(1);
  });

  async function failUnresolved(quote: Quote, journal: ExecutionJournal, send: typeof lost): Promise<void> {
    expire();
    const onSvmTransaction = wallet({ signer: sending(send) });
    const error = factsOf(await rejected(execute(quote, journal, { onSvmTransaction })));
    expect(error).to.include({ code: "PAYMENT_UNRESOLVED", stepId: "deposit", account: node.user });
  }

  it("prompts a wallet again only with payAgain if it may have sent the payment", async () => {
    await fund(ONE_SOL);
    const [quote, journal] = [await quoteOf(otherAccount()), createMemoryJournal()];
    await failUnresolved(quote, journal, lost);
    await failUnresolved(quote, journal, () => expect.fail("no second prompt"));
    expect(node.signed).to.have.length(0);
    node.answer = (request, forward) => forward(request);
    const options = { onSvmTransaction: wallet({ signer: sending(deliver) }), payAgain: true };
    expect((await execute(quote, journal, options)).status.status).to.equal("success");
    expect([node.signed.length, (await deposits()).length]).to.deep.equal([1, 1]);
  });

  it("follows a payment that arrives after it was unresolved, even with payAgain", async () => {
    await fund(ONE_SOL);
    const quote = await quoteOf(otherAccount());
    let recorded: string | undefined;
    const record = (text: string): void => void (recorded = text);
    expire();
    let late: Uint8Array | undefined;
    const signer = sending((bytes) => {
      late = bytes;
      return lost();
    });
    expect((await rejected(wallet({ signer })(stepOf(quote, record)))).code).to.equal("PAYMENT_UNRESOLVED");
    // The wallet replaces the block hash, as after a long prompt.
    const transaction = VersionedTransaction.deserialize(late ?? expect.fail("not asked"));
    transaction.message.recentBlockhash = (await node.connection.getLatestBlockhash()).blockhash;
    await deliver(transaction.serialize());
    const step = { ...stepOf(quote, record, recorded), payAgain: true };
    expect(await deposits()).to.deep.equal([await wallet({ signer })(step)]);
  });

  it("prompts a wallet again in a later run if it sent nothing, or the chain rejected the transaction", async () => {
    await fund(1_000_000n);
    const [quote, journal] = [await quoteOf(otherAccount()), createMemoryJournal()];
    const failWith = async (send: typeof deliver) =>
      factsOf(await rejected(execute(quote, journal, { onSvmTransaction: wallet({ signer: sending(send) }) })));
    const refuse = (text: string) => () => Promise.reject(new Error(text));
    expect(await failWith(refuse("User rejected the request."))).to.deep.equal({
      code: "USER_REJECTED",
      stepId: "deposit",
    });
    const unsent = { code: "TRANSACTION_FAILED", chainId: SVM, txHash: undefined };
    expect(await failWith(refuse("insufficient funds for rent"))).to.deep.equal(unsent);
    const failed = await failWith(deliver);
    expect(failed).to.include({ code: "TRANSACTION_FAILED", chainId: SVM });
    expect(await node.connection.getSignatureStatus(String(failed.txHash))).to.have.nested.property(
      "value.err.InstructionError",
    );
    await fund(ONE_SOL);
    advance(1_000);
    const onSvmTransaction = wallet({ signer: sending(deliver) });
    expect((await execute(quote, journal, { onSvmTransaction })).status.status).to.equal("success");
    expect([node.signed.length, (await deposits()).length]).to.deep.equal([2, 1]);
  });

  const funded = async (): Promise<Keypair> => {
    const payer = Keypair.generate();
    await fund(ONE_SOL, SOL, payer.publicKey.toBase58());
    return payer;
  };
  const kitSigner = (keypair: Keypair) => createKeyPairSignerFromPrivateKeyBytes(keypair.secretKey.slice(0, 32));
  const bytesOf = (keypair: Keypair, change?: Change) => ({
    address: keypair.publicKey.toBase58(),
    signTransaction(bytes: Uint8Array) {
      const transaction = VersionedTransaction.deserialize(change === undefined ? bytes : modify(bytes, change));
      transaction.sign([keypair]);
      return Promise.resolve(transaction.serialize());
    },
  });
  const lamportsOf = async (keypair: Keypair): Promise<bigint> =>
    BigInt(await node.connection.getBalance(keypair.publicKey));

  let isOpened = false;
  for (const [name, signerOf, feePayerOf] of [
    ["signers of @solana/kit", () => kitSigner(node.keypair), kitSigner],
    ["a wallet that signs bytes", () => bytesOf(node.keypair), kitSigner],
    ["a fee payer that signs bytes", () => kitSigner(node.keypair), bytesOf],
    ["a wallet that sends", () => sending(deliver), kitSigner],
  ] as const) {
    it(`lets the request's depositFeePayer pay the fee, with ${name}`, async () => {
      const payer = await funded();
      await fund(10_000_000n, USDC);
      // The first deposit of a token creates the depository's account.
      if (!isOpened) {
        await fund(ONE_SOL);
        await execute(await quoteOf(otherAccount(), { originCurrency: USDC }), createMemoryJournal());
        isOpened = true;
      }
      const before = [await lamportsOf(node.keypair), (await deposits()).length] as const;
      const recipient = otherAccount();
      const quote = await quoteOf(recipient, {
        originCurrency: USDC,
        depositFeePayer: payer.publicKey.toBase58(),
      });
      const onSvmTransaction = wallet({ signer: await signerOf(), feePayer: await feePayerOf(payer) });
      const { status } = await execute(quote, createMemoryJournal(), { onSvmTransaction });
      expect([status.status, await dollarsOf(chain, recipient)]).to.deep.equal(["success", 1_000_000n]);
      expect([await lamportsOf(node.keypair), (await deposits()).length - 1]).to.deep.equal(before);
      // Two signatures.
      expect(await lamportsOf(payer)).to.equal(ONE_SOL - 10_000n);
      expect(await deposits()).to.include.members([...(status.inTxHashes ?? [])]);
    });
  }

  it("continues a payment with a fee payer that was stopped before it was sent", async () => {
    const payer = await funded();
    await fund(ONE_SOL);
    const depositFeePayer = payer.publicKey.toBase58();
    const [quote, journal] = [await quoteOf(otherAccount(), { depositFeePayer }), createMemoryJournal()];
    const onSvmTransaction = wallet({ feePayer: bytesOf(payer) });
    await node.stopBeforeSending(quote, journal, { onSvmTransaction });
    node.answer = (request, forward) => forward(request);
    const { status } = await execute(quote, journal, { onSvmTransaction });
    expect([status.status, node.signed.length]).to.deep.equal(["success", 1]);
    expect(await deposits()).to.deep.equal(status.inTxHashes);
    const data = quote.steps[0]?.items[0]?.data as unknown as SvmTransactionData;
    // The service limits this size.
    expect(svmTransactionBytes(data, depositFeePayer)).to.equal(node.signed[0]?.serialize().length);
  });

  it("sends nothing with a fee payer that is missing, wrong or not requested, or changes the transaction", async () => {
    const payer = await funded();
    await fund(ONE_SOL);
    const depositFeePayer = payer.publicKey.toBase58();
    const [plain, paid] = [await quoteOf(otherAccount()), await quoteOf(otherAccount(), { depositFeePayer })];
    const other = Keypair.generate();
    const of = (keypair: Keypair) => ({ field: "feePayer", value: JSON.stringify(keypair.publicKey.toBase58()) });
    const cases = [
      [paid, {}, { field: "feePayer", value: undefined }],
      [paid, { feePayer: bytesOf(other) }, of(other)],
      [plain, { feePayer: bytesOf(payer) }, of(payer)],
      [paid, { feePayer: bytesOf(payer, like) }, { ...of(payer), changes: ["the message"] }],
      [
        paid,
        { feePayer: bytesOf(payer), signer: bytesSigner(like) },
        {
          field: "signer",
          value: JSON.stringify(node.user),
          changes: ["the message, which the fee payer signed before"],
        },
      ],
    ] as const;
    for (const [quote, options, facts] of cases) {
      const onSvmTransaction = wallet(options);
      const error = await rejected(execute(quote, createMemoryJournal(), { onSvmTransaction }));
      expect(factsOf(error)).to.deep.equal({ code: "INVALID_INPUT", ...facts });
    }
    expect(sends()).to.deep.equal([]);
    expect(() => wallet({ feePayer: sending(deliver) as never }))
      .to.throw()
      .that.includes({ code: "INVALID_INPUT", field: "feePayer" });
  });

  it("rejects a value that is not a signer, and a wallet that cannot sign transactions of version 0", () => {
    const sendOnly = { "solana:signAndSendTransaction": deliver };
    const withheld = standard(sendOnly);
    const cases = [
      {},
      standard({}),
      standard(sendOnly, ["legacy"]),
      { ...withheld, account: { ...withheld.account, features: [] } },
    ];
    for (const signer of cases) {
      expect(() => wallet({ signer: { address: node.user, ...signer } as never }))
        .to.throw()
        .that.includes({ code: "INVALID_INPUT", field: "signer" });
    }
  });
});
