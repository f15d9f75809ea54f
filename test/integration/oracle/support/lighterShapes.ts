import { AbiCoder, hexlify, keccak256, toUtf8Bytes } from "ethers";
import { type Hex, hexToBytes } from "viem";

import type { RecordedResponse, RecordedCall } from "./recordedServer.ts";

/** The exchange's codes for assets, markets, transaction types and transaction states. */
export const [ETHER, DOLLAR, PERPETUALS, SPOT] = [1, 3, 0, 1];
const TRANSFER = 12;
export const WITHDRAWAL = 13;
export const [FAILED, WAITING, EXECUTED, COMMITTED] = [0, 1, 2, 3];
/** States that are defined only in the public client library. */
export const [LIBRARY_FAILED, LIBRARY_REJECTED] = [4, 5];

/** Fields of a transfer that its sender signs. */
export interface TransferInfo {
  readonly FromAccountIndex: number;
  readonly ApiKeyIndex: number;
  readonly ToAccountIndex: number;
  readonly AssetIndex: number;
  readonly FromRouteType: number;
  readonly ToRouteType: number;
  readonly Amount: number;
  readonly USDCFee: number;
  readonly Memo: readonly number[];
  /** Milliseconds. */
  readonly ExpiredAt: number;
  readonly Nonce: number;
}

/** Transaction in the exchange's format. */
export interface ExchangeTransaction {
  readonly hash: string;
  readonly status: number;
  readonly type?: number;
  /** Unix seconds. */
  readonly time: number;
  readonly info: TransferInfo;
  readonly change?: object;
}

/** Returns the response to a request for a transaction. */
function transactionShape({ hash, status, type = TRANSFER, time, info, change }: ExchangeTransaction): object {
  return {
    code: 200,
    hash,
    type,
    status,
    transaction_index: 443,
    event_info: "{}",
    block_height: 97_526_892,
    info: JSON.stringify({ ...info, Sig: "", L1Sig: "" }),
    l1_address: "0x8B5E4dB198FfC7f69f8F11F6592f682717dF1D92",
    account_index: info.FromAccountIndex,
    nonce: info.Nonce,
    queued_at: time * 1000 + 375,
    executed_at: time * 1000 + 242,
    ...change,
  };
}

/** Returns an entry of the explorer's list of transfers. */
function logShape({ hash, status, time, info }: ExchangeTransaction): object {
  const text = (value: number): string => value.toString();
  return {
    tx_type: "L2Transfer",
    hash,
    time: new Date(time * 1000).toISOString(),
    pubdata: {
      l2_transfer_pubdata_v2: {
        from_account_index: text(info.FromAccountIndex),
        to_account_index: text(info.ToAccountIndex),
        fee_account_index: "0",
        asset_index: text(info.AssetIndex),
        from_route_type: text(info.FromRouteType),
        to_route_type: text(info.ToRouteType),
        amount: text(info.Amount),
        usdc_fee: text(info.USDCFee),
      },
    },
    pubdata_type: "L2TransferV2",
    block_number: 97_526_892,
    batch_number: 12_345,
    status: status === EXECUTED || status === COMMITTED ? "executed" : "failed",
  };
}

/** Exchange's response for missing data. */
const NOT_FOUND: RecordedResponse = { status: 400, body: { code: 21_500, message: "transaction not found" } };

/** Implements the exchange's API: transactions by hash, and the EVM addresses of accounts. */
export function respondExchange(
  transactions: ReadonlyMap<string, object>,
  owners: ReadonlyMap<string, string> = new Map(),
) {
  return ({ path }: RecordedCall): RecordedResponse => {
    const { pathname, searchParams } = new URL(path, "http://exchange");
    const [by, value] = [searchParams.get("by"), searchParams.get("value") ?? ""];
    if (pathname === "/api/v1/account" && by === "index" && owners.has(value)) {
      const account = { index: Number(value), l1_address: owners.get(value), status: 1 };
      return { body: { code: 200, total: 1, accounts: [account] } };
    }
    const transaction = pathname === "/api/v1/tx" && by === "hash" ? transactions.get(value) : undefined;
    return transaction === undefined ? NOT_FOUND : { body: transaction };
  };
}

/** Implements the explorer's API: an account's transfers, in pages. */
export function respondExplorer(logsOf: (account: string) => readonly object[]) {
  return ({ path, headers }: RecordedCall): RecordedResponse => {
    const { pathname, searchParams } = new URL(path, "http://explorer");
    const [, account] = /^\/api\/accounts\/(\d+)\/logs$/u.exec(pathname) ?? [];
    const isTransfers = searchParams.get("pub_data_type") === "L2Transfer,L2TransferV2";
    if (headers["user-agent"] === undefined) return { status: 403, body: "Forbidden" };
    if (account === undefined || !isTransfers) return { status: 404, body: { message: "not found" } };
    const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset"))];
    return { body: logsOf(account).slice(offset, offset + limit) };
  };
}

const word = (value: number): string => `0x${value.toString(16).padStart(16, "0")}`;

/**
 * Builds the allocator's payload for a transfer and the payload's id, which is the hash of the text that an EVM key
 * signs.
 */
export function lighterWithdrawal(
  info: TransferInfo,
  exchangeChainId = 304,
): { readonly id: Hex; readonly payload: Hex } {
  const memo = Buffer.from(info.Memo).toString("hex").padEnd(64, "0");
  const numbers = [
    info.Nonce,
    info.FromAccountIndex,
    info.FromRouteType,
    info.ApiKeyIndex,
    info.ToAccountIndex,
    info.ToRouteType,
    info.AssetIndex,
    info.Amount,
    info.USDCFee,
    exchangeChainId,
  ];
  const coder = AbiCoder.defaultAbiCoder();
  const parameters = coder.encode([`tuple(${"uint64,".repeat(10)}bytes32)`], [[...numbers, `0x${memo}`]]);
  const text = `Transfer

nonce: ${word(info.Nonce)}
from: ${word(info.FromAccountIndex)} (route ${word(info.FromRouteType)})
api key: ${word(info.ApiKeyIndex)}
to: ${word(info.ToAccountIndex)} (route ${word(info.ToRouteType)})
asset: ${word(info.AssetIndex)}
amount: ${word(info.Amount)}
fee: ${word(info.USDCFee)}
chainId: ${word(exchangeChainId)}
memo: ${memo}
Only sign this message for a trusted client!`;
  return {
    id: keccak256(hexlify(toUtf8Bytes(text))) as Hex,
    payload: coder.encode(["tuple(uint8,bytes)"], [[0, parameters]]) as Hex,
  };
}

const TIME = 1_790_000_000;

/** Payment on the exchange, in the smallest unit. */
export interface Sent extends Partial<Omit<ExchangeTransaction, "hash" | "info">> {
  readonly from?: number;
  readonly to: number | string;
  readonly amount: bigint | number;
  readonly memo: readonly number[] | Hex;
  readonly asset?: number;
  readonly route?: number;
}

/** Exchange with transfers. */
export class LighterExchange {
  readonly transactions = new Map<string, object>();

  /** Adds a transfer, executed by default, and returns its entry for an explorer. */
  add(info: TransferInfo, rest: Partial<Omit<ExchangeTransaction, "hash" | "info">> = {}) {
    const hash = `${this.transactions.size + 1}`.padStart(80, "ab");
    const transaction = { status: EXECUTED, time: TIME, ...rest, hash, info };
    this.transactions.set(hash, transactionShape(transaction));
    return { hash, log: logShape(transaction) };
  }

  send({ from = 1001, to, amount, memo, asset = DOLLAR, route = PERPETUALS, ...rest }: Sent): string {
    const accounts = { FromAccountIndex: from, ApiKeyIndex: 3, ToAccountIndex: Number(to) };
    const asked = { AssetIndex: asset, FromRouteType: PERPETUALS, ToRouteType: route, Amount: Number(amount) };
    const Memo = typeof memo === "string" ? [...hexToBytes(memo)] : memo;
    return this.add({ ...accounts, ...asked, USDCFee: 3_000_000, Memo, ExpiredAt: 1, Nonce: 1 }, rest).hash;
  }
}
