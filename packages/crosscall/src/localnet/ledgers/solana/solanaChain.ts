import { isDeepStrictEqual } from "node:util";

import { base58 } from "@scure/base";
import type * as litesvm from "litesvm";
import type { FailedTransactionMetadata, LiteSVM, TransactionMetadata } from "litesvm";

import { type Clock, InvalidStateError } from "@crosscall/protocol/core";
import { readDecimals, readTokenAccount, type SolanaAccount } from "./accounts.ts";
import { hashesBefore, secondsOf, Slots, type SlotTime } from "./slots.ts";
import { toTransactionError, type TransactionError } from "./transactionError.ts";
import { type CompiledInstruction, decodeTransaction, isWritable, type WireTransaction } from "./wire.ts";

/** The module of the simulator. */
export type Simulator = typeof litesvm;

type Address = Parameters<LiteSVM["getAccount"]>[0];
type EncodedAccount = ReturnType<LiteSVM["getProgramAccounts"]>[number];

export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly amount: bigint;
  readonly decimals: number;
}

export interface InnerInstruction extends CompiledInstruction {
  readonly stackHeight: number;
}

/** What happened to accounts, and what programs reported. */
export interface Outcome {
  readonly error: TransactionError | undefined;
  readonly logs: readonly string[];
  readonly unitsConsumed: bigint;
  readonly returnData: { readonly programId: string; readonly data: Uint8Array } | undefined;
  /** Nested instructions by the position of their top-level instruction. */
  readonly inner: readonly (readonly InnerInstruction[])[];
}

/** A transaction in a block. */
export interface IncludedTransaction extends Outcome {
  readonly signature: string;
  readonly slot: number;
  /** Unix seconds. */
  readonly blockTime: number;
  readonly transaction: WireTransaction;
  readonly fee: bigint;
  /** The transaction's own accounts, then those from lookup tables. */
  readonly keys: readonly string[];
  readonly loaded: LoadedAddresses;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
}

/** The transactions of a slot. */
export interface Block {
  /** Slot of the block before. */
  readonly parentSlot: number;
  readonly transactions: IncludedTransaction[];
}

export interface LoadedAddresses {
  readonly writable: readonly string[];
  readonly readonly: readonly string[];
}

/** The slot of a transaction, and its error. */
export interface Forecast extends SlotTime {
  readonly error: TransactionError | null;
}

/** A transaction of the chain, with the slot that contains it and the error that it had. */
export interface SolanaEntry extends Forecast {
  /** In base64. */
  readonly transaction: string;
  /** Key of the payment, if the network itself made it. */
  readonly key?: string;
}

export type Submission =
  | { readonly kind: "included"; readonly included: IncludedTransaction }
  /** No block can contain the transaction. */
  | { readonly kind: "rejected"; readonly outcome: Outcome };

export interface SimulateOptions {
  readonly verifiesSignatures: boolean;
  readonly replacesBlockhash: boolean;
}

/** Result of a simulation, with the changed accounts. */
export interface Simulation extends Outcome {
  readonly accounts: ReadonlyMap<string, SolanaAccount>;
}

export const LOOKUP_PROGRAM = "AddressLookupTab1e1111111111111111111111111";
/** Length of a lookup table's header. The addresses follow. */
const TABLE_HEADER = 56;

/** Number of slots whose hashes programs can read. */
const SLOT_HASHES = 150;

export const LAMPORTS_PER_SIGNATURE = 5_000n;

/** Runs transactions on the simulator, one after the other, and records them. */
export class SolanaChain {
  readonly #svm: LiteSVM;
  readonly #createClock: (slot: bigint, time: bigint) => Parameters<LiteSVM["setClock"]>[0];
  readonly slots: Slots;
  readonly #transactions = new Map<string, IncludedTransaction>();
  /** Blocks by slot, oldest first. */
  readonly #blocks = new Map<number, Block>([[0, { parentSlot: 0, transactions: [] }]]);
  #lastBlock = 0;
  /** Signatures by account, oldest first. */
  readonly #history = new Map<string, string[]>();
  /** Token accounts by owner. Programs create accounts, so each transaction updates it. */
  readonly #tokenAccounts = new Map<string, Set<string>>();
  /** Signatures of the network's payments, by key. */
  readonly #payments = new Map<string, string>();

  constructor(simulator: Simulator, clock: Clock) {
    this.slots = new Slots(clock);
    // This class checks block hashes and repeated transactions, because the simulator knows only one block hash.
    this.#svm = new simulator.LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n);
    this.#createClock = (slot, time) => new simulator.Clock(slot, 0n, 0n, 0n, time);
  }

  get transactions(): ReadonlyMap<string, IncludedTransaction> {
    return this.#transactions;
  }

  /** The first block, which has no transactions, and one block per slot with transactions; oldest first. */
  get blocks(): ReadonlyMap<number, Block> {
    return this.#blocks;
  }

  /** Returns the time of a slot in Unix seconds; undefined if the chain has no such slot. */
  timeOf(slot: number): number | undefined {
    return this.#blockTimeOf(slot) ?? this.slots.timeOf(slot);
  }

  /** All transactions of a block have the time of its first one. */
  #blockTimeOf(slot: number): number | undefined {
    return this.#blocks.get(slot)?.transactions[0]?.blockTime;
  }

  account(address: string): SolanaAccount | undefined {
    const found = this.#svm.getAccount(address as Address);
    return found.exists ? toAccount(found) : undefined;
  }

  /** Returns the accounts that a program owns, with their addresses. */
  accountsOf(program: string): (readonly [address: string, account: SolanaAccount])[] {
    return this.#svm.getProgramAccounts(program as Address).flatMap((found) => {
      const account = toAccount(found);
      return account === undefined ? [] : [[String(found.address), account] as const];
    });
  }

  setAccount(address: string, { lamports, data, owner, executable }: SolanaAccount): void {
    this.#svm.setAccount({
      address: address as Address,
      programAddress: owner as Address,
      lamports: lamports as ReturnType<LiteSVM["getBalance"]> & bigint,
      data,
      executable,
      space: BigInt(data.length),
    });
    this.#indexTokenAccount(address);
  }

  addProgram(address: string, program: Uint8Array): void {
    this.#svm.addProgram(address as Address, program);
  }

  rentOf(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  /** Returns the addresses of an owner's token accounts of both token programs. */
  tokenAccountsOf(owner: string): readonly string[] {
    return [...(this.#tokenAccounts.get(owner) ?? [])].filter(
      (address) => readTokenAccount(this.account(address))?.owner === owner,
    );
  }

  /** Returns the signatures of transactions that list an account, newest first. */
  signaturesOf(address: string): readonly string[] {
    return (this.#history.get(address) ?? []).toReversed();
  }

  /** Returns the signature of the network's payment with a key. */
  payment(key: string): string | undefined {
    return this.#payments.get(key);
  }

  /** Returns the accounts that a transaction loads, or the error of a lookup table. */
  load({ message: { lookups } }: WireTransaction): LoadedAddresses | TransactionError {
    const [writable, readonly]: [string[], string[]] = [[], []];
    for (const { accountKey, writableIndexes, readonlyIndexes } of lookups) {
      const table = this.account(accountKey);
      if (table === undefined) return "AddressLookupTableNotFound";
      if (table.owner !== LOOKUP_PROGRAM) return "InvalidAddressLookupTableOwner";
      const addressAt = (index: number): string | undefined => {
        const start = TABLE_HEADER + 32 * index;
        return start + 32 > table.data.length ? undefined : base58.encode(table.data.subarray(start, start + 32));
      };
      for (const [indexes, list] of [
        [writableIndexes, writable],
        [readonlyIndexes, readonly],
      ] as const) {
        for (const index of indexes) {
          const address = addressAt(index);
          if (address === undefined) return "InvalidAddressLookupTableIndex";
          list.push(address);
        }
      }
    }
    return { writable, readonly };
  }

  /** Simulates a transaction in the current slot. No block can contain it if the error is a text. */
  forecast(transaction: WireTransaction): Forecast {
    const at = this.slots.current();
    const { error = null } = this.simulate(transaction, { verifiesSignatures: true, replacesBlockhash: false }, at);
    return { ...at, error };
  }

  /**
   * Includes a transaction. Depends on nothing but the entries before.
   *
   * @throws {@link InvalidStateError} if the transaction has a different error than before
   */
  apply({ transaction: encoded, slot, ms, key, error }: SolanaEntry): Submission {
    const transaction = decodeTransaction(Buffer.from(encoded, "base64"));
    if (transaction === undefined) throw new TypeError("the entry is not a transaction");
    const signature = signatureOf(transaction);
    const loaded = this.load(transaction);
    if (!isLoaded(loaded)) return { kind: "rejected", outcome: failedBefore(loaded) };
    this.slots.adopt({ slot, ms });
    this.#startSlot({ slot, ms }, transaction);
    const keys = [...transaction.message.accountKeys, ...loaded.writable, ...loaded.readonly];
    const before = this.#balancesOf(keys);
    const outcome = toOutcome(this.#svm.sendTransaction(toSimulated(transaction)));
    if (!isDeepStrictEqual(outcome.error ?? null, error)) throw otherOutcome(signature);
    const after = this.#balancesOf(keys);
    const total = (balances: readonly bigint[]): bigint => balances.reduce((sum, balance) => sum + balance, 0n);
    // Instructions do not change the sum of all balances, so the difference is the fee.
    const fee = total(before.lamports) - total(after.lamports);
    if (outcome.error !== undefined && fee === 0n) return { kind: "rejected", outcome };
    const included: IncludedTransaction = {
      ...outcome,
      signature,
      slot,
      blockTime: this.#blockTimeOf(slot) ?? secondsOf({ slot, ms }),
      transaction,
      fee,
      keys,
      loaded,
      preBalances: before.lamports,
      postBalances: after.lamports,
      preTokenBalances: before.tokens,
      postTokenBalances: after.tokens,
    };
    this.#record(included);
    if (key !== undefined && outcome.error === undefined) this.#payments.set(key, signature);
    return { kind: "included", included };
  }

  simulate(
    transaction: WireTransaction,
    { verifiesSignatures, replacesBlockhash }: SimulateOptions,
    at: SlotTime = this.slots.current(),
  ): Simulation {
    const fail = (error: TransactionError): Simulation => ({ ...failedBefore(error), accounts: new Map() });
    if (!replacesBlockhash && !this.slots.isValid(transaction.message.blockhash)) return fail("BlockhashNotFound");
    if (this.#transactions.has(signatureOf(transaction))) return fail("AlreadyProcessed");
    const loaded = this.load(transaction);
    if (!isLoaded(loaded)) return fail(loaded);
    this.#startSlot(at, transaction);
    this.#svm.withSigverify(verifiesSignatures);
    try {
      const result = this.#svm.simulateTransaction(toSimulated(transaction));
      if ("err" in result) return { ...toOutcome(result), accounts: new Map() };
      const accounts = result.postAccounts().map(({ address, lamports, data, programAddress, executable }) => {
        const account = { lamports, data: Uint8Array.from(data), owner: programAddress, executable };
        return [String(address), account] as const;
      });
      return { ...toOutcome(result.meta()), accounts: new Map(accounts) };
    } finally {
      this.#svm.withSigverify(true);
    }
  }

  /** Sets the clock that programs read. */
  #startSlot(at: SlotTime, { message: { accountKeys, lookups } }: WireTransaction): void {
    this.#svm.setClock(this.#createClock(BigInt(at.slot), BigInt(secondsOf(at))));
    // Only lookup tables read the hashes of slots.
    if (lookups.length > 0 || accountKeys.includes(LOOKUP_PROGRAM)) {
      this.#svm.setSlotHashes(hashesBefore(at.slot, SLOT_HASHES));
    }
  }

  #record(included: IncludedTransaction): void {
    const { signature, slot, keys } = included;
    this.#transactions.set(signature, included);
    const block = this.#blocks.get(slot);
    if (block === undefined) this.#blocks.set(slot, { parentSlot: this.#lastBlock, transactions: [included] });
    else block.transactions.push(included);
    this.#lastBlock = slot;
    for (const key of new Set(keys)) {
      const known = this.#history.get(key);
      if (known === undefined) this.#history.set(key, [signature]);
      else known.push(signature);
      this.#indexTokenAccount(key);
    }
  }

  #indexTokenAccount(address: string): void {
    const owner = readTokenAccount(this.account(address))?.owner;
    if (owner === undefined) return;
    const known = this.#tokenAccounts.get(owner);
    if (known === undefined) this.#tokenAccounts.set(owner, new Set([address]));
    else known.add(address);
  }

  #balancesOf(keys: readonly string[]): {
    readonly lamports: readonly bigint[];
    readonly tokens: readonly TokenBalance[];
  } {
    const accounts = keys.map((key) => this.account(key));
    const tokens = accounts.flatMap((account, accountIndex): TokenBalance[] => {
      const found = readTokenAccount(account);
      const decimals = found && this.decimalsOf(found.mint);
      if (account === undefined || found === undefined || decimals === undefined) return [];
      return [{ accountIndex, ...found, programId: account.owner, decimals }];
    });
    return { lamports: accounts.map((account) => account?.lamports ?? 0n), tokens };
  }

  /** Returns undefined if the address is not a token's. */
  decimalsOf(mint: string): number | undefined {
    return readDecimals(this.account(mint));
  }
}

/** Returns undefined for an account without lamports, which does not exist. */
function toAccount({ lamports, data, programAddress, executable }: EncodedAccount): SolanaAccount | undefined {
  return lamports === 0n ? undefined : { lamports, data: Uint8Array.from(data), owner: programAddress, executable };
}

function isLoaded(loaded: LoadedAddresses | TransactionError): loaded is LoadedAddresses {
  return typeof loaded === "object" && "writable" in loaded;
}

/** Returns the signature of the fee payer, which identifies the transaction. */
export function signatureOf({ signatures }: WireTransaction): string {
  return base58.encode(signatures[0] ?? new Uint8Array());
}

/** Lists the accounts of a transaction with their permissions. */
export function usesOf({ transaction: { message }, keys }: IncludedTransaction) {
  return keys.map((pubkey, index) => ({
    pubkey,
    signer: index < message.requiredSignatures,
    writable: isWritable(message, index),
    source: index < message.accountKeys.length ? ("transaction" as const) : ("lookupTable" as const),
  }));
}

type SimulatedTransaction = Parameters<LiteSVM["sendTransaction"]>[0];

function toSimulated({ messageBytes, signatures, message }: WireTransaction): SimulatedTransaction {
  const entries = signatures.map((signature, index) => [message.accountKeys[index] ?? "", signature] as const);
  const transaction: object = { messageBytes, signatures: Object.fromEntries<Uint8Array>(entries) };
  return transaction as SimulatedTransaction;
}

function otherOutcome(signature: string): InvalidStateError {
  return new InvalidStateError({
    message: `the stored Solana transaction ${signature} has a different result than when it was stored`,
    hint: "Use the versions of crosscall and litesvm that wrote the database or snapshot, or start a new network.",
  });
}

function failedBefore(error: TransactionError): Outcome {
  return { error, logs: [], unitsConsumed: 0n, returnData: undefined, inner: [] };
}

function toOutcome(result: FailedTransactionMetadata | TransactionMetadata): Outcome {
  const isFailed = "err" in result;
  const meta = isFailed ? result.meta() : result;
  const returned = meta.returnData();
  return {
    error: isFailed ? toTransactionError(result.err()) : undefined,
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
    returnData:
      returned.data().length === 0
        ? undefined
        : { programId: base58.encode(returned.programId()), data: returned.data() },
    inner: meta.innerInstructions().map((list) =>
      list.map((inner) => {
        const instruction = inner.instruction();
        return {
          programIdIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: instruction.data(),
          stackHeight: inner.stackHeight(),
        };
      }),
    ),
  };
}
