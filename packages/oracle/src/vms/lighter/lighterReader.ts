import * as Type from "typebox";
import { Compile } from "typebox/compile";

import { MalformedDataError } from "@crosscall/protocol/core";
import type { ChainRpc } from "../../rpc/chainRpc.ts";

export interface LighterTransfer {
  /** Account indexes. */
  readonly from: bigint;
  readonly to: bigint;
  readonly asset: number;
  /** Receiving market: 0 for perpetuals, 1 for spot. */
  readonly route: number;
  /** In the asset's smallest unit. */
  readonly amount: bigint;
  /** Bytes attached by the sender. */
  readonly memo: readonly number[];
  /** Undefined if the exchange reports them incompletely. */
  readonly terms: TransferTerms | undefined;
  /** Milliseconds; undefined if the exchange does not report them. */
  readonly expiresAt: number | undefined;
}

/** What a sender signs besides the payment. */
export interface TransferTerms {
  /** Paying market. */
  readonly fromRoute: number;
  readonly apiKey: number;
  /** In sequence for each API key. */
  readonly nonce: number;
  readonly fee: bigint;
}

export interface LighterTransaction {
  readonly isExecuted: boolean;
  /** Failed for good; others can still be executed until they expire. */
  readonly isRejected: boolean;
  /** Milliseconds; undefined if the exchange does not report them. */
  readonly queuedAt: number | undefined;
  /** Undefined for other types. */
  readonly transfer: LighterTransfer | undefined;
}

export interface LighterAccount {
  /** EVM address; undefined for an account without one, such as a sub-account of a pool. */
  readonly owner: string | undefined;
}

export interface LighterReader {
  /** Undefined if the exchange does not have it. */
  transaction(hash: string): Promise<LighterTransaction | undefined>;
  /** Undefined for an unknown account. */
  account(index: string): Promise<LighterAccount | undefined>;
}

/** The exchange's type number of transfers. */
const TRANSFER_TYPE = 12;

const EXECUTED: readonly number[] = [2, 3];

/** States of the client library of the public oracle. The exchange's own failed state, 0, may leave the nonce unused. */
const REJECTED: readonly number[] = [4, 5];

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const transactionCheck = Compile(
  Type.Object({
    hash: Type.String(),
    type: count,
    status: Type.Integer(),
    info: Type.Optional(Type.String()),
    queued_at: Type.Optional(count),
  }),
);
const transferCheck = Compile(
  Type.Object({
    FromAccountIndex: count,
    ToAccountIndex: count,
    AssetIndex: count,
    ToRouteType: count,
    Amount: count,
    Memo: Type.Array(Type.Integer({ minimum: 0, maximum: 255 })),
    ExpiredAt: Type.Optional(count),
  }),
);
const termsSchema = Type.Object({ FromRouteType: count, ApiKeyIndex: count, Nonce: count, USDCFee: count });
const termsCheck = Compile(termsSchema);

const accountsCheck = Compile(
  Type.Object({
    accounts: Type.Array(
      Type.Object({ index: count, l1_address: Type.Optional(Type.String({ pattern: "^(0x[0-9a-fA-F]{40})?$" })) }),
    ),
  }),
);

export function createLighterReader(rpc: ChainRpc): LighterReader {
  return {
    transaction: (hash) => rpc.read("tx", ["hash", hash], (answer) => parseTransaction(answer, hash)),
    account: (index) => rpc.read("account", ["index", index], (answer) => parseAccount(answer, index)),
  };
}

function parseTransaction(answer: unknown, hash: string): LighterTransaction | undefined {
  if (answer === null) return undefined;
  if (!transactionCheck.Check(answer) || answer.hash.toLowerCase() !== hash)
    return refuse("the transaction does not match");
  const { type, status, info = "", queued_at: queuedAt = 0 } = answer;
  return {
    isExecuted: EXECUTED.includes(status),
    isRejected: REJECTED.includes(status),
    queuedAt: queuedAt === 0 ? undefined : queuedAt,
    transfer: type === TRANSFER_TYPE && info !== "" ? parseTransfer(info) : undefined,
  };
}

function parseTransfer(info: string): LighterTransfer {
  const content = JSON.parse(info) as unknown;
  if (!transferCheck.Check(content)) return refuse("no transfer");
  return {
    from: BigInt(content.FromAccountIndex),
    to: BigInt(content.ToAccountIndex),
    asset: content.AssetIndex,
    route: content.ToRouteType,
    amount: BigInt(content.Amount),
    memo: content.Memo,
    terms: termsCheck.Check(content) ? toTerms(content) : undefined,
    expiresAt: content.ExpiredAt === 0 ? undefined : content.ExpiredAt,
  };
}

function toTerms(content: Type.Static<typeof termsSchema>): TransferTerms {
  const { FromRouteType: fromRoute, ApiKeyIndex: apiKey, Nonce: nonce, USDCFee: fee } = content;
  return { fromRoute, apiKey, nonce, fee: BigInt(fee) };
}

function parseAccount(answer: unknown, asked: string): LighterAccount | undefined {
  if (answer === null) return undefined;
  if (!accountsCheck.Check(answer)) return refuse("no accounts");
  const found = answer.accounts.find(({ index }) => index.toString() === asked);
  if (found === undefined) return undefined;
  const { l1_address: owner = "" } = found;
  return { owner: owner === "" ? undefined : owner };
}

function refuse(reason: string): never {
  throw new MalformedDataError({ what: "the response of an RPC endpoint", path: "", reason });
}
