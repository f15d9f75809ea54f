import { spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { gunzipSync } from "node:zlib";

import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
  lamports,
  pipe,
  type ReadonlyUint8Array,
  setTransactionMessageFeePayer,
  type SignaturesMap,
} from "@solana/kit";
import { expect } from "chai";
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from "litesvm";

import {
  ASSERTIONS_GZIP,
  ASSERTIONS_SHA256,
  DEPOSITORY_GZIP,
  DEPOSITORY_SHA256,
} from "../../../../../packages/crosscall/src/localnet/ledgers/solana/programs.generated.ts";
import { buildProgram, COMPILER } from "../../../../../tools/svm/build.ts";

const PROGRAM: Address = address("99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2");
const DEPLOYER: Address = address("7LZXYdDQcRTsXnL9EU2zGkninV3yJsqX43m4RMPbs68u");
const SYSTEM: Address = address("11111111111111111111111111111111");
const TOKEN: Address = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
const TOKEN_2022: Address = address("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
const ASSOCIATED: Address = address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
const ED25519: Address = address("Ed25519SigVerify111111111111111111111111111");
const INSTRUCTIONS: Address = address("Sysvar1nstructions1111111111111111111111111");
const USDC: Address = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
const FEE_MINT: Address = address("2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo");

const ID = new Uint8Array(32).fill(7);
const MAX = 2n ** 64n - 1n;
const NOW = 1_900_000_000n;

/** Numbers of the program's errors. */
const ERROR = {
  alreadyInUse: 0,
  lamports: 1,
  invalidSignature: 2,
  noInstruction: 101,
  badArguments: 102,
  mut: 2000,
  seeds: 2006,
  associated: 2009,
  tokenOwner: 2015,
  notEnoughKeys: 3005,
  ownedByWrongProgram: 3007,
  invalidProgram: 3008,
  notSigner: 3010,
  notInitialized: 3012,
  mint: 6001,
  unauthorized: 6003,
  allocator: 6004,
  message: 6005,
  malformed: 6006,
  missingSignature: 6007,
  expired: 6008,
  recipient: 6009,
  vaultTokenAccount: 6010,
  vaultBalance: 6011,
  domain: 6012,
  vault: 6014,
} as const;

const digest = (...parts: readonly (ReadonlyUint8Array | string)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(Uint8Array.from(typeof part === "string" ? Buffer.from(part) : part));
  return hash.digest();
};
const selector = (name: string): Buffer => digest(name).subarray(0, 8);
const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const bytesOf = (key: Address): Uint8Array => Uint8Array.from(getAddressEncoder().encode(key));
const keyAt = (data: ReadonlyUint8Array, offset: number): Address => getAddressDecoder().decode(data, offset);
const pda = async (program: Address, ...seeds: readonly (Uint8Array | string)[]): Promise<Address> =>
  (await getProgramDerivedAddress({ programAddress: program, seeds: [...seeds] }))[0];
const tokenAccountOf = (owner: Address, mint = USDC, program = TOKEN): Promise<Address> =>
  pda(ASSOCIATED, bytesOf(owner), bytesOf(program), bytesOf(mint));

interface Wallet {
  readonly privateKey: KeyObject;
  readonly key: Address;
}

function createWallet(): Wallet {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  // The last 32 bytes of this form are the key.
  return { privateKey, key: keyAt(publicKey.export({ format: "der", type: "spki" }), 12) };
}

type Change<Fields> = Partial<Fields>;

interface Request {
  readonly domain: Uint8Array;
  readonly recipient: Address;
  readonly token: Address | undefined;
  readonly amount: bigint;
  readonly nonce: bigint;
  readonly expiration: bigint;
  readonly vault: Address;
}

function encodeRequest({ domain, recipient, token, amount, nonce, expiration, vault }: Request): Buffer {
  const mint = token === undefined ? [Buffer.from([0])] : [Buffer.from([1]), bytesOf(token)];
  return Buffer.concat([domain, bytesOf(recipient), ...mint, ...[amount, nonce, expiration].map(u64), bytesOf(vault)]);
}

describe("the depository program of the Solana chain", () => {
  let svm: LiteSVM;
  let user: Wallet;
  let allocator: Wallet;
  let state: Address;
  let vault: Address;
  let nonce = 0n;

  const domain = digest("RelayDepository", "1", "solana-mainnet", bytesOf(PROGRAM));

  before(async () => {
    svm = new LiteSVM();
    svm.addProgram(PROGRAM, gunzipSync(Buffer.from(DEPOSITORY_GZIP, "base64")));
    [user, allocator] = [createWallet(), createWallet()];
    [state, vault] = [await pda(PROGRAM, "relay_depository"), await pda(PROGRAM, "vault")];
    for (const key of [user.key, DEPLOYER]) svm.airdrop(key, lamports(1_000_000_000_000n));
    const clock = svm.getClock();
    clock.unixTimestamp = NOW;
    svm.setClock(clock);
    setMint(USDC, TOKEN, 6);
    await setBalance(user.key, USDC, 1_000_000n);
    // The deployer's key is not public.
    svm.withSigverify(false);
    try {
      expectSuccess(sendFrom(DEPLOYER, [], [initialize("solana-mainnet", DEPLOYER)]));
    } finally {
      svm.withSigverify(true);
    }
  });

  function setMint(mint: Address, program: Address, decimals: number, extensions: Uint8Array = new Uint8Array()): void {
    const base = Buffer.alloc(82);
    [base[44], base[45]] = [decimals, 1];
    const padding = extensions.length === 0 ? [] : [Buffer.alloc(83), Buffer.from([1]), extensions];
    setData(mint, program, Buffer.concat([base, ...padding]));
  }

  function setData(key: Address, program: Address, data: Uint8Array): void {
    const account = { address: key, data, executable: false, lamports: lamports(10_000_000_000n) };
    svm.setAccount({ ...account, programAddress: program, space: BigInt(data.length) });
  }

  async function setBalance(owner: Address, mint: Address, amount: bigint, program = TOKEN): Promise<Address> {
    const key = await tokenAccountOf(owner, mint, program);
    const base = Buffer.concat([
      bytesOf(mint),
      bytesOf(owner),
      u64(amount),
      Buffer.alloc(36),
      Buffer.from([1]),
      Buffer.alloc(56),
    ]);
    // A fee in Token-2022 needs an account with room for it.
    const extension = Buffer.concat([Buffer.from([2, 2, 0, 8, 0]), Buffer.alloc(8)]);
    setData(key, program, program === TOKEN ? base : Buffer.concat([base, extension]));
    return key;
  }

  function sendFrom(payer: Address, signers: readonly Wallet[], instructions: readonly Instruction[]) {
    svm.expireBlockhash();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (created) => setTransactionMessageFeePayer(payer, created),
      (paid) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(paid),
      (timed) => appendTransactionMessageInstructions(instructions, timed),
    );
    const compiled = compileTransaction(message);
    const bytes = Uint8Array.from(compiled.messageBytes);
    const made = signers.map(({ key, privateKey }) => [key, sign(undefined, bytes, privateKey) as Uint8Array]);
    return svm.sendTransaction({
      ...compiled,
      signatures: { ...compiled.signatures, ...(Object.fromEntries(made) as SignaturesMap) },
    });
  }

  const send = (...instructions: readonly Instruction[]) => sendFrom(user.key, [user], instructions);

  function expectSuccess(result: FailedTransactionMetadata | TransactionMetadata): TransactionMetadata {
    if (!(result instanceof FailedTransactionMetadata)) return result;
    return expect.fail(`${result.toString()}\n${result.meta().logs().join("\n")}`);
  }

  /** Returns the number of the error; `text` for an error of the runtime. */
  function errorOf(result: FailedTransactionMetadata | TransactionMetadata): number | string {
    if (!(result instanceof FailedTransactionMetadata)) return "success";
    const error = result.err();
    if (typeof error !== "object" || !("err" in error)) return String(error);
    const inner = error.err();
    return typeof inner === "object" && "code" in inner ? inner.code : `runtime ${String(inner)}`;
  }

  function eventsOf(result: TransactionMetadata): Buffer[] {
    return result
      .logs()
      .filter((line) => line.startsWith("Program data: "))
      .map((line) => Buffer.from(line.slice("Program data: ".length), "base64"));
  }

  const lamportsOf = (key: Address): bigint => svm.getBalance(key) ?? 0n;
  const tokensOf = (key: Address): bigint => {
    const account = svm.getAccount(key);
    return account.exists ? Buffer.from(account.data).readBigUInt64LE(64) : 0n;
  };

  const { READONLY, READONLY_SIGNER, WRITABLE, WRITABLE_SIGNER } = AccountRole;
  type Slot = readonly [key: Address, role: AccountRole];
  const instruction = (name: string, slots: readonly Slot[], ...data: readonly Uint8Array[]): Instruction => ({
    programAddress: PROGRAM,
    accounts: slots.map(([key, role]) => ({ address: key, role })),
    data: Buffer.concat([selector(`global:${name}`), ...data]),
  });
  /** Replaces accounts by position. */
  const withSlots = (made: Instruction, changes: Readonly<Record<number, Slot>>): Instruction => ({
    ...made,
    accounts: (made.accounts ?? []).map((meta, index) => {
      const [key, role] = changes[index] ?? [meta.address, meta.role];
      return { address: key, role };
    }),
  });

  function initialize(chain: string, owner: Address): Instruction {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(chain.length);
    const slots: Slot[] = [
      [state, WRITABLE],
      [vault, WRITABLE],
      [owner, WRITABLE_SIGNER],
      [allocator.key, READONLY],
      [SYSTEM, READONLY],
    ];
    return instruction("initialize", slots, length, Buffer.from(chain));
  }

  function depositNative(amount: bigint, depositor = user.key): Instruction {
    const slots: Slot[] = [
      [state, READONLY],
      [user.key, WRITABLE_SIGNER],
      [depositor, READONLY],
      [vault, WRITABLE],
      [SYSTEM, READONLY],
    ];
    return instruction("deposit_native", slots, u64(amount), ID);
  }

  async function depositToken(amount: bigint, mint = USDC, program = TOKEN): Promise<Instruction> {
    const slots: Slot[] = [
      [state, READONLY],
      [user.key, WRITABLE_SIGNER],
      [user.key, READONLY],
      [vault, READONLY],
      [mint, READONLY],
      [await tokenAccountOf(user.key, mint, program), WRITABLE],
      [await tokenAccountOf(vault, mint, program), WRITABLE],
      [program, READONLY],
      [ASSOCIATED, READONLY],
      [SYSTEM, READONLY],
    ];
    return instruction("deposit_token", slots, u64(amount), ID);
  }

  function requestOf(change: Change<Request> = {}): Request {
    nonce += 1n;
    const base = { domain, token: undefined, amount: 1_000n, nonce, expiration: NOW + 100n, vault };
    return { ...base, recipient: user.key, ...change };
  }

  async function transfer(request: Request): Promise<Instruction> {
    const encoded = encodeRequest(request);
    const { token, recipient } = request;
    const tokens = async (): Promise<Slot[]> =>
      token === undefined
        ? [PROGRAM, PROGRAM, PROGRAM].map((key): Slot => [key, READONLY])
        : [
            [token, READONLY],
            [await tokenAccountOf(recipient, token), WRITABLE],
            [await tokenAccountOf(vault, token), WRITABLE],
          ];
    const slots: Slot[] = [
      [state, READONLY],
      [user.key, WRITABLE_SIGNER],
      [recipient, WRITABLE],
      [vault, WRITABLE],
      ...(await tokens()),
      [await pda(PROGRAM, "used_request", digest(encoded)), WRITABLE],
      [INSTRUCTIONS, READONLY],
      [TOKEN, READONLY],
      [ASSOCIATED, READONLY],
      [SYSTEM, READONLY],
    ];
    return instruction("execute_transfer", slots, encoded);
  }

  /** Verifies a signature of the request's hash with the precompile. */
  function signature(request: Request, signer = allocator, message = digest(encodeRequest(request))): Instruction {
    const signed = sign(undefined, message, signer.privateKey);
    const header = Buffer.from([1, 0, 48, 0, 255, 255, 16, 0, 255, 255, 112, 0, message.length, 0, 255, 255]);
    return { programAddress: ED25519, data: Buffer.concat([header, bytesOf(signer.key), signed, message]) };
  }

  const execute = async (request: Request) => send(signature(request), await transfer(request));

  type Result = FailedTransactionMetadata | TransactionMetadata;
  type Case = readonly [name: string, send: () => Promise<Result> | Result, error: number | string];

  async function expectErrors(cases: readonly Case[]): Promise<void> {
    for (const [name, run, error] of cases) expect([name, errorOf(await run())]).to.deep.equal([name, error]);
  }

  it("has the checked-in bytes, as the program of assertions has", function () {
    const programs = [
      ["depository", DEPOSITORY_GZIP, DEPOSITORY_SHA256],
      ["assertions", ASSERTIONS_GZIP, ASSERTIONS_SHA256],
    ] as const;
    const hashOf = (program: Uint8Array): string => createHash("sha256").update(program).digest("hex");
    for (const [, compressed, hash] of programs) {
      expect(hashOf(gunzipSync(Buffer.from(compressed, "base64")))).to.equal(hash);
    }
    if (spawnSync(COMPILER, ["--version"]).status !== 0) this.skip();
    for (const [name, , hash] of programs) expect(hashOf(buildProgram(name))).to.equal(hash);
  });

  it("is initialized once, by the deployer only", async () => {
    const account = svm.getAccount(state);
    const data = account.exists ? account.data : expect.fail("no state");
    const fields = Buffer.concat([selector("account:RelayDepository"), bytesOf(DEPLOYER), bytesOf(allocator.key)]);
    const [, bump] = await getProgramDerivedAddress({ programAddress: PROGRAM, seeds: ["vault"] });
    expect(Buffer.from(data)).to.deep.equal(Buffer.concat([fields, Buffer.from([bump, 1]), domain]));
    await expectErrors([["stranger", () => send(initialize("solana-mainnet", user.key)), ERROR.unauthorized]]);
    svm.withSigverify(false);
    try {
      const again = () => sendFrom(DEPLOYER, [], [initialize("solana-mainnet", DEPLOYER)]);
      await expectErrors([["again", again, ERROR.alreadyInUse]]);
    } finally {
      svm.withSigverify(true);
    }
  });

  it("changes allocator and owner for the owner only", async () => {
    const change = (name: string, key: Address, owner: Slot): Instruction =>
      instruction(name, [[state, WRITABLE], owner], bytesOf(key));
    await expectErrors([
      ["stranger", () => send(change("set_allocator", user.key, [user.key, READONLY_SIGNER])), ERROR.unauthorized],
      ["unsigned", () => send(change("set_owner", user.key, [DEPLOYER, READONLY])), ERROR.notSigner],
    ]);
    svm.withSigverify(false);
    try {
      const owner = createWallet();
      const signed: Slot = [DEPLOYER, READONLY_SIGNER];
      const changes = [change("set_allocator", owner.key, signed), change("set_owner", owner.key, signed)];
      expectSuccess(sendFrom(DEPLOYER, [], changes));
      const account = svm.getAccount(state);
      const data = account.exists ? Uint8Array.from(account.data) : expect.fail("no state");
      expect([keyAt(data, 8), keyAt(data, 40)]).to.deep.equal([owner.key, owner.key]);
      const back: Slot = [owner.key, READONLY_SIGNER];
      const restored = [change("set_allocator", allocator.key, back), change("set_owner", DEPLOYER, back)];
      expectSuccess(sendFrom(DEPLOYER, [], restored));
    } finally {
      svm.withSigverify(true);
    }
  });

  it("takes native currency into the vault, and emits the deposit for the named depositor", () => {
    const before = lamportsOf(vault);
    const { key: other } = createWallet();
    const [event] = eventsOf(expectSuccess(send(depositNative(2_000_000_000n, other))));
    expect(lamportsOf(vault) - before).to.equal(2_000_000_000n);
    const parts = [selector("event:DepositEvent"), bytesOf(other), Buffer.from([0]), u64(2_000_000_000n), ID];
    expect(event).to.deep.equal(Buffer.concat(parts));
  });

  it("rejects deposits of native currency with wrong accounts or too much", async () => {
    const { key: other } = createWallet();
    const deposit = depositNative(1_000n);
    const short = { ...deposit, data: (deposit.data ?? new Uint8Array()).slice(0, 47) };
    await expectErrors([
      ["vault", () => send(withSlots(deposit, { 3: [other, WRITABLE] })), ERROR.seeds],
      ["state", () => send(withSlots(deposit, { 0: [other, READONLY] })), ERROR.notInitialized],
      ["state of another program", () => send(withSlots(deposit, { 0: [USDC, READONLY] })), ERROR.ownedByWrongProgram],
      ["unsigned", () => send(withSlots(deposit, { 1: [other, WRITABLE] })), ERROR.notSigner],
      ["read-only vault", () => send(withSlots(deposit, { 3: [vault, READONLY] })), ERROR.mut],
      ["system program", () => send(withSlots(deposit, { 4: [TOKEN, READONLY] })), ERROR.invalidProgram],
      ["accounts", () => send({ ...deposit, accounts: (deposit.accounts ?? []).slice(0, 4) }), ERROR.notEnoughKeys],
      ["arguments", () => send(short), ERROR.badArguments],
      ["instruction", () => send(instruction("withdraw", [[state, READONLY]])), ERROR.noInstruction],
      ["more than the balance", () => send(depositNative(MAX)), ERROR.lamports],
    ]);
  });

  it("takes tokens into the vault's account, which the first deposit creates", async () => {
    const target = await tokenAccountOf(vault);
    expect(svm.getAccount(target).exists).to.equal(false);
    const [event] = eventsOf(expectSuccess(send(await depositToken(400n))));
    expectSuccess(send(await depositToken(200n)));
    expect(tokensOf(target)).to.equal(600n);
    const parts = [selector("event:DepositEvent"), bytesOf(user.key), Buffer.from([1]), bytesOf(USDC), u64(400n), ID];
    expect(event).to.deep.equal(Buffer.concat(parts));
  });

  it("emits what a Token-2022 mint with a fee delivers", async () => {
    // One percent, rounded up, at most 40, since epoch 0.
    const rate = Buffer.concat([u64(0n), u64(40n), Buffer.from([100, 0])]);
    const config = Buffer.concat([Buffer.from([1, 0, 108, 0]), Buffer.alloc(72), rate, rate]);
    setMint(FEE_MINT, TOKEN_2022, 6, config);
    await setBalance(user.key, FEE_MINT, 1_000_000n, TOKEN_2022);
    const target = await tokenAccountOf(vault, FEE_MINT, TOKEN_2022);
    for (const [amount, delivered] of [
      [101n, 99n],
      [100_000n, 99_960n],
      [0n, 0n],
    ] as const) {
      const before = tokensOf(target);
      const [event] = eventsOf(expectSuccess(send(await depositToken(amount, FEE_MINT, TOKEN_2022))));
      expect(tokensOf(target) - before).to.equal(delivered);
      expect(event?.readBigUInt64LE(8 + 32 + 33)).to.equal(delivered);
    }
  });

  it("rejects deposits of tokens with a wrong mint, accounts or amount", async () => {
    const { key: other } = createWallet();
    const deposit = await depositToken(1n);
    const others = await setBalance(other, USDC, 5n);
    const unknown = address("7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs");
    setMint(unknown, TOKEN, 6);
    await expectErrors([
      ["mint of another account", () => send(withSlots(deposit, { 4: [unknown, READONLY] })), ERROR.associated],
      ["no mint", () => send(withSlots(deposit, { 4: [other, READONLY] })), ERROR.notInitialized],
      ["account of another owner", () => send(withSlots(deposit, { 5: [others, WRITABLE] })), ERROR.tokenOwner],
      ["other vault account", () => send(withSlots(deposit, { 6: [others, WRITABLE] })), ERROR.vaultTokenAccount],
      ["other vault", () => send(withSlots(deposit, { 3: [other, READONLY] })), ERROR.seeds],
      ["token program", () => send(withSlots(deposit, { 7: [SYSTEM, READONLY] })), ERROR.invalidProgram],
      [
        "token program of another mint",
        () => send(withSlots(deposit, { 7: [TOKEN_2022, READONLY] })),
        ERROR.associated,
      ],
      ["more than the balance", async () => send(await depositToken(MAX)), ERROR.lamports],
    ]);
  });

  it("pays native currency for the allocator's signature, and emits the transfer", async () => {
    const { key: recipient } = createWallet();
    const request = requestOf({ recipient, amount: 1_000_000_000n });
    const [event] = eventsOf(expectSuccess(await execute(request)));
    expect(lamportsOf(recipient)).to.equal(1_000_000_000n);
    const encoded = encodeRequest(request);
    const used = await pda(PROGRAM, "used_request", digest(encoded));
    const name = selector("event:TransferExecutedEvent");
    expect(event).to.deep.equal(Buffer.concat([name, encoded, bytesOf(user.key), bytesOf(used)]));
    const account = svm.getAccount(used);
    const data = account.exists ? Buffer.from(account.data) : expect.fail("no record");
    expect(data).to.deep.equal(Buffer.concat([selector("account:UsedRequest"), Buffer.from([1])]));
  });

  it("pays tokens for the allocator's signature", async () => {
    const { key: recipient } = createWallet();
    const account = await setBalance(recipient, USDC, 5n);
    const result = await execute(requestOf({ recipient, token: USDC, amount: 90n }));
    expect(eventsOf(expectSuccess(result))).to.have.length(1);
    expect(tokensOf(account)).to.equal(95n);
  });

  it("pays a request once, even if someone sent lamports to its record earlier", async () => {
    const request = requestOf();
    const used = await pda(PROGRAM, "used_request", digest(encodeRequest(request)));
    svm.airdrop(used, lamports(1_000_000n));
    expectSuccess(await execute(request));
    await expectErrors([["again", () => execute(request), ERROR.alreadyInUse]]);
    const rich = requestOf();
    svm.airdrop(await pda(PROGRAM, "used_request", digest(encodeRequest(rich))), lamports(9_000_000_000n));
    expectSuccess(await execute(rich));
  });

  it("rejects transfers that the allocator did not sign", async () => {
    const request = requestOf();
    const made = await transfer(request);
    const good = signature(request);
    const patched = (at: number, value: number): Instruction => {
      const data = Uint8Array.from(good.data ?? []);
      data[at] = value;
      return { ...good, data };
    };
    const long = Buffer.concat([Uint8Array.from(good.data ?? []), Buffer.alloc(1)]);
    const [stranger, other] = [signature(request, user), signature(requestOf())];
    const part = signature(request, allocator, digest(encodeRequest(request)).subarray(0, 31));
    await expectErrors([
      ["another signer", () => send(stranger, made), ERROR.allocator],
      ["another request", () => send(other, made), ERROR.message],
      ["a part of the hash", () => send(part, made), ERROR.malformed],
      ["no signature", () => send(made), ERROR.malformed],
      ["not directly before", () => send(good, depositNative(1n), made), ERROR.missingSignature],
      ["a signature after", () => send(made, good), ERROR.malformed],
      ["a longer instruction", () => send({ ...good, data: long }, made), ERROR.malformed],
    ]);
    // The precompile itself rejects a signature of other bytes.
    expect(errorOf(send(patched(60, 1), made))).to.equal(ERROR.invalidSignature);
  });

  it("rejects expired transfers, and transfers for another deployment, vault or recipient", async () => {
    const { key: other } = createWallet();
    const request = requestOf();
    const to = (slots: Readonly<Record<number, Slot>>, of = request) =>
      transfer(of).then((made) => send(signature(of), withSlots(made, slots)));
    const tokenRequest = requestOf({ token: USDC, amount: 1n });
    const others = await setBalance(other, USDC, 5n);
    await expectErrors([
      ["expires now", () => execute(requestOf({ expiration: NOW })), ERROR.expired],
      ["another domain", () => execute(requestOf({ domain: digest("another") })), ERROR.domain],
      ["another vault", () => execute(requestOf({ vault: other })), ERROR.vault],
      ["another recipient", () => to({ 2: [other, WRITABLE] }), ERROR.recipient],
      ["another record", () => to({ 7: [other, WRITABLE] }), ERROR.seeds],
      ["a false sysvar", () => to({ 8: [other, READONLY] }), "runtime 46"],
      [
        "a native transfer of a token request",
        () => to({ 4: [PROGRAM, READONLY], 5: [PROGRAM, READONLY], 6: [PROGRAM, READONLY] }, tokenRequest),
        ERROR.mint,
      ],
      ["an account of another owner", () => to({ 5: [others, WRITABLE] }, tokenRequest), ERROR.tokenOwner],
      ["a vault account of another owner", () => to({ 6: [others, WRITABLE] }, tokenRequest), ERROR.tokenOwner],
      [
        "a closed account",
        () => execute(requestOf({ token: USDC, amount: 1n, recipient: allocator.key })),
        ERROR.notInitialized,
      ],
    ]);
  });

  it("keeps the rent of the vault, and rejects amounts above its balance", async () => {
    const left = lamportsOf(vault) - svm.minimumBalanceForRentExemption(0n);
    await expectErrors([
      ["all", () => execute(requestOf({ amount: lamportsOf(vault) })), ERROR.vaultBalance],
      ["the largest number", () => execute(requestOf({ amount: MAX })), ERROR.vaultBalance],
      ["too many tokens", () => execute(requestOf({ amount: MAX, token: USDC })), ERROR.lamports],
    ]);
    expectSuccess(await execute(requestOf({ amount: left })));
  });
});
