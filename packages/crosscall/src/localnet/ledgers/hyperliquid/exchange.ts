import { formatUnits, type Hex, keccak256, stringToBytes } from "viem";

import type { Clock } from "@crosscall/protocol/core";
import { HYPERLIQUID_DOLLAR } from "@crosscall/protocol/vms";

/** Markets in which an account holds dollars: perpetuals, whose name on the exchange is empty, and spot. */
export const MARKETS = ["", "spot"] as const;

export type Market = (typeof MARKETS)[number];

export const DECIMALS = 8;

/** USDC in transfers, as `name:id`. */
export const TOKEN = `USDC:${HYPERLIQUID_DOLLAR}`;

/** A transfer. Its addresses are in lower case. */
export interface Transfer {
  readonly sender: string;
  readonly destination: string;
  readonly source: Market;
  readonly target: Market;
  /** Smallest unit. */
  readonly amount: bigint;
  /** Nonce in milliseconds; unique among the sender's transfers. */
  readonly nonce: number;
  /** As signed. */
  readonly action: object;
}

/** A transfer as the explorer returns it. */
export interface Transaction {
  readonly hash: Hex;
  /** Milliseconds. */
  readonly time: number;
  readonly user: string;
  readonly action: object;
  readonly block: number;
  readonly error: null;
}

/** An entry of an account's list of transfers. */
export interface Update {
  readonly time: number;
  readonly hash: Hex;
  readonly delta: object;
}

/** Milliseconds by which a nonce can be before or after the exchange's time. */
const NONCE_PAST = 2 * 86_400_000;
const NONCE_FUTURE = 86_400_000;

/** Number of nonces that the exchange keeps per account. A new nonce must exceed the lowest of them. */
const KEPT_NONCES = 100;

interface Account {
  readonly balances: Record<Market, bigint>;
  readonly updates: Update[];
  /** Ascending. */
  readonly nonces: number[];
}

/** Exchange with dollar balances in two markets, without orders, positions or vaults. */
export class Exchange {
  readonly #clock: Clock;
  readonly #accounts = new Map<string, Account>();
  readonly #transactions = new Map<Hex, Transaction>();
  /** Number of transactions. */
  #count = 0;
  #lastNonce = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds. */
  get time(): number {
    return this.#clock.now();
  }

  /** Returns the current time in milliseconds, or a later time if needed for a unique nonce. */
  nextNonce(): number {
    this.#lastNonce = Math.max(this.#lastNonce + 1, this.time);
    return this.#lastNonce;
  }

  balance(account: string, market: Market): bigint {
    return this.#accounts.get(account)?.balances[market] ?? 0n;
  }

  updatesOf(account: string): readonly Update[] {
    return this.#accounts.get(account)?.updates ?? [];
  }

  transaction(hash: string): Transaction | undefined {
    return this.#transactions.get(hash as Hex);
  }

  /** Returns an account's transactions, latest first. */
  transactionsOf(account: string): Transaction[] {
    return [...this.#transactions.values()].filter(({ user }) => user === account).reverse();
  }

  fund(address: string, market: Market, amount: bigint): void {
    const account = this.#open(address);
    account.balances[market] += amount;
    const delta = { type: "deposit", usdc: formatAmount(amount) };
    account.updates.push({ time: this.time, hash: this.#newHash(address), delta });
  }

  /** Transfers any amount, regardless of the sender's balance. For accounts whose keys are not known. */
  pay(transfer: Omit<Transfer, "nonce" | "action">): Transaction {
    this.#open(transfer.sender).balances[transfer.source] += transfer.amount;
    const nonce = this.nextNonce();
    const action = { type: "sendAsset", signatureChainId: "0x1", ...sendAsset({ ...transfer, nonce }) };
    return this.#move({ ...transfer, nonce, action });
  }

  /** Executes a transfer. If the exchange rejects it, returns the reason and does not use up the nonce. */
  transfer(transfer: Transfer): Transaction | string {
    const { sender, source, amount, nonce } = transfer;
    const account = this.#accounts.get(sender);
    if (account === undefined) return `Must deposit before performing actions. User: ${sender}`;
    const problem = findNonceProblem(account.nonces, nonce, this.time);
    if (problem !== undefined) return `Invalid nonce: ${problem}`;
    if (amount <= 0n) return "Invalid amount";
    if (account.balances[source] < amount) return "Insufficient balance for token transfer";
    account.nonces.push(nonce);
    account.nonces.sort((a, b) => a - b);
    if (account.nonces.length > KEPT_NONCES) account.nonces.shift();
    return this.#move(transfer);
  }

  #move(transfer: Transfer): Transaction {
    const { sender, destination, source, target, amount, action } = transfer;
    const from = this.#open(sender);
    const to = this.#open(destination);
    from.balances[source] -= amount;
    to.balances[target] += amount;
    const hash = this.#newHash(`${sender} ${transfer.nonce}`);
    const { time } = this;
    const transaction = { hash, time, user: sender, action, block: this.#count, error: null };
    this.#transactions.set(hash, transaction);
    const update = { time, hash, delta: toDelta(transfer) };
    for (const account of new Set([from, to])) account.updates.push(update);
    return transaction;
  }

  #open(address: string): Account {
    const known = this.#accounts.get(address);
    if (known !== undefined) return known;
    const account: Account = { balances: { "": 0n, spot: 0n }, updates: [], nonces: [] };
    this.#accounts.set(address, account);
    return account;
  }

  /** Returns a new hash. Includes the time, because a later process counts from zero again. */
  #newHash(what: string): Hex {
    this.#count += 1;
    return keccak256(stringToBytes(`${this.time} ${this.#count} ${what}`));
  }
}

function findNonceProblem(used: readonly number[], nonce: number, now: number): string | undefined {
  if (used.includes(nonce)) return `duplicate nonce ${nonce}`;
  if (nonce <= now - NONCE_PAST || nonce >= now + NONCE_FUTURE) return `${nonce} is too far from ${now}`;
  const [lowest = 0] = used;
  if (used.length >= KEPT_NONCES && nonce < lowest) return `${nonce} is below ${lowest}`;
  return undefined;
}

/** Returns the signed fields of a transfer between markets. */
export function sendAsset({ destination, source, target, amount, nonce }: Omit<Transfer, "sender" | "action">) {
  return {
    hyperliquidChain: "Mainnet",
    destination,
    sourceDex: source,
    destinationDex: target,
    token: TOKEN,
    amount: formatAmount(amount, 6),
    fromSubAccount: "",
    nonce,
  };
}

function toDelta({ sender, destination, source, target, amount, nonce }: Transfer): object {
  const value = formatAmount(amount);
  return {
    type: "send",
    user: sender,
    destination,
    sourceDex: source,
    destinationDex: target,
    token: "USDC",
    amount: value,
    usdcValue: value,
    fee: "0.0",
    nativeTokenFee: "0.0",
    nonce,
    feeToken: "",
  };
}

/**
 * @param amount amount in the smallest unit
 * @param places minimum number of decimals
 */
export function formatAmount(amount: bigint, places = 1): string {
  const [whole = "0", fraction = ""] = formatUnits(amount, DECIMALS).split(".");
  return `${whole}.${fraction.padEnd(places, "0")}`;
}
