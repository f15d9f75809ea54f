import { type Address, type Hex, numberToHex, pad, recoverAddress, sha256, slice, stringToBytes } from "viem";

import type { Clock } from "@crosscall/protocol/core";
import { type Accounts, type Deposit, type EventLog, type Outcome, Revert } from "./contracts.ts";
import { idOf, type Operation, type RawTransaction, type SignedTransaction } from "./transaction.ts";

const BLOCK_TIME_MS = 3_000;
/** Milliseconds until a transaction expires, as set by nodes. */
const EXPIRATION_MS = 60_000;
/** Maximum time until expiration in milliseconds. Nodes reject transactions that expire later. */
const EXPIRATION_MAX_MS = 24 * 60 * 60 * 1_000;

/** Time of block 0 in milliseconds: the first block of the live chain. The same in every process. */
const START_MS = 1_529_891_469_000;

/** A block of the chain. Its id depends only on its number. */
export interface Block {
  readonly number: number;
  readonly id: Hex;
  readonly parentId: Hex;
  /** Milliseconds. */
  readonly timestamp: number;
}

export interface IncludedTransaction {
  readonly id: string;
  readonly raw: RawTransaction;
  /** Signatures; empty for payments of the solver. */
  readonly signatures: readonly Hex[];
  readonly block: Block;
  /** Revert reason; undefined if the transaction succeeded. */
  readonly revertReason?: string;
  readonly output: Hex;
  readonly logs: readonly EventLog[];
  /** Position of the first log in the block. */
  readonly logIndex: number;
}

/** Codes with which a node rejects transactions. */
export type RejectionCode =
  | "CONTRACT_VALIDATE_ERROR"
  | "DUP_TRANSACTION_ERROR"
  | "OTHER_ERROR"
  | "SIGERROR"
  | "TAPOS_ERROR"
  | "TRANSACTION_EXPIRATION_ERROR";

export interface Rejected {
  readonly code: RejectionCode;
  readonly message: string;
}

/** A change of the chain. */
export type TronEntry =
  /** Creates funds. The amount is decimal, in the smallest unit. */
  | { readonly type: "mint"; readonly account: Address; readonly currency: Address; readonly amount: string }
  | {
      readonly type: "include";
      readonly raw: RawTransaction;
      readonly signatures: readonly Hex[];
      /** Number of the block. */
      readonly block: number;
      /** Key of a payment of the solver. */
      readonly key?: string;
    };

export interface Included {
  readonly transaction: IncludedTransaction;
  readonly deposit: Deposit | undefined;
}

/**
 * Chain of blocks and transactions. A block starts every three seconds, and transactions are included in it
 * immediately.
 */
export class TronChain {
  readonly accounts: Accounts;
  readonly #clock: Clock;
  readonly #transactions = new Map<string, IncludedTransaction>();
  readonly #payments = new Map<string, string>();
  #lastTimestamp = 0;
  #lastBlock = 0;
  /** Number of logs in the last block. */
  #logCount = 0;

  constructor(accounts: Accounts, clock: Clock) {
    this.accounts = accounts;
    this.#clock = clock;
  }

  /** Applies a change. Returns the result of a transaction. */
  apply(entry: TronEntry): Included | undefined {
    if (entry.type === "mint") {
      this.accounts.mint(entry.account, entry.currency, BigInt(entry.amount));
      return undefined;
    }
    const included = this.#include(entry.raw, entry.signatures, this.#block(entry.block));
    if (entry.key !== undefined) this.#payments.set(entry.key, included.transaction.id);
    return included;
  }

  /** Returns the id of the solver's payment with a key. */
  payment(key: string): string | undefined {
    return this.#payments.get(key);
  }

  transaction(id: string): IncludedTransaction | undefined {
    return this.#transactions.get(id);
  }

  transactionsIn({ number }: Block): IncludedTransaction[] {
    return [...this.#transactions.values()].filter(({ block }) => block.number === number);
  }

  latest(): Block {
    const passed = Math.floor((this.#clock.now() - START_MS) / BLOCK_TIME_MS);
    // The network's clock can be set back.
    return this.#block(Math.max(passed, this.#lastBlock));
  }

  /** Returns the block with this number, or undefined if the block is in the future. */
  blockAt(number: number): Block | undefined {
    return number <= this.latest().number ? this.#block(number) : undefined;
  }

  #block(number: number): Block {
    return {
      number,
      id: blockId(number),
      parentId: number === 0 ? pad("0x", { size: 32 }) : blockId(number - 1),
      timestamp: START_MS + number * BLOCK_TIME_MS,
    };
  }

  /** Builds an unsigned transaction with a unique id. */
  build(operation: Operation, feeLimit = 0, memo: Hex = "0x"): RawTransaction {
    const { id, number } = this.latest();
    this.#lastTimestamp = Math.max(this.#clock.now(), this.#lastTimestamp + 1);
    return {
      operation,
      refBlockBytes: slice(numberToHex(number, { size: 8 }), 6),
      refBlockHash: slice(id, 8, 16),
      expiration: this.#clock.now() + EXPIRATION_MS,
      timestamp: this.#lastTimestamp,
      feeLimit,
      memo,
    };
  }

  /** Checks a transaction, which its owner must have signed. Returns the reason if a node rejects it. */
  async findProblem({ raw, id: givenId, signatures }: SignedTransaction): Promise<Rejected | undefined> {
    const id = idOf(raw);
    if (givenId !== undefined && givenId !== id) return reject("OTHER_ERROR", `the transaction has the id ${id}`);
    const [signature, ...others] = signatures;
    if (signature === undefined || others.length > 0) return reject("SIGERROR", "exactly one signature is required");
    const signer = await recoverAddress({ hash: `0x${id}`, signature }).catch(() => undefined);
    if (signer?.toLowerCase() !== raw.operation.owner) return reject("SIGERROR", "the owner did not sign");
    if (this.#transactions.has(id)) return reject("DUP_TRANSACTION_ERROR", "the transaction is already included");
    return this.#checkTimes(raw) ?? this.#checkTransfer(raw.operation);
  }

  #checkTimes({ expiration, refBlockBytes, refBlockHash }: RawTransaction): Rejected | undefined {
    const latest = this.latest();
    const now = this.#clock.now();
    if (expiration <= now) return reject("TRANSACTION_EXPIRATION_ERROR", "the transaction has expired");
    if (expiration > now + EXPIRATION_MAX_MS) return reject("TRANSACTION_EXPIRATION_ERROR", "it expires too late");
    // Age in blocks of the referenced block, which is among the last 65,536.
    const distance = (latest.number - Number(refBlockBytes)) & 0xffff;
    const reference = latest.number - distance;
    const isKnown = reference >= 0 && slice(blockId(reference), 8, 16) === refBlockHash;
    return isKnown ? undefined : reject("TAPOS_ERROR", "the referenced block is not on this chain");
  }

  #checkTransfer(operation: Operation): Rejected | undefined {
    const invalid = (message: string) => reject("CONTRACT_VALIDATE_ERROR", message);
    const isTransfer = operation.type === "TransferContract";
    if (isTransfer && this.accounts.isContract(operation.to)) return invalid("Cannot transfer TRX to a smartContract.");
    const value = isTransfer ? operation.amount : operation.callValue;
    return BigInt(value) > this.accounts.balanceOf(operation.owner) ? invalid("balance is not sufficient.") : undefined;
  }

  /** Includes a transaction without checks. Also includes a call that reverts. */
  #include(raw: RawTransaction, signatures: readonly Hex[], block: Block): Included {
    this.#lastTimestamp = Math.max(raw.timestamp, this.#lastTimestamp);
    if (block.number !== this.#lastBlock) this.#logCount = 0;
    this.#lastBlock = block.number;
    const { revertReason, output, logs, deposit } = this.#execute(raw.operation);
    const id = idOf(raw);
    const reverted = revertReason === undefined ? {} : { revertReason };
    const transaction = { id, raw, signatures, block, output, logs, logIndex: this.#logCount, ...reverted };
    this.#logCount += logs.length;
    this.#transactions.set(id, transaction);
    return { transaction, deposit };
  }

  #execute(operation: Operation): Outcome & { readonly revertReason?: string } {
    try {
      if (operation.type === "TriggerSmartContract") return this.accounts.call(operation);
      this.accounts.move(operation.owner, operation.to, BigInt(operation.amount));
      return { output: "0x", logs: [] };
    } catch (error) {
      if (error instanceof Revert) return { output: "0x", logs: [], revertReason: error.message };
      throw error;
    }
  }
}

function reject(code: RejectionCode, message: string): Rejected {
  return { code, message };
}

/** Returns a block id, which contains the number and a hash. */
function blockId(number: number): Hex {
  const hash = sha256(stringToBytes(`crosscall tron block ${number}`));
  return `${numberToHex(number, { size: 8 })}${hash.slice(18)}`;
}
