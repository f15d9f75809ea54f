import { formatUnits } from "viem";

import { MalformedDataError } from "@crosscall/protocol/core";
import type { LedgerCall, LedgerResponse } from "../serveLedger.ts";
import {
  type Account,
  DOLLAR,
  type LighterExchange,
  parseTransfer,
  PERPETUALS,
  type Rejected,
  SPOT,
  type Transaction,
  TRANSFER,
  type TransferInfo,
} from "./exchange.ts";

export interface LighterApi {
  readonly exchange: LighterExchange;
  /** Executes a transfer, and reports its deposit. */
  readonly submit: (info: TransferInfo) => Promise<Transaction | Rejected>;
}

const PREFIX = "/api/v1/";

/** Responds to the requests that clients and oracles send for a transfer. */
export async function respond(api: LighterApi, { method, path, query, body }: LedgerCall): Promise<LedgerResponse> {
  const name = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : "";
  if (name === "sendTx") return method === "POST" ? send(api, body) : { status: 405, body: "Method Not Allowed" };
  return read(api.exchange, name, query) ?? { status: 404, body: { code: 404, message: "not found" } };
}

function read(exchange: LighterExchange, name: string, query: URLSearchParams): LedgerResponse | undefined {
  const value = query.get("value") ?? "";
  switch (name) {
    case "account": {
      const account = query.get("by") === "l1_address" ? exchange.accountOf(value) : exchange.account(Number(value));
      return account === undefined ? reject(NO_ACCOUNT) : succeed({ total: 1, accounts: [toAccount(account)] });
    }
    case "accountsByL1Address": {
      const address = query.get("l1_address") ?? "";
      const account = exchange.accountOf(address);
      if (account === undefined) return reject(NO_ACCOUNT);
      return succeed({ l1_address: address, sub_accounts: [toAccount(account)] });
    }
    case "accountTxs": {
      const account = exchange.account(Number(value));
      const limit = Number(query.get("limit") ?? 20);
      return succeed({ txs: account?.transactions.slice(0, limit).map((sent) => toTransaction(exchange, sent)) ?? [] });
    }
    case "nextNonce": {
      const nonces = exchange.account(Number(query.get("account_index")))?.nonces;
      return succeed({ nonce: nonces?.get(Number(query.get("api_key_index"))) ?? 0 });
    }
    case "tx": {
      const transaction = query.get("by") === "hash" ? exchange.transaction(value) : undefined;
      return transaction === undefined ? reject(NO_TRANSACTION) : succeed(toTransaction(exchange, transaction));
    }
    default:
      return undefined;
  }
}

const NO_ACCOUNT: Rejected = { code: 21_100, message: "account not found" };
const NO_TRANSACTION: Rejected = { code: 21_500, message: "transaction not found" };

function succeed(content: object): LedgerResponse {
  return { status: 200, body: { code: 200, ...content } };
}

function reject(rejected: Rejected): LedgerResponse {
  return { status: 400, body: rejected };
}

async function send({ submit }: LighterApi, body: string): Promise<LedgerResponse> {
  const fields = readForm(body);
  if (fields.get("tx_type") !== `${TRANSFER}`)
    return reject({ code: 20_001, message: "tx_type must be a transfer, 12" });
  try {
    const result = await submit(parseTransfer(fields.get("tx_info") ?? ""));
    if ("message" in result) return reject(result);
    return succeed({ tx_hash: result.hash, predicted_execution_time_ms: 0 });
  } catch (error) {
    if (!(error instanceof MalformedDataError)) throw error;
    return reject({ code: 20_001, message: error.message });
  }
}

/** Reads a form in either of the two encodings that clients send. */
function readForm(body: string): Map<string, string> {
  const [, boundary] = /^--(\S+)\r\n/u.exec(body) ?? [];
  if (boundary === undefined) return new Map(new URLSearchParams(body));
  const parts = body.split(`--${boundary}`).flatMap((part): [string, string][] => {
    const [, name, value] = /name="([^"]*)"[^]*?\r\n\r\n([^]*)\r\n$/u.exec(part) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return new Map(parts);
}

function toAccount({ index, owner = "", balances }: Account): object {
  const collateral = formatDollars(balances[PERPETUALS]);
  return {
    code: 0,
    account_type: 0,
    index,
    account_index: index,
    l1_address: owner,
    status: 1,
    collateral,
    available_balance: collateral,
    positions: [],
    assets: [{ symbol: "USDC", asset_id: DOLLAR, balance: formatDollars(balances[SPOT]), locked_balance: "0.000000" }],
  };
}

/** Status of a transaction that is executed and committed. */
const COMMITTED = 3;

function toTransaction(exchange: LighterExchange, { hash, info, position, time }: Transaction): object {
  return {
    hash,
    type: TRANSFER,
    info: JSON.stringify(info),
    event_info: "{}",
    status: COMMITTED,
    transaction_index: 0,
    l1_address: exchange.account(info.FromAccountIndex)?.owner ?? "",
    account_index: info.FromAccountIndex,
    nonce: info.Nonce,
    expire_at: info.ExpiredAt,
    block_height: position + 1,
    queued_at: time,
    executed_at: time,
    sequence_index: position,
    parent_hash: "",
  };
}

function formatDollars(amount: bigint): string {
  const [whole = "0", fraction = ""] = formatUnits(amount, 6).split(".");
  return `${whole}.${fraction.padEnd(6, "0")}`;
}
