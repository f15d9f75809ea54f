import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";

import { expect } from "chai";
import * as litesvm from "litesvm";

import { readTokenAccount } from "../../../../../packages/crosscall/src/localnet/ledgers/solana/accounts.ts";
import {
  EXCHANGE_GZIP,
  EXCHANGE_SHA256,
} from "../../../../../packages/crosscall/src/localnet/ledgers/solana/programs.generated.ts";
import { createGenesis } from "../../../../../packages/crosscall/src/localnet/ledgers/solana/genesis.ts";
import { localKey, signTransaction } from "../../../../../packages/crosscall/src/localnet/ledgers/solana/keys.ts";
import {
  findRoutes,
  type Hop,
  inputOf,
  outputOf,
  type Pool,
  POOL_AUTHORITY,
  routeInstruction,
  type RouteParameters,
} from "../../../../../packages/crosscall/src/localnet/ledgers/solana/pools.ts";
import { SolanaChain } from "../../../../../packages/crosscall/src/localnet/ledgers/solana/solanaChain.ts";
import {
  type AccountUse,
  decodeTransaction,
  type Instruction,
  keyBytes,
} from "../../../../../packages/crosscall/src/localnet/ledgers/solana/wire.ts";
import {
  findSimulatedChain,
  SVM_EXCHANGE,
  SVM_MINOR_TOKEN,
  SVM_TETHER,
} from "../../../../../packages/crosscall/src/localnet/market/simulatedChains.ts";
import { SVM_CHAIN_ID } from "../../../../../packages/protocol/src/chains/chainIds.ts";
import { systemClock } from "../../../../../packages/protocol/src/core/index.ts";
import { associatedTokenAccount } from "../../../../../packages/protocol/src/vms/solanaPrograms.ts";
import { buildProgram, COMPILER } from "../../../../../tools/svm/build.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const SYSTEM = "11111111111111111111111111111111";
const MAX = 2n ** 64n - 1n;
const HELD = 10n ** 12n;

/** Numbers of the program's errors, and of those of the token program that it returns. */
const ERROR = {
  insufficient: 1,
  mint: 3,
  owner: 4,
  noInstruction: 101,
  badArguments: 102,
  seeds: 2006,
  ownedByWrongProgram: 3007,
  wrongProgram: 3008,
  notSigner: 3010,
  emptyRoute: 6000,
  minimum: 6001,
  calculation: 6002,
  tooFewAccounts: 6008,
  route: 6010,
} as const;

describe("the exchange program of the Solana chain", () => {
  const user = localKey("a user of the exchange");
  const held = (token: string): string => associatedTokenAccount(user.address, token, TOKEN);
  let chain: SolanaChain;

  before(() => {
    chain = new SolanaChain(litesvm, systemClock);
    createGenesis(chain, findSimulatedChain(SVM_CHAIN_ID) ?? expect.fail("no chain"));
    const wallet = { lamports: 10n ** 12n, data: new Uint8Array(), owner: SYSTEM, executable: false };
    chain.setAccount(user.address, wallet);
    for (const [token, amount] of [
      [USDC, 0n],
      [SVM_TETHER, HELD],
      [SVM_MINOR_TOKEN, HELD],
    ] as const) {
      setTokens(held(token), token, amount);
    }
  });

  function setTokens(address: string, token: string, amount: bigint, owner = user.address): void {
    const data = Buffer.alloc(165);
    keyBytes(token).copy(data);
    keyBytes(owner).copy(data, 32);
    data.writeBigUInt64LE(amount, 64);
    data[108] = 1;
    chain.setAccount(address, { lamports: 10n ** 9n, data, owner: TOKEN, executable: false });
  }

  const balanceOf = (address: string): bigint => readTokenAccount(chain.account(address))?.amount ?? 0n;
  const reservesOf = ({ vaults: [first, second] }: Pool) => [balanceOf(first), balanceOf(second)] as const;

  function routeOf(token: string, length: number, source = "local-pools"): Hop[] {
    const routes = findRoutes(token, USDC).filter(([first]) => first?.pool.source === source);
    return routes.find((route) => route.length === length) ?? expect.fail(`no route of ${length} pools`);
  }

  const swap = (change: Partial<RouteParameters> = {}): Instruction =>
    routeInstruction({
      user: user.address,
      target: held(USDC),
      route: routeOf(SVM_TETHER, 1),
      amountIn: 1_000_000n,
      minimumOut: 0n,
      ...change,
    });

  function run(instruction: Instruction) {
    const { blockhash } = chain.slots.latestBlockhash();
    const transaction = decodeTransaction(signTransaction(user, [instruction], blockhash));
    if (transaction === undefined) return expect.fail("no transaction");
    return chain.simulate(transaction, { verifiesSignatures: true, replacesBlockhash: false });
  }

  /** Returns the number of the program's error. */
  function errorOf(instruction: Instruction): unknown {
    const { error } = run(instruction);
    const [, reason] = (error as { InstructionError?: [number, unknown] } | undefined)?.InstructionError ?? [];
    return (reason as { Custom?: number } | undefined)?.Custom ?? error ?? reason;
  }

  const withKey = (instruction: Instruction, index: number, change: Partial<AccountUse>): Instruction => ({
    ...instruction,
    keys: instruction.keys.map((key, at) => (at === index ? { ...key, ...change } : key)),
  });

  it("is what the source compiles to", function () {
    const program = gunzipSync(Buffer.from(EXCHANGE_GZIP, "base64"));
    expect(createHash("sha256").update(program).digest("hex")).to.equal(EXCHANGE_SHA256);
    if (spawnSync(COMPILER, ["--version"]).status !== 0) this.skip();
    expect(buildProgram("exchange").equals(program)).to.equal(true);
  });

  it("pays the output that the pools' constant product allows, for routes of each length and direction", () => {
    for (const [token, length, source] of [
      ...[1, 2, 3, 4, 5, 6].map((hops) => [SVM_TETHER, hops, "local-pools"] as const),
      [SVM_MINOR_TOKEN, 1, "jupiter"],
    ] as const) {
      const route = routeOf(token, length, source);
      for (const amountIn of [1n, 999n, 123_456_789n, HELD]) {
        const { error, accounts } = run(swap({ route, amountIn }));
        const paid = readTokenAccount(accounts.get(held(USDC)))?.amount;
        const expected = outputOf(route, amountIn, reservesOf);
        expect([error, paid]).to.deep.equal([undefined, expected], `${token} ${length} ${amountIn}`);
      }
    }
  });

  it("pays the requested output for the smallest input, and less for one unit less", () => {
    for (const length of [1, 3, 6]) {
      const route = routeOf(SVM_MINOR_TOKEN, length);
      const minimumOut = 987_654_321n;
      const amountIn = inputOf(route, minimumOut, reservesOf) ?? expect.fail("no input");
      expect(errorOf(swap({ route, amountIn, minimumOut }))).to.equal(undefined);
      expect(errorOf(swap({ route, amountIn: amountIn - 10n, minimumOut }))).to.equal(ERROR.minimum);
    }
  });

  it("rejects a minimum above the output, and amounts that cannot be computed or paid", () => {
    const route = routeOf(SVM_TETHER, 1);
    const exact = outputOf(route, 1_000_000n, reservesOf);
    expect(errorOf(swap({ minimumOut: exact }))).to.equal(undefined);
    expect(errorOf(swap({ minimumOut: exact + 1n }))).to.equal(ERROR.minimum);
    expect(errorOf(swap({ amountIn: MAX }))).to.equal(ERROR.insufficient);
    expect(errorOf(swap({ amountIn: HELD + 1n }))).to.equal(ERROR.insufficient);
    const [vault = ""] = route[0]?.pool.vaults ?? [];
    const before = balanceOf(vault);
    for (const [balance, error] of [
      [MAX - HELD, ERROR.calculation],
      [0n, undefined],
    ] as const) {
      setTokens(vault, SVM_TETHER, balance, POOL_AUTHORITY);
      expect(errorOf(swap({ amountIn: balance === 0n ? 2n : (HELD * 102n) / 100n }))).to.equal(error);
    }
    expect(errorOf(swap({ amountIn: 0n }))).to.equal(ERROR.calculation);
    setTokens(vault, SVM_TETHER, before, POOL_AUTHORITY);
  });

  it("rejects other vaults, tokens, accounts and programs", () => {
    const valid = swap();
    const [pool, other] = [routeOf(SVM_TETHER, 1), routeOf(SVM_MINOR_TOKEN, 1)].map(([hop]) => hop?.pool);
    if (pool === undefined || other === undefined) return expect.fail("no pools");
    const stranger = localKey("a stranger").address;
    setTokens(associatedTokenAccount(stranger, SVM_TETHER, TOKEN), SVM_TETHER, 5_000_000n, stranger);
    const cases: readonly (readonly [string, Instruction, unknown])[] = [
      ["vault of another pool", withKey(valid, 6, { pubkey: other.vaults[0] }), ERROR.route],
      ["one vault twice", withKey(valid, 7, { pubkey: pool.vaults[0] }), ERROR.route],
      ["own account as vault", withKey(valid, 7, { pubkey: held(USDC) }), ERROR.route],
      ["another further account", withKey(valid, 8, { pubkey: stranger }), ERROR.route],
      ["a pool that is no account of the program", withKey(valid, 5, { pubkey: stranger }), ERROR.ownedByWrongProgram],
      ["another token as the input", withKey(valid, 1, { pubkey: held(SVM_MINOR_TOKEN) }), ERROR.mint],
      ["another token as the output", swap({ target: held(SVM_MINOR_TOKEN) }), ERROR.mint],
      [
        "pools that do not meet",
        swap({
          route: [
            { pool, from: 0 },
            { pool: other, from: 0 },
          ],
        }),
        ERROR.mint,
      ],
      [
        "a stranger's tokens",
        withKey(valid, 1, { pubkey: associatedTokenAccount(stranger, SVM_TETHER, TOKEN) }),
        ERROR.owner,
      ],
      ["tokens of the pools", withKey(valid, 1, { pubkey: pool.vaults[0] }), ERROR.owner],
      ["another authority", withKey(valid, 3, { pubkey: stranger }), ERROR.seeds],
      ["another token program", withKey(valid, 4, { pubkey: SYSTEM }), ERROR.wrongProgram],
      ["no signature", withKey(valid, 0, { pubkey: POOL_AUTHORITY, isSigner: false }), ERROR.notSigner],
      ["no pools", { ...valid, data: Buffer.concat([valid.data.subarray(0, 24), Buffer.alloc(1)]) }, ERROR.emptyRoute],
      ["a missing account", { ...valid, keys: valid.keys.slice(0, -1) }, ERROR.tooFewAccounts],
      ["short data", { ...valid, data: valid.data.subarray(0, 24) }, ERROR.badArguments],
      ["another instruction", { ...valid, data: Buffer.alloc(25) }, ERROR.noInstruction],
    ];
    for (const [name, instruction, error] of cases) expect([name, errorOf(instruction)]).to.deep.equal([name, error]);
    expect(valid.programId).to.equal(SVM_EXCHANGE);
  });

  it("pays a pool's tokens only in exchange for others, even if a route returns to it", () => {
    const [there = expect.fail("no pool")] = routeOf(SVM_TETHER, 1);
    const route: Hop[] = [there, { pool: there.pool, from: 1 }];
    const { accounts, error } = run(swap({ route, target: held(SVM_TETHER), amountIn: HELD }));
    expect(error).to.equal(undefined);
    const back = readTokenAccount(accounts.get(held(SVM_TETHER)))?.amount ?? 0n;
    expect(back < HELD && back > (HELD * 97n) / 100n).to.equal(true);
  });
});
