import * as Type from "typebox";
import { Compile } from "typebox/compile";

import type { Clock } from "@crosscall/protocol/core";
import { type ChainRpc, createChainRpc, RPC_TIMEOUT_MS, type RpcObserver } from "../../rpc/chainRpc.ts";
import { createRestEndpoint, fixedHeaders } from "../../rpc/restEndpoint.ts";
import type { RpcEndpoint } from "../../rpc/rpcEndpoint.ts";
import { rejectResponse } from "../../rpc/rpcErrors.ts";

export interface LighterTransfer {
  /** Account indexes. */
  readonly from: bigint;
  readonly to: bigint;
  readonly asset: number;
  /** Receiving market: 0 for perpetuals, 1 for spot. */
  readonly route: number;
  /** Amount in the asset's smallest unit. */
  readonly amount: bigint;
  /** Memo: bytes attached by the sender. */
  readonly memo: readonly number[];
  /** Other signed fields; undefined if the exchange reports them incompletely. */
  readonly terms: TransferTerms | undefined;
  /** Expiration in milliseconds; undefined if the exchange does not report it. */
  readonly expiresAt: number | undefined;
}

/** Signed fields of a transfer other than the payment. */
interface TransferTerms {
  /** Paying market. */
  readonly fromRoute: number;
  readonly apiKey: number;
  /** Nonce, which is sequential for each API key. */
  readonly nonce: number;
  readonly fee: bigint;
}

export interface LighterTransaction {
  readonly isExecuted: boolean;
  /** Whether the transaction failed permanently. Other transactions can still be executed until they expire. */
  readonly isRejected: boolean;
  /** Time of queueing in milliseconds; undefined if the exchange does not report it. */
  readonly queuedAt: number | undefined;
  /** Transfer; undefined for other transaction types. */
  readonly transfer: LighterTransfer | undefined;
}

interface LighterAccount {
  /** EVM address; undefined for an account without an address, such as the sub-account of a pool. */
  readonly owner: string | undefined;
}

interface LighterReader {
  /** Reads a transaction. Returns undefined if the exchange does not have it. */
  transaction(hash: string): Promise<LighterTransaction | undefined>;
  /** Reads an account. Returns undefined if the account is unknown. */
  account(index: string): Promise<LighterAccount | undefined>;
}

/** Type number of transfers on the exchange. */
const TRANSFER_TYPE = 12;

const EXECUTED: readonly number[] = [2, 3];

/**
 * States from the client library of the public oracle. The exchange's own failed state, 0, can leave the nonce unused.
 */
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
    return rejectResponse("the transaction does not match");
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
  if (!transferCheck.Check(content)) return rejectResponse("no transfer");
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
  if (!accountsCheck.Check(answer)) return rejectResponse("no accounts");
  const found = answer.accounts.find(({ index }) => index.toString() === asked);
  if (found === undefined) return undefined;
  const { l1_address: owner = "" } = found;
  return { owner: owner === "" ? undefined : owner };
}

/** Maximum page size of the explorer. */
export const PAGE_SIZE = 100;

/** Location of a transfer. */
export interface ListedTransfer {
  readonly hash: string;
  /** Account indexes; undefined for entries in a different format. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Explorer that lists transfers. The exchange's API only finds them by hash. */
export interface LighterExplorer {
  /** Lists an account's transfers, the latest first. */
  transfersOf(account: string, page: number): Promise<readonly ListedTransfer[]>;
  close(): void;
}

const accounts = Type.Object({ from_account_index: Type.String(), to_account_index: Type.String() });
const logsCheck = Compile(
  Type.Array(
    Type.Object({
      hash: Type.String({ pattern: "^([0-9a-fA-F]{2})+$" }),
      pubdata: Type.Optional(
        Type.Object({
          l2_transfer_pubdata: Type.Optional(accounts),
          l2_transfer_pubdata_v2: Type.Optional(accounts),
        }),
      ),
    }),
  ),
);

/** @param url base URL of the explorer's API */
export function openLighterExplorer(
  url: string,
  options: { readonly chainId: string; readonly observer: RpcObserver; readonly clock: Clock },
): LighterExplorer {
  const rpc = createChainRpc({ ...options, endpoints: [createEndpoint(url)], agreement: 1 });
  return {
    transfersOf: (account, page) => rpc.read("logs", [account, page * PAGE_SIZE], parseLogs),
    close: () => rpc.close(),
  };
}

function createEndpoint(url: string): RpcEndpoint {
  return createRestEndpoint({
    url,
    timeoutMs: RPC_TIMEOUT_MS,
    // Required, because the explorer's host blocks requests without this header.
    credentials: fixedHeaders({ "user-agent": "crosscall" }),
    toCall: (_method, [account, offset]) => ({
      path: `/accounts/${String(account)}/logs?pub_data_type=L2Transfer%2CL2TransferV2&limit=${PAGE_SIZE}&offset=${String(offset)}`,
    }),
  });
}

/** Rejects a missing account, because a wrong URL must not look like an account without transfers. */
function parseLogs(answer: unknown): readonly ListedTransfer[] {
  if (!logsCheck.Check(answer)) return rejectResponse("no list of transfers");
  return answer.map(({ hash, pubdata }) => {
    const moved = pubdata?.l2_transfer_pubdata ?? pubdata?.l2_transfer_pubdata_v2;
    return { hash, from: moved?.from_account_index, to: moved?.to_account_index };
  });
}
