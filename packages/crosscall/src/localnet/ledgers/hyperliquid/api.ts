import * as Type from "typebox";

import { MalformedDataError } from "@crosscall/protocol/core";
import { parseData, parseJson } from "@crosscall/protocol/schema";
import { HYPERLIQUID_DOLLAR } from "@crosscall/protocol/vms";
import type { LedgerCall, LedgerResponse } from "../serveLedger.ts";
import { DECIMALS, type Exchange, formatAmount, type Transfer } from "./exchange.ts";
import { readSignedTransfer } from "./signedTransfer.ts";

export interface ExchangeApi {
  readonly exchange: Exchange;
  /** Milliseconds. */
  readonly now: number;
  /** Executes a transfer. Returns the reason if the exchange rejects it. */
  readonly submit: (transfer: Transfer) => Promise<string | undefined>;
}

/** Responds to `POST /exchange`, `POST /info` and `POST /explorer`. */
export async function respond(api: ExchangeApi, { method, path, body }: LedgerCall): Promise<LedgerResponse> {
  const handle = HANDLERS.get(path);
  if (handle === undefined) return { status: 404, body: "Not Found" };
  if (method !== "POST") return { status: 405, body: "Method Not Allowed" };
  try {
    return { status: 200, body: await handle(api, parseJson(body)) };
  } catch (error) {
    if (!(error instanceof MalformedDataError)) throw error;
    return { status: 422, body: `Failed to deserialize the JSON body into the target type: ${error.message}` };
  }
}

const HANDLERS: ReadonlyMap<string, (api: ExchangeApi, body: unknown) => unknown> = new Map([
  ["/exchange", send],
  ["/info", readInfo],
  ["/explorer", ({ exchange }, body) => readExplorer(exchange, body)],
]);

async function send({ submit }: ExchangeApi, body: unknown): Promise<object> {
  const transfer = await readSignedTransfer(body);
  if (transfer === undefined) return { status: "err", response: "Unable to recover signer." };
  const problem = await submit(transfer);
  if (problem !== undefined) return { status: "err", response: problem };
  return { status: "ok", response: { type: "default" } };
}

const user = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });
const moment = Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]));

const InfoSchema = Type.Union([
  Type.Object({ type: Type.Literal("clearinghouseState"), user, dex: Type.Optional(Type.Literal("")) }),
  Type.Object({ type: Type.Literal("spotClearinghouseState"), user }),
  Type.Object({ type: Type.Literal("spotMeta") }),
  Type.Object({ type: Type.Literal("userNonFundingLedgerUpdates"), user, startTime: moment, endTime: moment }),
]);

function readInfo({ exchange, now }: ExchangeApi, body: unknown): unknown {
  const query = parseData(InfoSchema, body, "the body");
  switch (query.type) {
    case "clearinghouseState":
      return marginOf(exchange, query.user.toLowerCase(), now);
    case "spotClearinghouseState":
      return { balances: spotBalancesOf(exchange, query.user.toLowerCase()) };
    case "spotMeta":
      return { tokens: [SPOT_DOLLAR], universe: [] };
    case "userNonFundingLedgerUpdates": {
      const { startTime, endTime } = query;
      const isInside = (time: number) => time >= (startTime ?? 0) && time <= (endTime ?? Infinity);
      return exchange.updatesOf(query.user.toLowerCase()).filter(({ time }) => isInside(time));
    }
  }
}

const SPOT_DOLLAR = {
  name: "USDC",
  szDecimals: DECIMALS,
  weiDecimals: DECIMALS,
  index: 0,
  tokenId: HYPERLIQUID_DOLLAR,
  isCanonical: true,
  evmContract: null,
  fullName: null,
};

/** Returns the margin state of an account without positions. */
function marginOf(exchange: Exchange, account: string, now: number): object {
  const value = formatAmount(exchange.balance(account, ""));
  const margin = { accountValue: value, totalNtlPos: "0.0", totalRawUsd: value, totalMarginUsed: "0.0" };
  return {
    marginSummary: margin,
    crossMarginSummary: margin,
    crossMaintenanceMarginUsed: "0.0",
    withdrawable: value,
    assetPositions: [],
    time: now,
  };
}

function spotBalancesOf(exchange: Exchange, account: string): object[] {
  const balance = exchange.balance(account, "spot");
  if (balance === 0n) return [];
  return [{ coin: "USDC", token: 0, total: formatAmount(balance), hold: "0.0", entryNtl: "0.0" }];
}

const ExplorerSchema = Type.Union([
  Type.Object({ type: Type.Literal("txDetails"), hash: Type.String() }),
  Type.Object({ type: Type.Literal("userDetails"), user }),
]);

function readExplorer(exchange: Exchange, body: unknown): object {
  const query = parseData(ExplorerSchema, body, "the body");
  if (query.type === "userDetails") {
    return { type: query.type, txs: exchange.transactionsOf(query.user.toLowerCase()) };
  }
  const tx = exchange.transaction(query.hash.toLowerCase());
  return tx === undefined ? { type: "error", message: "Transaction not found" } : { type: query.type, tx };
}
