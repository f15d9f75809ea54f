import { createHash, sign as signBytes } from "node:crypto";
import { request as httpRequest } from "node:http";

import { base58 } from "@scure/base";
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signature,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Connection,
  Ed25519Program,
  Keypair,
  type ParsedAccountData,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js";
import { expect } from "chai";
import { parseEther, zeroAddress } from "viem";

import { localnet } from "../../../packages/crosscall/src/localnet/index.ts";
import {
  type SvmTransactionData,
  svmTransactionBytes,
} from "../../../packages/crosscall/src/localnet/market/quote/routes/svmDeposit.ts";
import type { ChainEntry, Quote, RequestRecord } from "../../../packages/protocol/src/complete.ts";
import { isTerminalStatus, type QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { u64 } from "../../../packages/crosscall/src/localnet/ledgers/solana/instructions.ts";
import { localKey } from "../../../packages/crosscall/src/localnet/ledgers/solana/keys.ts";
import {
  associatedTokenAccount,
  depositoryStateOf,
  usedRequestOf,
  vaultOf,
} from "../../../packages/protocol/src/vms/solanaPrograms.ts";
import { measureSvmTransaction } from "../../../packages/protocol/src/quote/svmTransactionSize.ts";
import { attest } from "../../../packages/sdk/src/attestation.ts";
import { createServiceClient, executeSteps } from "../../../packages/sdk/src/index.ts";
import { getQuote } from "../../support/complete.ts";
import { runCrosscall } from "../../support/programs.ts";
import { signWeb3, toWeb3Instructions } from "../../support/solanaWeb3.ts";
import { until } from "../../support/until.ts";
import { chainsOf, useNetwork } from "../../support/useNetwork.ts";
import { callAdmin } from "../support/adminCalls.ts";
import { failureOf } from "../support/failureOf.ts";
import { dollarsOf, userWallet } from "../support/parties.ts";
import { get, recordOf } from "../support/serviceCalls.ts";
import { DEPOSITORY, SOL, SVM, USDC } from "../support/useSvmPayments.ts";

const TETHER = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const SOLVER = "3RwGxXWHVgBnxiknic4qxHDwDnyGYNPiyDrCcsQN75GV";
const ROUNDED_SOL = 1_000_000_000n;

/** Writes integers as JSON numbers. */
const numbersOf = (_field: string, value: unknown): unknown => (typeof value === "bigint" ? Number(value) : value);

// The clients are the published ones, unmodified.
describe("the Solana chain", () => {
  const network = useNetwork({ svm: true });
  const [chain] = chainsOf(network);
  const keypair = Keypair.generate();
  const user = keypair.publicKey.toBase58();
  let rpcUrl = "";
  let connection: Connection;
  let signer: KeyPairSigner;

  before(async () => {
    rpcUrl = network.svm?.rpcUrl ?? expect.fail("no Solana");
    connection = new Connection(rpcUrl, "confirmed");
    signer = await createKeyPairSignerFromPrivateKeyBytes(Keypair.generate().secretKey.slice(0, 32));
  });

  const rpc = () => createSolanaRpc(rpcUrl);
  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2 });
  const fund = async (amount: bigint, currency = SOL, account = user): Promise<void> => {
    const body = { address: account, currency, amount: amount.toString() };
    const { status } = await callAdmin(network, "POST", `/admin/chains/${SVM}/faucet`, body);
    expect(status).to.equal(200);
  };
  const solOf = async (account: string): Promise<bigint> => BigInt(await connection.getBalance(new PublicKey(account)));
  const usdcOf = async (owner: string): Promise<bigint> => {
    const { value } = await connection.getTokenAccountsByOwner(new PublicKey(owner), { mint: new PublicKey(USDC) });
    return value.reduce((sum, { account }) => sum + account.data.readBigUInt64LE(64), 0n);
  };
  const callRpc = async (body: unknown): Promise<unknown> =>
    (await fetch(rpcUrl, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) })).json();
  const call = (method: string, ...params: readonly unknown[]) => callRpc({ jsonrpc: "2.0", id: 7, method, params });

  const fromSvm = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    user,
    recipient: network.accounts.user.address,
    includeProtocolData: true,
    originChainId: SVM,
    destinationChainId: chain.id,
    originCurrency: SOL,
    destinationCurrency: chain.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: ROUNDED_SOL.toString(),
    ...change,
  });
  const toSvm = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    ...fromSvm(),
    user: network.accounts.user.address,
    recipient: user,
    originChainId: chain.id,
    originCurrency: zeroAddress,
    destinationChainId: SVM,
    destinationCurrency: SOL,
    amount: parseEther("1").toString(),
    ...change,
  });
  const idOf = (quote: Quote): string => quote.steps[0]?.requestId ?? expect.fail("no request");
  const orderOf = (quote: Quote): string => quote.protocol?.v2.orderId ?? expect.fail("no order");
  const end = (quote: Quote): Promise<RequestRecord> =>
    until(async () => {
      const record = await recordOf(network, idOf(quote));
      return isTerminalStatus(record.status) && record;
    });
  const oracle = () => createServiceClient({ baseUrl: network.oracle?.url ?? "", apiKey: network.apiKey });
  /** Attests a request's deposit, and returns the fields for its settlement. */
  const settlementOf = async ({ protocol }: Quote, chainId: string, transactionId: string) => {
    const { messages } = await attest(oracle(), "depository-deposits/v1", { chainId, transactionId });
    const [{ result } = expect.fail("no deposit")] = messages;
    const { orderData: order, orderSignature = "", orderId } = protocol?.v2 ?? expect.fail("no order");
    expect(result.depositId).to.equal(orderId);
    return { order, orderSignature, inputs: [{ transactionId, onchainId: result.onchainId, inputIndex: 0 }] };
  };
  const quotedInstructions = (quote: Quote): TransactionInstruction[] => {
    const data = quote.steps[0]?.items[0]?.data as SvmTransactionData | undefined;
    return toWeb3Instructions(data?.instructions ?? expect.fail("no instructions"));
  };

  const sign = (instructions: TransactionInstruction[], blockhash?: string): Promise<VersionedTransaction> =>
    signWeb3(connection, keypair, instructions, blockhash);
  const send = async (instructions: TransactionInstruction[], skipPreflight = false): Promise<string> =>
    connection.sendTransaction(await sign(instructions), { skipPreflight });
  const memoOf = (text: string): TransactionInstruction =>
    new TransactionInstruction({ programId: new PublicKey(MEMO), keys: [], data: Buffer.from(text) });
  const transferOf = (to: string, lamports: bigint): TransactionInstruction =>
    SystemProgram.transfer({ fromPubkey: keypair.publicKey, toPubkey: new PublicKey(to), lamports });

  describe("as @solana/kit sees it", () => {
    it("reports its state, and funds accounts", async () => {
      const before = await rpc().getSlot().send();
      const airdrop = await rpc()
        .requestAirdrop(signer.address, 5_000_000_000n as never)
        .send();
      const { value: balance } = await rpc().getBalance(signer.address).send();
      expect(balance).to.equal(5_000_000_000n);
      const { value: statuses } = await rpc().getSignatureStatuses([airdrop]).send();
      expect(statuses[0]).to.deep.include({ err: null, confirmations: null, confirmationStatus: "finalized" });
      expect(statuses[0]?.slot).to.be.greaterThanOrEqual(before);
      expect(await rpc().getHealth().send()).to.equal("ok");
      expect(await rpc().getGenesisHash().send()).to.match(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/u);
      expect(await rpc().getVersion().send()).to.have.property("solana-core");
      const slot = await rpc().getSlot().send();
      const time = await rpc().getBlockTime(slot).send();
      const { absoluteSlot, epoch, slotIndex, slotsInEpoch } = await rpc().getEpochInfo().send();
      expect(Number(slotIndex)).to.be.lessThan(Number(slotsInEpoch));
      expect(epoch * slotsInEpoch + slotIndex).to.equal(absoluteSlot);
      expect(Math.abs(Number(time) - network.clock.now() / 1_000)).to.be.lessThan(60);
    });

    it("sends a transaction with a memo, and returns it with its balances", async () => {
      const { value: lifetime } = await rpc().getLatestBlockhash().send();
      const other = Keypair.generate().publicKey.toBase58();
      const instructions: Instruction[] = [
        {
          programAddress: address(SOL),
          accounts: [
            { address: signer.address, role: AccountRole.WRITABLE_SIGNER },
            { address: address(other), role: AccountRole.WRITABLE },
          ],
          data: SystemProgram.transfer({
            fromPubkey: new PublicKey(signer.address),
            toPubkey: new PublicKey(other),
            lamports: 2_000_000n,
          }).data,
        },
        { programAddress: address(MEMO), data: Buffer.from("hello") },
      ];
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (created) => setTransactionMessageFeePayerSigner(signer, created),
        (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
        (timed) => appendTransactionMessageInstructions(instructions, timed),
      );
      const signed = await signTransactionMessageWithSigners(message);
      const wire = getBase64EncodedWireTransaction(signed);
      const quoted = Buffer.from(compileTransaction(message).messageBytes).toString("base64");
      const { value: fee } = await rpc()
        .getFeeForMessage(quoted as never)
        .send();
      const { value: simulated } = await rpc()
        .simulateTransaction(wire, { encoding: "base64", sigVerify: true })
        .send();
      expect([simulated.err, fee]).to.deep.equal([null, 5_000n]);
      const sent = await rpc().sendTransaction(wire, { encoding: "base64" }).send();
      const options = { encoding: "json", maxSupportedTransactionVersion: 0, commitment: "finalized" } as const;
      const found = (await rpc().getTransaction(sent, options).send()) ?? expect.fail("no transaction");
      expect(found.version).to.equal(0);
      expect(found.transaction.message.accountKeys.slice(0, 2)).to.deep.equal([signer.address, other]);
      const { preBalances = [], postBalances = [], logMessages, err } = found.meta ?? {};
      expect([err, found.meta?.fee, Number(postBalances[1]) - Number(preBalances[1])]).to.deep.equal([
        null,
        5_000n,
        2_000_000,
      ]);
      expect(Number(preBalances[0]) - Number(postBalances[0])).to.equal(2_005_000);
      expect(logMessages?.join("\n")).to.contain("hello");
      const parsed = await rpc()
        .getTransaction(sent, { ...options, encoding: "jsonParsed" })
        .send();
      expect(parsed?.transaction.message.instructions).to.deep.include.members([
        { program: "spl-memo", parsed: "hello", programId: MEMO, stackHeight: 1 },
      ]);
      const [raw] =
        (
          await rpc()
            .getTransaction(sent, { ...options, encoding: "base64" })
            .send()
        )?.transaction ?? [];
      expect(raw).to.equal(wire);
      expect(
        (await rpc().getSignaturesForAddress(address(other)).send()).map((entry) => entry.signature),
      ).to.deep.equal([sent]);
      expect(
        await rpc()
          .getTransaction(signature("1".repeat(64)), options)
          .send(),
      ).to.equal(null);
    });

    it("reports blocks, which are the slots with transactions", async () => {
      const start = await rpc().getSlot().send();
      const airdrop = (lamports: bigint) =>
        rpc()
          .requestAirdrop(signer.address, lamports as never)
          .send();
      await airdrop(7_000_000n);
      const first = await rpc().getSlot().send();
      await until(async () => (await rpc().getSlot().send()) > first);
      const sent = await airdrop(7_000_000n);
      const all = { encoding: "json", maxSupportedTransactionVersion: 0 } as const;
      const found = (await rpc().getTransaction(sent, all).send()) ?? expect.fail("no transaction");
      const { slot } = found;
      await until(async () => (await rpc().getSlot().send()) > slot);
      const { transactions, ...block } = (await rpc().getBlock(slot, all).send()) ?? expect.fail("no block");
      const { slot: _, blockTime, ...included } = found;
      expect(transactions).to.deep.include(included);
      expect([block.blockTime, block.blockHeight]).to.deep.equal([blockTime, slot]);
      expect(await rpc().getBlockTime(slot).send()).to.equal(blockTime);
      const detailsOf = async (transactionDetails: string, more: object = {}): Promise<Record<string, unknown>> => {
        const options = { transactionDetails, ...more };
        const response = await call("getBlock", Number(slot), options);
        return (response as { result?: Record<string, unknown> }).result ?? expect.fail(JSON.stringify(response));
      };
      const { transactions: accounts, ...header } = await detailsOf("accounts", { maxSupportedTransactionVersion: 0 });
      expect(await detailsOf("none")).to.deep.equal(header);
      expect(header).to.deep.equal({ ...JSON.parse(JSON.stringify(block, numbersOf)), rewards: [] });
      const signatures = transactions.map(({ transaction }) => transaction.signatures[0]);
      expect(await detailsOf("signatures", { rewards: false })).to.deep.equal({
        ...Object.fromEntries(Object.entries(header).filter(([field]) => field !== "rewards")),
        signatures,
      });
      const position = signatures.indexOf(sent);
      const [{ meta, transaction }] = (accounts as Record<string, Record<string, unknown>>[]).slice(position) as [
        Record<string, Record<string, unknown>>,
      ];
      expect(Object.keys(meta ?? {}).toSorted()).to.deep.equal([
        "err",
        "fee",
        "postBalances",
        "postTokenBalances",
        "preBalances",
        "preTokenBalances",
        "rewards",
        "status",
      ]);
      expect(transaction?.signatures).to.deep.equal([sent]);
      expect(transaction?.accountKeys).to.deep.include({
        pubkey: signer.address,
        signer: false,
        source: "transaction",
        writable: true,
      });
      for (const encoding of ["jsonParsed", "base64"]) {
        const options = { encoding, maxSupportedTransactionVersion: 0 };
        const [one, encoded] = (await Promise.all([
          call("getTransaction", sent, options),
          call("getBlock", Number(slot), options),
        ])) as [{ result: object }, { result: { transactions: object[] } }];
        expect(one.result).to.deep.equal({
          ...encoded.result.transactions[position],
          slot: Number(slot),
          blockTime: Number(blockTime),
        });
      }
      const parent = await rpc()
        .getBlock(block.parentSlot, { ...all, transactionDetails: "none" })
        .send();
      expect(parent?.blockhash).to.equal(block.previousBlockhash);
      expect(await rpc().getBlocks(block.parentSlot, slot).send()).to.deep.equal([block.parentSlot, slot]);
      expect((await rpc().getBlocks(start).send()).filter((listed) => listed < start)).to.deep.equal([]);
      expect(await rpc().getBlocksWithLimit(block.parentSlot, 2).send()).to.deep.equal([block.parentSlot, slot]);
      expect(await rpc().getBlocks(slot, block.parentSlot).send()).to.deep.equal([]);
    });

    it("rejects blocks that do not exist as nodes do", async () => {
      const errorOf = async (method: string, ...params: readonly unknown[]): Promise<unknown[]> => {
        const { error } = (await call(method, ...params)) as { error?: { code: number; message: string } };
        return [error?.code, error?.message];
      };
      // The first block is at slot 0, and the next one years later.
      expect(await errorOf("getBlock", 1)).to.deep.equal([
        -32_007,
        "Slot 1 was skipped, or missing due to ledger jump to recent snapshot",
      ]);
      const later = Number(await rpc().getSlot().send()) + 1_000_000;
      expect(await errorOf("getBlock", later)).to.deep.equal([-32_004, `Block not available for slot ${later}`]);
      // Transactions can still be added to the current slot.
      const current = await until(async () => {
        const slot = Number(await rpc().getSlot().send());
        const error = await errorOf("getBlock", slot);
        return Number(await rpc().getSlot().send()) === slot && error;
      });
      expect(current[0]).to.equal(-32_004);
      for (const [method, ...params] of [
        ["getBlock", 0, { commitment: "processed" }],
        ["getBlocks", 0, 0, { commitment: "processed" }],
        ["getBlocks", 0, { commitment: "processed" }],
        ["getBlocksWithLimit", 0, 1, { commitment: "processed" }],
      ] as const) {
        expect(await errorOf(method, ...params)).to.deep.equal([
          -32_602,
          "Method does not support commitment below `confirmed`",
        ]);
      }
      expect(await errorOf("getBlocks", 0, 500_001)).to.deep.equal([-32_602, "Slot range too large; max 500000"]);
      expect(await errorOf("getBlocksWithLimit", 0, 500_001)).to.deep.equal([-32_602, "Limit too large; max 500000"]);
      expect((await errorOf("getBlock", 0, { transactionDetails: "some" }))[0]).to.equal(-32_602);
      expect((await errorOf("getBlock", "0"))[0]).to.equal(-32_602);
    });

    it("reports slots and the outcome of a transaction over the websocket", async () => {
      const abort = new AbortController();
      const subscriptions = createSolanaRpcSubscriptions(network.svm?.websocketUrl ?? "");
      const options = { abortSignal: abort.signal };
      const slots = await subscriptions.slotNotifications().subscribe(options);
      const unknown = await subscriptions.signatureNotifications(signature("1".repeat(64))).subscribe(options);
      const sent = await rpc()
        .requestAirdrop(signer.address, 1_000_000n as never)
        .send();
      const outcomes = await subscriptions.signatureNotifications(sent).subscribe(options);
      for await (const { value } of outcomes) {
        expect(value).to.deep.equal({ err: null });
        break;
      }
      for await (const { slot, parent } of slots) {
        expect(slot - parent).to.equal(1n);
        break;
      }
      abort.abort();
      for await (const { value } of unknown) expect.fail(JSON.stringify(value));
    });

    it("reports why a transaction fails, with its logs", async () => {
      await fund(1_000_000n, SOL, signer.address);
      const { value: lifetime } = await rpc().getLatestBlockhash().send();
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (created) => setTransactionMessageFeePayerSigner(signer, created),
        (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
        (timed) =>
          appendTransactionMessageInstructions([{ programAddress: address(DEPOSITORY), data: Buffer.alloc(8) }], timed),
      );
      const wire = getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message));
      const error: unknown = await rpc()
        .sendTransaction(wire, { encoding: "base64" })
        .send()
        .catch((caught: unknown) => caught);
      expect(isSolanaError(error)).to.equal(true);
      expect(error).to.have.nested.property("cause.context.code", 101);
    });
  });

  describe("as @solana/web3.js sees it", () => {
    before(() => fund(20_000_000_000n));
    // The client would reconnect forever, and has no method to stop.
    after(() => (Reflect.get(connection, "_rpcWebSocket") as { close(): void }).close());

    it("runs legacy transactions, versioned ones and those with lookup tables", async () => {
      const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
      const legacy = new Transaction({ feePayer: keypair.publicKey, blockhash, lastValidBlockHeight });
      legacy.add(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000 }));
      legacy.add(ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 }), transferOf(SOLVER, 1n));
      legacy.sign(keypair);
      const fee = await connection.getFeeForMessage(legacy.compileMessage());
      const sent = await connection.sendRawTransaction(legacy.serialize());
      // 1,000 micro-lamports for each of 100,000 units.
      expect([
        fee.value,
        (await connection.getTransaction(sent, { maxSupportedTransactionVersion: 0 }))?.meta?.fee,
      ]).to.deep.equal([5_100, 5_100]);

      const recentSlot = (await connection.getSlot()) - 1;
      const owner = { authority: keypair.publicKey, payer: keypair.publicKey };
      const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({ ...owner, recentSlot });
      const addresses = Array.from({ length: 20 }, () => Keypair.generate().publicKey);
      await send([create, AddressLookupTableProgram.extendLookupTable({ ...owner, lookupTable, addresses })]);
      const extended = await connection.getSlot();
      await until(async () => (await connection.getSlot()) > extended);
      const table = (await connection.getAddressLookupTable(lookupTable)).value ?? expect.fail("no table");
      expect(table.state.addresses).to.have.length(20);
      const message = new TransactionMessage({
        payerKey: keypair.publicKey,
        recentBlockhash: (await connection.getLatestBlockhash()).blockhash,
        instructions: addresses.map((to) => transferOf(to.toBase58(), 1_000_000n)),
      });
      const transaction = new VersionedTransaction(message.compileToV0Message([table]));
      transaction.sign([keypair]);
      const looked = await connection.sendTransaction(transaction);
      const found = await connection.getTransaction(looked, { maxSupportedTransactionVersion: 0 });
      expect(found?.meta?.loadedAddresses?.writable.map(String)).to.deep.equal(addresses.map(String));
      expect(found?.meta?.postBalances.slice(2).every((balance) => balance === 1_000_000)).to.equal(true);
      expect(await solOf(String(addresses[19]))).to.equal(1_000_000n);
    });

    it("confirms transactions, and reports changed accounts and logs over the websocket", async () => {
      const { publicKey } = Keypair.generate();
      const [balances, logged]: [number[], string[]] = [[], []];
      const subscriptions = [
        connection.onAccountChange(publicKey, ({ lamports }) => balances.push(lamports)),
        connection.onLogs(publicKey, ({ signature: of }) => logged.push(of)),
      ] as const;
      // The client does not report when it has subscribed.
      const sent = await until(async () => {
        const made = await send([transferOf(publicKey.toBase58(), 1_000_000n), memoOf(String(logged.length))], true);
        await connection.getSlot();
        return balances.length > 0 && logged.length > 0 && made;
      });
      expect(logged).to.include(sent);
      await connection.removeAccountChangeListener(subscriptions[0]);
      await connection.removeOnLogsListener(subscriptions[1]);
      const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
      // Of a transaction in a block, and of one that is sent after the subscription.
      const known = await connection.confirmTransaction({ signature: sent, blockhash, lastValidBlockHeight });
      expect(known.value.err).to.equal(null);
      const later = await sign([transferOf(publicKey.toBase58(), 7n)], blockhash);
      const [first = expect.fail("no signature")] = later.signatures;
      const confirmed = connection.confirmTransaction({
        signature: base58.encode(first),
        blockhash,
        lastValidBlockHeight,
      });
      await connection.sendTransaction(later);
      expect((await confirmed).value).to.deep.equal({ err: null });
    });

    it("shows token accounts, also parsed", async () => {
      const owner = Keypair.generate().publicKey;
      await fund(2_500_000n, USDC, owner.toBase58());
      const { value } = await connection.getParsedTokenAccountsByOwner(owner, { programId: new PublicKey(TOKEN) });
      const [held] = value;
      expect(held?.pubkey.toBase58()).to.equal(associatedTokenAccount(owner.toBase58(), USDC, TOKEN));
      const { info } = (held ?? expect.fail("no account")).account.data.parsed as { info: { tokenAmount: object } };
      expect(info).to.deep.include({ mint: USDC, owner: owner.toBase58(), state: "initialized" });
      expect(info.tokenAmount).to.deep.equal({ amount: "2500000", decimals: 6, uiAmount: 2.5, uiAmountString: "2.5" });
      const balance = await connection.getTokenAccountBalance(held?.pubkey ?? owner);
      expect(balance.value.amount).to.equal("2500000");
      const accounts = await connection.getMultipleAccountsInfo([held?.pubkey ?? owner, Keypair.generate().publicKey]);
      expect(accounts.map((account) => account?.data.length ?? null)).to.deep.equal([165, null]);
    });

    it("lists the accounts of a program, by filters, also parsed", async () => {
      const owner = Keypair.generate().publicKey;
      await fund(2_500_000n, USDC, owner.toBase58());
      await fund(3_000_000n, TETHER, owner.toBase58());
      const program = new PublicKey(TOKEN);
      const owned = { memcmp: { offset: 32, bytes: owner.toBase58() } };
      const ofUsdc = { memcmp: { offset: 0, bytes: USDC } };
      const held = [USDC, TETHER].map((mint) => associatedTokenAccount(owner.toBase58(), mint, TOKEN));
      const found = await connection.getProgramAccounts(program, { filters: [{ dataSize: 165 }, owned] });
      expect(found.map(({ pubkey }) => pubkey.toBase58())).to.have.members(held);
      expect(await connection.getProgramAccounts(program, { filters: [{ dataSize: 82 }, owned] })).to.deep.equal([]);
      const parsed = await connection.getParsedProgramAccounts(program, { filters: [ofUsdc, owned] });
      const [{ pubkey, account } = expect.fail("no account"), ...others] = parsed;
      expect([pubkey.toBase58(), others]).to.deep.equal([held[0], []]);
      expect((account.data as ParsedAccountData).parsed).to.deep.nested.include({ "info.tokenAmount.uiAmount": 2.5 });
      const { value } = await connection.getProgramAccounts(program, {
        filters: [owned],
        dataSlice: { offset: 64, length: 8 },
        withContext: true,
      });
      expect(value.map((one) => one.account.data.readBigUInt64LE())).to.have.members([2_500_000n, 3_000_000n]);
      const mints = await connection.getProgramAccounts(program, { filters: [{ dataSize: 82 }] });
      expect(mints.map((one) => one.pubkey.toBase58())).to.include.members([USDC, TETHER]);
      const filters = Array.from({ length: 5 }, () => owned);
      expect(await call("getProgramAccounts", TOKEN, { filters })).to.have.nested.property("error.code", -32_602);
      expect(await call("getProgramAccounts", TOKEN, { filters: [{ size: 1 }] })).to.have.nested.property(
        "error.code",
        -32_602,
      );
    });

    it("shows blocks, also parsed and as signatures", async () => {
      const sent = await send([transferOf(SOLVER, 1_234n), memoOf("in a block")]);
      const all = { maxSupportedTransactionVersion: 0 } as const;
      const { slot } = (await connection.getTransaction(sent, all)) ?? expect.fail("no transaction");
      await until(async () => (await connection.getSlot()) > slot);
      const block = await connection.getBlock(slot, all);
      const isSent = ({ transaction }: { transaction: { signatures: string[] } }) => transaction.signatures[0] === sent;
      const [made = expect.fail("no transaction"), ...others] = block?.transactions.filter(isSent) ?? [];
      expect([others, made.meta?.fee, made.version]).to.deep.equal([[], 5_000, 0]);
      const parsed = await connection.getParsedBlock(slot, all);
      const { transaction: shown } = parsed.transactions.find(isSent) ?? expect.fail("no transaction");
      // The types of the client leave out the message.
      expect(shown)
        .to.have.nested.property("message.instructions")
        .that.deep.includes({
          program: "spl-memo",
          parsed: "in a block",
          programId: new PublicKey(MEMO),
          stackHeight: 1,
        });
      const signed = await connection.getBlockSignatures(slot);
      expect(signed.signatures).to.include(sent);
      expect(signed.blockhash).to.equal(block?.blockhash);
      expect(await connection.getBlocks(slot, slot)).to.deep.equal([slot]);
      const withoutVersion = (await call("getBlock", slot)) as { error?: { code: number } };
      expect(withoutVersion.error?.code).to.equal(-32_015);
    });

    it("takes a transaction once, and only with a recent block hash and valid signatures", async () => {
      const transaction = await sign([transferOf(SOLVER, 5n)]);
      await connection.sendTransaction(transaction);
      const failureOf = async (sent: Promise<unknown>): Promise<string> =>
        sent.then(
          () => "sent",
          (error: unknown) => (error as Error).message,
        );
      expect(await failureOf(connection.sendTransaction(transaction))).to.contain("already been processed");
      const unknown = await sign([transferOf(SOLVER, 5n)], Keypair.generate().publicKey.toBase58());
      expect(await failureOf(connection.sendTransaction(unknown))).to.contain("Blockhash not found");
      const { blockhash } = await connection.getLatestBlockhash();
      const late = await sign([transferOf(SOLVER, 6n)], blockhash);
      expect((await connection.isBlockhashValid(blockhash)).value).to.equal(true);
      network.clock.setOffset(network.clock.offsetMs + 61_000);
      expect((await connection.isBlockhashValid(blockhash)).value).to.equal(false);
      expect(await failureOf(connection.sendTransaction(late))).to.contain("Blockhash not found");
      const forged = await sign([transferOf(SOLVER, 7n)]);
      forged.signatures[0]?.fill(1);
      expect(await failureOf(connection.sendTransaction(forged))).to.contain("signature verification failure");
      const poor = await sign([transferOf(SOLVER, 10n ** 15n)]);
      expect(await failureOf(connection.sendTransaction(poor))).to.contain("custom program error: 0x1");
      // Without preflight, the chain includes the failure and takes the fee.
      const before = await solOf(user);
      const failed = await connection.sendTransaction(poor, { skipPreflight: true });
      const found = await connection.getTransaction(failed, { maxSupportedTransactionVersion: 0 });
      expect(found?.meta?.err).to.deep.equal({ InstructionError: [0, { Custom: 1 }] });
      expect(before - (await solOf(user))).to.equal(5_000n);
    });

    it("takes transactions of 1,232 bytes, but not of 1,233", async () => {
      const empty = (await sign([memoOf("")])).serialize().length;
      // The length of more than 127 bytes takes a second byte.
      const fits = await sign([memoOf("x".repeat(1_232 - empty - 1))]);
      expect(fits.serialize()).to.have.length(1_232);
      expect((await connection.simulateTransaction(fits)).value.err).to.equal(null);
      await connection.sendTransaction(fits);
      const large = (await sign([memoOf("x".repeat(1_232 - empty))])).serialize();
      expect(large).to.have.length(1_233);
      const message =
        "decoded solana_transaction::versioned::VersionedTransaction too large: 1233 bytes (max: 1232 bytes)";
      for (const method of ["sendTransaction", "simulateTransaction"]) {
        for (const [encoding, text] of [
          ["base64", Buffer.from(large).toString("base64")],
          ["base58", base58.encode(large)],
        ]) {
          const response = await call(method, text, { encoding });
          expect(response).to.deep.equal({ jsonrpc: "2.0", id: 7, error: { code: -32_602, message } });
        }
      }
    });
  });

  it("takes a deposit of 1,172 bytes after a wallet adds 60, but not one of 1,173", async () => {
    await fund(2n * ROUNDED_SOL);
    const quote = await getQuote(client(), fromSvm());
    const quoted = quotedInstructions(quote);
    const empty = (await sign([...quoted, memoOf("")])).serialize().length;
    const added = [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 1_000_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1 }),
      ComputeBudgetProgram.requestHeapFrame({ bytes: 65_536 }),
    ];
    const responses = [];
    for (const size of [1_173, 1_172]) {
      // The length of more than 127 bytes takes a second byte.
      const deposit = [...quoted, memoOf("x".repeat(size - empty - 1))];
      const { sizeBytes, fitsQuote } = measureSvmTransaction((await sign(deposit)).serialize());
      const bytes = (await sign([...added, ...deposit])).serialize();
      const text = Buffer.from(bytes).toString("base64");
      const { error } = (await call("sendTransaction", text, { encoding: "base64" })) as { error?: { code: number } };
      responses.push([sizeBytes, fitsQuote, bytes.length, error?.code]);
    }
    expect(responses).to.deep.equal([
      [1_173, false, 1_233, -32_602],
      [1_172, true, 1_232, undefined],
    ]);
    expect((await end(quote)).status).to.equal("success");
  });

  it("responds to malformed calls as nodes do", async () => {
    const codeOf = (response: unknown): unknown => (response as { error?: { code: number } }).error?.code;
    expect(codeOf(await call("getBlockProduction2"))).to.equal(-32_601);
    expect(codeOf(await call("toString"))).to.equal(-32_601);
    expect(codeOf(await callRpc("{"))).to.equal(-32_700);
    expect(codeOf(await callRpc({ id: 1 }))).to.equal(-32_600);
    expect(codeOf(await call("getBalance", "0x12"))).to.equal(-32_602);
    expect(codeOf(await call("getBalance", "abc"))).to.equal(-32_602);
    expect(codeOf(await call("sendTransaction", "AAAA", { encoding: "base64" }))).to.equal(-32_602);
    expect(codeOf(await call("getAccountInfo", SOL, { minContextSlot: 1e12 }))).to.equal(-32_016);
    for (const blockhash of ["0OIl", "abc", 7]) {
      expect(codeOf(await call("isBlockhashValid", blockhash))).to.equal(-32_602);
    }
    const many = Array.from({ length: 101 }, (_, id) => ({ jsonrpc: "2.0", id, method: "getHealth" }));
    expect(await callRpc(many.slice(1))).to.have.length(100);
    expect(codeOf(await callRpc(many))).to.equal(-32_600);
    const batch = (await callRpc([
      { jsonrpc: "2.0", id: "a", method: "getHealth" },
      { jsonrpc: "2.0", id: "b", method: "nope" },
    ])) as { id: string }[];
    expect(batch.map(({ id }) => id)).to.deep.equal(["a", "b"]);
  });

  it("responds to web pages from other ports, but not under another host name", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getHealth" });
    const response = await fetch(rpcUrl, { method: "POST", headers: { origin: "http://localhost:5173" }, body });
    expect([response.status, response.headers.get("access-control-allow-origin")]).to.deep.equal([200, "*"]);
    const upgrade = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    for (const [url, headers] of [
      [rpcUrl, {}],
      [network.svm?.websocketUrl.replace(/^ws/u, "http") ?? "", upgrade],
    ] as const) {
      const status = await new Promise((resolve, reject) => {
        const call = httpRequest(url, { headers: { ...headers, host: "attacker.example" } }, (incoming) => {
          incoming.resume();
          resolve(incoming.statusCode);
        });
        call.on("error", reject).end();
      });
      expect(status).to.equal(403);
    }
  });

  it("refunds deposits that do not match their order, and returns those without an order", async () => {
    const quote = await getQuote(client(), fromSvm());
    const [instruction = expect.fail("no instruction")] = quotedInstructions(quote);
    const withAmount = (amount: bigint, id = instruction.data.subarray(16)): TransactionInstruction => {
      const data = Buffer.from(instruction.data);
      data.writeBigUInt64LE(amount, 8);
      id.copy(data, 16);
      const { programId, keys } = instruction;
      return new TransactionInstruction({ programId, keys, data });
    };
    await fund(10n * ROUNDED_SOL);
    const before = await solOf(user);
    const deposit = await send([withAmount(ROUNDED_SOL - 1n)]);
    const record = await end(quote);
    expect([record.status, record.data.failReason]).to.deep.equal(["refund", "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL"]);
    expect(before - (await solOf(user))).to.equal(5_000n);
    const [refund = expect.fail("no refund")] = record.protocol?.settlement?.destination?.refunds ?? [];
    const settlement = await settlementOf(quote, "solana", deposit);
    const { execution } = await attest(oracle(), "solver-refunds/v1", {
      ...settlement,
      refunds: [{ transactionId: refund.transactionId, inputIndex: 0, refundIndex: 0 }],
    });
    expect(execution?.actions).to.have.length(1);
    // A second deposit for the order, and deposits for an unknown one, of which two are equal.
    for (const id of [undefined, Buffer.alloc(32, 9)]) {
      const balance = await solOf(user);
      await Promise.all(["a", "b"].map((label) => send([withAmount(7_000_000n, id), memoOf(label)])));
      await until(async () => balance - (await solOf(user)) === 10_000n);
    }
  });

  it("fails a fill that would leave a new account below the rent-exempt minimum, and a refund to such an account", async () => {
    const recipient = Keypair.generate().publicKey.toBase58();
    const quote = await getQuote(client(), toSvm({ recipient, tradeType: "EXACT_OUTPUT", amount: "890879" }));
    const wallet = userWallet(network, chain);
    await failureOf(executeSteps(client(), { quote, wallet, pollIntervalMs: 25 }));
    const { data, status } = await end(quote);
    expect([status, data.failReason]).to.deep.equal(["refund", "INSUFFICIENT_FUNDS_FOR_RENT"]);
    expect(await solOf(recipient)).to.equal(0n);

    const back = await getQuote(client(), fromSvm({ refundTo: Keypair.generate().publicKey.toBase58() }));
    const [instruction = expect.fail("no instruction")] = quotedInstructions(back);
    instruction.data.writeBigUInt64LE(890_879n, 8);
    await fund(ROUNDED_SOL);
    await send([instruction]);
    const record = await end(back);
    expect([record.status, record.data.refundFailReason]).to.deep.equal(["failure", "MANUAL_REFUND_REQUIRED"]);
    const poor = { address: recipient, currency: SOL, amount: "1" };
    expect((await callAdmin(network, "POST", `/admin/chains/${SVM}/faucet`, poor)).status).to.equal(400);
  });

  it("pays withdrawals that the allocator signed, whose state the oracle reads", async () => {
    await fund(10n * ROUNDED_SOL, SOL, vaultOf(DEPOSITORY));
    const allocator = localKey("allocator");
    const recipient = Keypair.generate().publicKey;
    const seconds = BigInt(Math.floor(network.clock.now() / 1_000));
    const withdrawalOf = (expiration: bigint): Buffer => {
      const state = Buffer.from("RelayDepository1solana-mainnet");
      const domain = createHash("sha256").update(state).update(base58.decode(DEPOSITORY)).digest();
      const numbers = [3n * ROUNDED_SOL, 1n, expiration].map(u64);
      return Buffer.concat([
        domain,
        recipient.toBytes(),
        Buffer.alloc(1),
        ...numbers,
        base58.decode(vaultOf(DEPOSITORY)),
      ]);
    };
    const hashOf = (withdrawal: Buffer): Buffer => createHash("sha256").update(withdrawal).digest();
    const pay = (withdrawal: Buffer, label: string): Promise<string> => {
      const message = hashOf(withdrawal);
      const signed = {
        publicKey: base58.decode(allocator.address),
        message,
        signature: signBytes(undefined, message, allocator.privateKey),
      };
      const used = usedRequestOf(DEPOSITORY, `0x${message.toString("hex")}`);
      const roles: [string, boolean, boolean?][] = [
        [depositoryStateOf(DEPOSITORY), false],
        [user, true, true],
        [recipient.toBase58(), true],
        [vaultOf(DEPOSITORY), true],
        ...[DEPOSITORY, DEPOSITORY, DEPOSITORY].map((key): [string, boolean] => [key, false]),
        [used, true],
        ["Sysvar1nstructions1111111111111111111111111", false],
        [TOKEN, false],
        ["ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", false],
        [SOL, false],
      ];
      const keys = roles.map(([key, isWritable, isSigner = false]) => ({
        pubkey: new PublicKey(key),
        isWritable,
        isSigner,
      }));
      const selector = createHash("sha256").update("global:execute_transfer").digest().subarray(0, 8);
      const data = Buffer.concat([selector, withdrawal]);
      const transfer = new TransactionInstruction({ programId: new PublicKey(DEPOSITORY), keys, data });
      return send([memoOf(label), Ed25519Program.createInstructionWithPublicKey(signed), transfer]);
    };
    const statusOf = async (withdrawal: Buffer): Promise<number> => {
      const parties = { chainId: "solana", currency: SOL, withdrawer: user, withdrawerChainId: "solana" };
      const { message } = await attest(oracle(), "depository-withdrawals/v1", {
        chainId: "solana",
        withdrawal: `0x${withdrawal.toString("hex")}`,
        withdrawalAddressRequest: {
          ...parties,
          recipient: recipient.toBase58(),
          withdrawalNonce: `0x${"0".repeat(64)}`,
        },
      });
      return message.result.status;
    };
    const [withdrawal, expired] = [withdrawalOf(seconds + 3_600n), withdrawalOf(seconds - 10n)];
    expect([await statusOf(withdrawal), await statusOf(expired)]).to.deep.equal([0, 2]);
    const paid = await pay(withdrawal, "first");
    expect(await solOf(recipient.toBase58())).to.equal(3n * ROUNDED_SOL);
    expect(await statusOf(withdrawal)).to.equal(1);
    const { meta } = (await connection.getTransaction(paid, { maxSupportedTransactionVersion: 0 })) ?? {};
    // The precompile's signature costs as much as the transaction's.
    expect(meta?.fee).to.equal(10_000);
    for (const [again, reason] of [
      [withdrawal, "0x0"],
      [expired, `0x${(6_008).toString(16)}`],
    ] as const) {
      const error: unknown = await pay(again, "again").catch((caught: unknown) => caught);
      expect((error as Error).message).to.contain(`custom program error: ${reason}`);
    }
  });

  it("is in snapshots, so that a copy of the network continues from the same state", async () => {
    await fund(3n * ROUNDED_SOL);
    const quote = await getQuote(client(), fromSvm());
    const sent = await send(quotedInstructions(quote));
    await end(quote);
    await using copy = await network.fork();
    const other = new Connection(copy.svm?.rpcUrl ?? "", "confirmed");
    const transactions = await Promise.all(
      [connection, other].map((node) => node.getTransaction(sent, { maxSupportedTransactionVersion: 0 })),
    );
    expect(transactions[1]).to.deep.equal(transactions[0] ?? expect.fail("no transaction"));
    const balances = await Promise.all([connection, other].map((node) => node.getBalance(keypair.publicKey)));
    expect(balances[1]).to.equal(balances[0]);
    const { blockhash } = await other.getLatestBlockhash();
    const later = await sign([transferOf(SOLVER, 1n)], blockhash);
    await other.sendTransaction(later);
    expect(await other.getBalance(keypair.publicKey)).to.equal((balances[0] ?? 0) - 5_001);
    expect(await connection.getBalance(keypair.publicKey)).to.equal(balances[0]);
    const withoutSolana = localnet({ from: await network.snapshot(), svm: false });
    expect(await failureOf(withoutSolana)).to.have.property("code", "INVALID_STATE");
  });

  it("is listed with its URL", async () => {
    const { body } = await get(network, "/chains");
    const entry = (body as { chains: ChainEntry[] }).chains.find(({ id }) => id === SVM);
    expect(entry).to.include({ vmType: "svm", httpRpcUrl: rpcUrl, wsRpcUrl: network.svm?.websocketUrl });
    expect(entry?.solverAddresses).to.deep.equal([SOLVER]);
  });

  for (const [name, currency, amount] of [
    ["native currency", SOL, 1_000_000_000n],
    ["tokens", USDC, 50_000_000n],
  ] as const) {
    it(`takes a deposit of ${name} with the quoted instructions, fills it, and has it attested`, async () => {
      await fund(amount + 10_000_000n, currency);
      const quote = await getQuote(client(), fromSvm({ originCurrency: currency, amount: amount.toString() }));
      const vault = currency === SOL ? () => solOf(vaultOf(DEPOSITORY)) : () => usdcOf(vaultOf(DEPOSITORY));
      const [vaultBefore, dollars] = [await vault(), await dollarsOf(chain, network.accounts.user.address)];
      const data = quote.steps[0]?.items[0]?.data as SvmTransactionData | undefined;
      const bytes = (await sign(quotedInstructions(quote))).serialize().length;
      // The service limits this size.
      expect(svmTransactionBytes(data ?? expect.fail("no data"))).to.equal(bytes);
      const sent = await send(quotedInstructions(quote));
      const record = await end(quote);
      expect(record.status).to.equal("success");
      expect((await vault()) - vaultBefore).to.equal(amount);
      const received = (await dollarsOf(chain, network.accounts.user.address)) - dollars;
      expect(received).to.equal(BigInt(quote.details.currencyOut.amount));
      expect(record.data.inTxs.map(({ txHash, chainId }) => [txHash, chainId])).to.deep.equal([[sent, SVM]]);
      expect(record.protocol?.deposit?.origin).to.include({ depositor: user, transactionId: sent });
      const settlement = await settlementOf(quote, "solana", sent);
      const fill = { transactionId: record.data.outTxs[0]?.txHash ?? "" };
      const { message } = await attest(oracle(), "solver-fills/v1", { ...settlement, fill });
      expect(message.result).to.include({ orderId: orderOf(quote), status: 1 });
    });

    it(`fills in ${name} with the order's id in the memo`, async () => {
      const { publicKey } = Keypair.generate();
      const recipient = publicKey.toBase58();
      const balance = currency === SOL ? () => solOf(recipient) : () => usdcOf(recipient);
      const quote = await getQuote(client(), toSvm({ recipient, destinationCurrency: currency }));
      const wallet = userWallet(network, chain);
      const { status } = await executeSteps(client(), { quote, wallet, pollIntervalMs: 25 });
      expect(await balance()).to.equal(BigInt(quote.details.currencyOut.amount));
      const [fill = ""] = status.txHashes ?? [];
      const found = await connection.getParsedTransaction(fill, { maxSupportedTransactionVersion: 0 });
      expect(found?.transaction.message.accountKeys[0]?.pubkey.toBase58()).to.equal(SOLVER);
      const memos = found?.transaction.message.instructions.filter((made) => String(made.programId) === MEMO);
      expect(memos?.map((made) => "parsed" in made && (made.parsed as unknown))).to.deep.equal([orderOf(quote)]);
      const record = await end(quote);
      const settlement = await settlementOf(quote, `local-${chain.id}`, record.data.inTxs[0]?.txHash ?? "");
      const { execution } = await attest(oracle(), "solver-fills/v1", { ...settlement, fill: { transactionId: fill } });
      expect(execution?.actions).to.have.length(1);
    });
  }

  describe("as replay and the console show it", () => {
    interface ShownCall {
      readonly name: string | null;
      readonly calls: readonly ShownCall[];
      readonly arguments: readonly { readonly name: string; readonly value: string; readonly text: string }[];
    }

    interface Shown {
      readonly ok: boolean;
      readonly transactions: readonly {
        readonly role: string;
        readonly report: {
          readonly source: object;
          readonly failure: Readonly<Record<string, unknown>> | null;
          readonly instructions: readonly ShownCall[];
          readonly balances: readonly Readonly<Record<string, unknown>>[];
        };
      }[];
    }

    const replayOf = (what: string, ...options: readonly string[]) => {
      const service = ["--api-url", network.url, "--api-key", network.apiKey];
      // Another chain's node does not have the transactions.
      const nodes = ["--rpc-url", `${chain.id}=${chain.rpcUrl}`, "--rpc-url", `${SVM}=${rpcUrl}`];
      return runCrosscall(["replay", what, ...service, ...nodes, ...options]);
    };
    const jsonOf = async (what: string): Promise<Shown> => JSON.parse((await replayOf(what, "--json")).stdout) as Shown;
    const pageOf = async (path: string): Promise<{ readonly status: number; readonly html: string; text: string }> => {
      const response = await fetch(`${network.consoleUrl}${path}`);
      const html = await response.text();
      return { status: response.status, html, text: html.replaceAll(/<[^>]+>/gu, " ").replaceAll(/\s+/gu, " ") };
    };
    const transactionPath = (sent: string): string => `/chains/${SVM}/transactions/${sent}`;
    const namesOf = (calls: readonly ShownCall[]): unknown[] =>
      calls.map(({ name, calls: inner }) => (inner.length === 0 ? name : [name, namesOf(inner)]));

    it("shows a deposit: instructions, inner calls, balances, fee and logs", async () => {
      await fund(2n * ROUNDED_SOL);
      const quote = await getQuote(client(), fromSvm());
      const sent = await send(quotedInstructions(quote));
      await end(quote);
      const { stdout, exitCode } = await replayOf(sent);
      const lines = stdout.split("\n");
      expect([exitCode, lines[0]]).to.deep.equal([0, "The transaction works."]);
      expect(lines.map((line) => line.trim())).to.include.members([
        `transaction    ${sent}`,
        "fee            0.000005 SOL",
        "0.0 System transfer(lamports: 1 SOL)",
        "Program log: Instruction: DepositNative",
        "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2  Depository program",
      ]);
      expect(stdout).to.match(
        new RegExp(`0 Depository depositNative\\(amount: 1 SOL, id: ${orderOf(quote)}\\) \\[\\d+ units\\]`, "u"),
      );
      expect(stdout)
        .to.match(/^ {2}fee payer +SOL +[\d.]+ +[\d.]+ +-1\.000005$/mu)
        .and.match(/^ {2}vault +SOL .* \+1$/mu);
      const { status, text } = await pageOf(transactionPath(sent));
      expect(status).to.equal(200);
      expect(text)
        .to.include("✓ The transaction works.")
        .and.include(`Depository depositNative(amount: 1 SOL, id: ${orderOf(quote)})`)
        .and.include("0.0 System transfer(lamports: 1 SOL)")
        .and.match(/vault of the depository SOL [\d.]+ [\d.]+ \+1 /u)
        .and.include("Program log: Instruction: DepositNative")
        .and.include("fee 0.000005 SOL");
      const { html: request } = await pageOf(`/requests/${idOf(quote)}`);
      expect(request).to.include(`href="/console${transactionPath(sent)}"`);
      expect((await pageOf(transactionPath(sent))).html).to.include(`href="/console/requests/${idOf(quote)}"`);
      expect((await pageOf(`/chains/${SVM}`)).html).to.include(`href="/console${transactionPath(sent)}"`);
    });

    it("shows a fill in tokens, with the created account and the memo", async () => {
      const recipient = Keypair.generate().publicKey.toBase58();
      const quote = await getQuote(client(), toSvm({ recipient, destinationCurrency: USDC }));
      const wallet = userWallet(network, chain);
      const { status } = await executeSteps(client(), { quote, wallet, pollIntervalMs: 25 });
      const { ok, transactions } = await jsonOf(idOf(quote));
      const [{ role, report } = expect.fail("no fill"), ...others] = transactions;
      expect([ok, role, others, report.failure]).to.deep.equal([true, "fill", [], null]);
      expect(report.source).to.deep.include({ kind: "transaction", signature: status.txHashes?.[0] });
      const created = ["getAccountDataSize", "createAccount", "initializeImmutableOwner", "initializeAccount3"];
      expect(namesOf(report.instructions)).to.deep.equal([
        "setComputeUnitLimit",
        ["createIdempotent", created],
        "transferChecked",
        "memo",
      ]);
      const [memo] = report.instructions.at(-1)?.arguments ?? [];
      expect(memo).to.deep.equal({ name: "text", value: orderOf(quote), text: orderOf(quote) });
      const { amount } = quote.details.currencyOut;
      const account = associatedTokenAccount(recipient, USDC, TOKEN);
      const received = { account, owner: recipient, currency: USDC, before: "0", after: amount, isExact: true };
      expect(report.balances).to.deep.include(received);
      const { text } = await pageOf(`/requests/${idOf(quote)}/replay`);
      expect(text).to.include("✓ The fill works.").and.include("token account of recipient USDC 0 ");
    });

    it("shows why a deposit of tokens failed, by its signature and for its request", async () => {
      const owner = Keypair.generate();
      const payer = owner.publicKey.toBase58();
      await fund(ROUNDED_SOL, SOL, payer);
      await fund(1_500_000n, USDC, payer);
      const quote = await getQuote(client(), fromSvm({ user: payer, originCurrency: USDC, amount: "2000000" }));
      const transaction = await signWeb3(connection, owner, quotedInstructions(quote));
      const sent = await connection.sendTransaction(transaction, { skipPreflight: true });
      const cause = "The token account does not have enough tokens. It has 1.5 USDC, and needs 2 USDC.";
      const { ok, transactions } = await jsonOf(idOf(quote));
      const [{ role, report } = expect.fail("no deposit")] = transactions;
      expect([ok, role]).to.deep.equal([false, "deposit"]);
      const inner = report.instructions[0]?.calls.findIndex(({ name }) => name === "transferChecked");
      expect(report.failure).to.deep.include({
        error: { InstructionError: [0, { Custom: 1 }] },
        path: [0, inner],
        program: TOKEN,
        number: 1,
        name: "InsufficientFunds",
        reason: cause,
      });
      const { stdout, exitCode } = await replayOf(sent);
      const [headline = "", ...lines] = stdout.split("\n");
      expect([exitCode, headline]).to.deep.equal([
        1,
        `The transaction fails: InsufficientFunds (Token error 1) in instruction 0.${inner}.`,
      ]);
      expect(lines.slice(0, 3)).to.deep.equal([
        `  cause        ${cause}`,
        `  instruction  0.${inner} Token transferChecked(amount: 2 USDC, decimals: 6)`,
        "  to do        Fund the account, or use a smaller amount.",
      ]);
      expect(stdout).to.match(/FAILS: custom program error: 0x1 {2}<-- the cause$/mu);
      const request = await pageOf(`/requests/${idOf(quote)}`);
      expect(request.text).to.include("A deposit failed on its chain").and.include(cause);
      expect(request.html).to.include(`href="/console${transactionPath(sent)}"`);
      expect(request.text).to.include(`--rpc-url ${chain.rpcUrl} --rpc-url ${SVM}=${rpcUrl}`);
      const { html, text } = await pageOf(transactionPath(sent));
      expect(text).to.include("✗ The transaction fails: InsufficientFunds (Token error 1)").and.include(cause);
      expect(html).to.include('class="cause"').and.include("the cause");
    });

    it("shows why transfers and the depository fail", async () => {
      await fund(10n * ROUNDED_SOL);
      const poor = await send([memoOf("before"), transferOf(SOLVER, 10n ** 15n)], true);
      const [transfer] = (await jsonOf(poor)).transactions;
      expect(transfer?.report.failure).to.deep.include({ path: [1], program: SOL, number: 1 });
      expect(transfer?.report.failure?.name).to.equal("ResultWithNegativeLamports");
      expect(transfer?.report.failure?.reason).to.match(/It has [\d.]+ SOL, and needs 1000000 SOL\.$/u);
      const quote = await getQuote(client(), fromSvm());
      const [deposit = expect.fail("no deposit")] = quotedInstructions(quote);
      const [state, sender, depositor, , system] = deposit.keys;
      const other = { pubkey: keypair.publicKey, isSigner: false, isWritable: true };
      const keys = [state, sender, depositor, other, system].flatMap((each) => each ?? []);
      const { programId, data } = deposit;
      const sent = await send([new TransactionInstruction({ programId, keys, data })], true);
      const { stdout } = await replayOf(sent);
      expect(stdout.split("\n").slice(0, 2)).to.deep.equal([
        "The transaction fails: ConstraintSeeds (Depository error 2006) in instruction 0.",
        "  cause        Account vault: The address does not follow from the program's seeds.",
      ]);
      const { text } = await pageOf(`/chains/${SVM}`);
      expect(text).to.include(`${sent.slice(0, 8)}…${sent.slice(-6)} failure`);
    });

    it("shows why the chain rejects a fill, which is not on the chain", async () => {
      const recipient = Keypair.generate().publicKey.toBase58();
      const quote = await getQuote(client(), toSvm({ recipient, tradeType: "EXACT_OUTPUT", amount: "890879" }));
      await failureOf(executeSteps(client(), { quote, wallet: userWallet(network, chain), pollIntervalMs: 25 }));
      await end(quote);
      const cause =
        `Account ${recipient} receives 0.000890879 SOL, less than its rent requires. ` +
        "An account without data must have 0.00089088 SOL.";
      const { stdout, exitCode } = await replayOf(idOf(quote));
      expect([exitCode, ...stdout.split("\n").slice(0, 3)]).to.deep.equal([
        1,
        "The simulated fill fails: InsufficientFundsForRent.",
        `  cause  ${cause}`,
        "  to do  Send enough for a new account's rent, or use an existing account.",
      ]);
      const { html } = await pageOf(`/requests/${idOf(quote)}`);
      // The page of a failed request starts the replay.
      expect(html).to.include(`hx-get="/console/requests/${idOf(quote)}/replay?part=1" hx-trigger="load, click"`);
      const { text } = await pageOf(`/requests/${idOf(quote)}/replay`);
      expect(text).to.include("✗ The simulated fill fails: InsufficientFundsForRent.").and.include(cause);
    });

    it("shows the deposit of a request whose fill has no calls", async () => {
      await fund(2n * ROUNDED_SOL);
      const quote = await getQuote(client(), fromSvm());
      const sent = await send(quotedInstructions(quote));
      await end(quote);
      const { ok, transactions } = await jsonOf(idOf(quote));
      const shown = transactions.map(({ role, report }) => [role, report.source]);
      expect([ok, shown.length, shown[0]?.[0]]).to.deep.equal([true, 1, "deposit"]);
      expect(shown[0]?.[1]).to.deep.include({ signature: sent });
    });

    it("rejects unknown transactions, and options that require a fork", async () => {
      const unknown = base58.encode(new Uint8Array(64).fill(7));
      const { stdout, exitCode } = await replayOf(unknown, "--json");
      const { error } = JSON.parse(stdout) as { error: { cause: object } };
      expect(exitCode).to.equal(1);
      expect(error.cause).to.deep.include({ code: "INVALID_INPUT", field: "signature" });
      expect((await replayOf(unknown, "--envelope")).stderr).to.include("--envelope");
      expect((await pageOf(transactionPath(unknown))).status).to.equal(404);
      expect((await pageOf(`/chains/${chain.id}/transactions/${unknown}`)).status).to.equal(404);
    });
  });
});
