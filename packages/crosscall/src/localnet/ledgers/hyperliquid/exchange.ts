import { formatUnits, type Hex, keccak256, stringToBytes } from "viem";

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

/** A transfer that its sender signed. */
export interface SentTransfer {
  readonly transaction: Transaction;
  readonly transfer: Transfer;
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

/** A change of the exchange. Amounts are decimal, in the smallest unit. */
export type ExchangeEntry =
  | {
      readonly type: "fund";
      readonly time: number;
      readonly account: string;
      readonly market: Market;
      readonly amount: string;
    }
  | {
      readonly type: "transfer";
      readonly time: number;
      readonly transfer: Omit<Transfer, "amount"> & { readonly amount: string };
      /** Key of a payment of the solver, which always has funds. */
      readonly key?: string;
    }
  | { readonly type: "link"; readonly wallet: string; readonly nonce: number; readonly requestId: string };

interface Account {
  readonly balances: Record<Market, bigint>;
  readonly updates: Update[];
  /** Ascending. */
  readonly nonces: number[];
}

/** Exchange with dollar balances in two markets, without orders, positions or vaults. */
export class Exchange {
  readonly #accounts = new Map<string, Account>();
  readonly #transactions = new Map<Hex, Transaction>();
  readonly #payments = new Map<string, Transaction>();
  /** Request ids by wallet and nonce. */
  readonly #links = new Map<string, string>();
  /** Transfers by wallet and nonce. */
  readonly #transfers = new Map<string, SentTransfer>();
  /** Number of transactions. */
  #count = 0;

  /** Applies a change. Returns the transaction of a transfer. */
  apply(entry: ExchangeEntry): Transaction | undefined {
    switch (entry.type) {
      case "fund":
        this.#fund(entry.account, entry.market, BigInt(entry.amount), entry.time);
        return undefined;
      case "transfer": {
        const transfer = { ...entry.transfer, amount: BigInt(entry.transfer.amount) };
        const { sender, source, amount, nonce } = transfer;
        const { balances, nonces } = this.#open(sender);
        if (entry.key === undefined) keepNonce(nonces, nonce);
        else balances[source] += amount;
        const transaction = this.#move(transfer, entry.time);
        if (entry.key !== undefined) this.#payments.set(entry.key, transaction);
        else this.#transfers.set(keyOf(sender, nonce), { transaction, transfer });
        return transaction;
      }
      case "link":
        this.#links.set(keyOf(entry.wallet, entry.nonce), entry.requestId);
        return undefined;
    }
  }

  payment(key: string): Transaction | undefined {
    return this.#payments.get(key);
  }

  /** Returns the id of the request that is linked to a transfer. */
  linkOf(wallet: string, nonce: number): string | undefined {
    return this.#links.get(keyOf(wallet, nonce));
  }

  /** Finds a transfer that its sender signed. */
  transferOf(wallet: string, nonce: number): SentTransfer | undefined {
    return this.#transfers.get(keyOf(wallet, nonce));
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

  /** Returns the reason why the exchange rejects a transfer, or undefined if it is valid. */
  findProblem({ sender, source, amount, nonce }: Transfer, now: number): string | undefined {
    const account = this.#accounts.get(sender);
    if (account === undefined) return `Must deposit before performing actions. User: ${sender}`;
    const problem = findNonceProblem(account.nonces, nonce, now);
    if (problem !== undefined) return `Invalid nonce: ${problem}`;
    if (amount <= 0n) return "Invalid amount";
    return account.balances[source] < amount ? "Insufficient balance for token transfer" : undefined;
  }

  #fund(address: string, market: Market, amount: bigint, time: number): void {
    const account = this.#open(address);
    account.balances[market] += amount;
    const delta = { type: "deposit", usdc: formatAmount(amount) };
    account.updates.push({ time, hash: this.#newHash(time, address), delta });
  }

  #move(transfer: Transfer, time: number): Transaction {
    const { sender, destination, source, target, amount, action } = transfer;
    const from = this.#open(sender);
    const to = this.#open(destination);
    from.balances[source] -= amount;
    to.balances[target] += amount;
    const hash = this.#newHash(time, `${sender} ${transfer.nonce}`);
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

  #newHash(time: number, what: string): Hex {
    this.#count += 1;
    return keccak256(stringToBytes(`${time} ${this.#count} ${what}`));
  }
}

function keyOf(wallet: string, nonce: number): string {
  return `${wallet.toLowerCase()} ${nonce}`;
}

function keepNonce(nonces: number[], nonce: number): void {
  nonces.push(nonce);
  nonces.sort((a, b) => a - b);
  if (nonces.length > KEPT_NONCES) nonces.shift();
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
