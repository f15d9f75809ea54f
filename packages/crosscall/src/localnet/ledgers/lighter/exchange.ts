import * as Type from "typebox";
import {
  bytesToHex,
  concat,
  type Hex,
  isAddress,
  keccak256,
  recoverMessageAddress,
  sliceHex,
  stringToBytes,
} from "viem";

import { parseData, parseJson } from "@crosscall/protocol/schema";
import { lighterTransferText } from "@crosscall/protocol/vms";

/** Transaction type of a transfer. */
export const TRANSFER = 12;

/** Chain id of the live exchange, which signed texts contain. */
const EXCHANGE_ID = 304n;

/** Asset id of the dollar. */
export const DOLLAR = 3;

/** Markets in which an account holds dollars. */
export const PERPETUALS = 0;
export const SPOT = 1;

export type Market = typeof PERPETUALS | typeof SPOT;

const index = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const market = Type.Union([Type.Literal(PERPETUALS), Type.Literal(SPOT)]);

const TransferSchema = Type.Object({
  FromAccountIndex: index,
  ApiKeyIndex: Type.Integer({ minimum: 0, maximum: 254 }),
  ToAccountIndex: index,
  AssetIndex: Type.Literal(DOLLAR),
  FromRouteType: market,
  ToRouteType: market,
  Amount: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  USDCFee: index,
  Memo: Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), { minItems: 32, maxItems: 32 }),
  ExpiredAt: index,
  Nonce: index,
  L1Sig: Type.Optional(Type.String()),
});

/** Contents of a transfer, as clients send them. */
export type TransferInfo = Type.Static<typeof TransferSchema>;

export interface Account {
  readonly index: number;
  /** EVM address in lower case; undefined for an account that cannot send. */
  readonly owner: string | undefined;
  readonly balances: [perpetuals: bigint, spot: bigint];
  /** Next nonce, by API key index. */
  readonly nonces: Map<number, number>;
  readonly transactions: Transaction[];
}

export interface Transaction {
  /** Hash of 40 bytes, without 0x. */
  readonly hash: string;
  readonly info: TransferInfo;
  readonly position: number;
  /** Milliseconds. */
  readonly time: number;
}

/** A change of the exchange. */
export type LighterEntry =
  /** Funds an account by its index or its EVM address. The amount is decimal, in the smallest unit. */
  | { readonly type: "fund"; readonly account: string; readonly market: Market; readonly amount: string }
  | {
      readonly type: "transfer";
      readonly time: number;
      readonly info: TransferInfo;
      /** Key of a payment of the solver, which always has funds. */
      readonly key?: string;
    };

/** First index of the accounts that the exchange creates for EVM addresses. */
const FIRST_INDEX = 800_000;

/** Exchange with dollar balances in two markets, without orders, positions or pools. */
export class LighterExchange {
  readonly #accounts = new Map<number, Account>();
  readonly #transactions = new Map<string, Transaction>();
  readonly #payments = new Map<string, Transaction>();

  /** Applies a change. Returns the transaction of a transfer. */
  apply(entry: LighterEntry): Transaction | undefined {
    if (entry.type === "fund") {
      const { account, market: to, amount } = entry;
      // The exchange creates the account of an address if needed.
      const opened = isAddress(account, { strict: false }) ? this.#openOf(account) : this.#open(Number(account));
      opened.balances[to] += BigInt(amount);
      return undefined;
    }
    const { info, time, key } = entry;
    if (key === undefined) return this.#move(info, time);
    this.#open(info.FromAccountIndex).balances[info.FromRouteType] += BigInt(info.Amount);
    const transaction = this.#move(info, time);
    this.#payments.set(key, transaction);
    return transaction;
  }

  payment(key: string): Transaction | undefined {
    return this.#payments.get(key);
  }

  account(accountIndex: number): Account | undefined {
    return this.#accounts.get(accountIndex);
  }

  accountOf(owner: string): Account | undefined {
    return [...this.#accounts.values()].find((account) => account.owner === owner.toLowerCase());
  }

  transaction(hash: string): Transaction | undefined {
    return this.#transactions.get(hash.toLowerCase());
  }

  /** Returns the account with this index, and creates the account if needed. */
  #open(accountIndex: number, owner?: string): Account {
    const known = this.#accounts.get(accountIndex);
    if (known !== undefined) return known;
    const account: Account = {
      index: accountIndex,
      owner: owner?.toLowerCase(),
      balances: [0n, 0n],
      nonces: new Map(),
      transactions: [],
    };
    this.#accounts.set(accountIndex, account);
    return account;
  }

  /** Returns the account of an EVM address, and creates the account if needed. */
  #openOf(owner: string): Account {
    const known = this.accountOf(owner);
    if (known !== undefined) return known;
    let free = FIRST_INDEX;
    while (this.#accounts.has(free)) free += 1;
    return this.#open(free, owner);
  }

  /** Builds a transfer of the solver. */
  buildPayment({ from, to, of, amount, memo }: Payment, now: number): TransferInfo {
    return {
      FromAccountIndex: from,
      ApiKeyIndex: 0,
      ToAccountIndex: to,
      AssetIndex: DOLLAR,
      FromRouteType: of,
      ToRouteType: of,
      Amount: Number(amount),
      USDCFee: 0,
      Memo: [...memo],
      ExpiredAt: now,
      Nonce: this.#accounts.get(from)?.nonces.get(0) ?? 0,
    };
  }

  /**
   * Checks a transfer that the sending account's owner signed with an EVM key. Does not verify the API key's signature.
   *
   * @returns the reason if the exchange rejects it
   */
  async findProblem(info: TransferInfo, now: number): Promise<Rejected | undefined> {
    const { FromAccountIndex, ApiKeyIndex, FromRouteType, Amount, ExpiredAt, Nonce, L1Sig = "" } = info;
    const account = this.#accounts.get(FromAccountIndex);
    if (account === undefined) return { code: 21_100, message: "account not found" };
    const signer = await recoverSigner(info, L1Sig);
    if (account.owner === undefined || signer !== account.owner) return { code: 21_120, message: "invalid signature" };
    const next = account.nonces.get(ApiKeyIndex) ?? 0;
    if (Nonce !== next) return { code: 21_104, message: `invalid nonce: the next nonce is ${next}` };
    if (ExpiredAt <= now) return { code: 21_105, message: "transaction expired" };
    if (account.balances[FromRouteType] < BigInt(Amount)) return { code: 21_106, message: "not enough balance" };
    return undefined;
  }

  #move(info: TransferInfo, time: number): Transaction {
    const { FromAccountIndex, ToAccountIndex, FromRouteType, ToRouteType, Amount, ApiKeyIndex, Nonce } = info;
    const from = this.#open(FromAccountIndex);
    const to = this.#open(ToAccountIndex);
    from.nonces.set(ApiKeyIndex, Nonce + 1);
    from.balances[FromRouteType] -= BigInt(Amount);
    to.balances[ToRouteType] += BigInt(Amount);
    const position = this.#transactions.size;
    const transaction = { hash: hashOf(`${time} ${position} ${FromAccountIndex} ${Nonce}`), info, position, time };
    this.#transactions.set(transaction.hash, transaction);
    for (const account of new Set([from, to])) account.transactions.unshift(transaction);
    return transaction;
  }
}

/** @throws {@link MalformedDataError} if the text is not a transfer */
export function parseTransfer(text: string): TransferInfo {
  return parseData(TransferSchema, parseJson(text), "tx_info");
}

export interface Payment {
  readonly from: number;
  readonly to: number;
  readonly of: Market;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly memo: readonly number[];
}

export interface Rejected {
  readonly code: number;
  readonly message: string;
}

/** Returns the signer in lower case, or undefined if the text is not a signature. */
async function recoverSigner(info: TransferInfo, signature: string): Promise<string | undefined> {
  const message = lighterTransferText({
    nonce: BigInt(info.Nonce),
    from: BigInt(info.FromAccountIndex),
    fromRoute: BigInt(info.FromRouteType),
    apiKey: BigInt(info.ApiKeyIndex),
    to: BigInt(info.ToAccountIndex),
    toRoute: BigInt(info.ToRouteType),
    asset: BigInt(info.AssetIndex),
    amount: BigInt(info.Amount),
    fee: BigInt(info.USDCFee),
    exchange: EXCHANGE_ID,
    memo: memoHex(info.Memo),
  });
  try {
    return (await recoverMessageAddress({ message, signature: signature as Hex })).toLowerCase();
  } catch {
    return undefined;
  }
}

export function memoHex(memo: readonly number[]): Hex {
  return bytesToHex(Uint8Array.from(memo));
}

/** Returns a hash of 40 bytes. The live exchange uses another hash function with the same length. */
function hashOf(text: string): string {
  const first = keccak256(stringToBytes(text));
  return concat([first, sliceHex(keccak256(first), 0, 8)]).slice(2);
}
