import * as Type from "typebox";
import { Compile } from "typebox/compile";
import type { Hex } from "viem";

import type { AdditionalData } from "../../chainFiles.ts";
import { type ChainRpc, RPC_TIMEOUT_MS } from "../../rpc/chainRpc.ts";
import { createRestEndpoint, fixedHeaders, type RestCall } from "../../rpc/restEndpoint.ts";
import type { RpcEndpoint } from "../../rpc/rpcEndpoint.ts";
import { rejectResponse } from "../../rpc/rpcErrors.ts";
import { signedHash } from "./signedAction.ts";

/** A transfer on the exchange, with hex in lower case. */
export interface ExchangeTransfer {
  readonly destination: Hex;
  /** Token id; undefined for dollars on the main market. */
  readonly token: string | undefined;
  /** Receiving market: empty for the main market, `spot`, or the name of another market. */
  readonly market: string;
  /** Decimal, as signed. */
  readonly amount: string;
  /** Nonce, which is unique among the sender's transfers. */
  readonly nonce: number;
}

/** A transaction on the exchange, with hex in lower case. */
export interface ExchangeTransaction {
  readonly sender: Hex;
  /** Milliseconds. */
  readonly time: number;
  readonly isSuccess: boolean;
  /** Transfer; undefined for other actions. */
  readonly transfer: ExchangeTransfer | undefined;
  /** Hash of a transfer's signed data, if the explorer reports it. */
  readonly signedHash: Hex | undefined;
}

/** Location of an entry in an account's ledger. */
interface LedgerHint {
  readonly user: string;
  /** Exact time of the entry, in milliseconds on the exchange's clock. */
  readonly timestamp: number;
}

export interface HyperliquidReader {
  /** Reads a transaction. Returns undefined if the exchange does not have it. */
  transaction(hash: Hex): Promise<ExchangeTransaction | undefined>;
  /**
   * Reads a transfer from the ledger, which has higher rate limits than the explorer. Returns undefined if the ledger
   * does not contain it.
   */
  ledgerTransfer(hash: Hex, hint: LedgerHint): Promise<ExchangeTransaction | undefined>;
  latestOf(account: Hex): Promise<readonly ExchangeTransaction[]>;
  /** Reads the decimals of a token. Returns undefined if the token is unknown. */
  decimalsOf(token: string): Promise<number | undefined>;
}

const hex = Type.String({ pattern: "^0x[0-9a-fA-F]+$" });
const account = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });
const decimal = Type.String({ pattern: "^[0-9]+(\\.[0-9]+)?$" });
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const transactionSchema = Type.Object({
  hash: hex,
  user: account,
  time: count,
  error: Type.Union([Type.String(), Type.Null()]),
  action: Type.Object({ type: Type.String() }),
});
const detailsCheck = Compile(Type.Object({ tx: transactionSchema }));
const latestCheck = Compile(Type.Object({ txs: Type.Array(transactionSchema) }));
const usdSendCheck = Compile(
  Type.Object({ type: Type.Literal("usdSend"), destination: account, amount: decimal, time: count }),
);
const sendAssetCheck = Compile(
  Type.Object({
    type: Type.Literal("sendAsset"),
    destination: account,
    destinationDex: Type.String(),
    amount: decimal,
    token: Type.String({ pattern: "^[^:]*:0x[0-9a-fA-F]+$" }),
    nonce: count,
  }),
);
const ledgerCheck = Compile(
  Type.Array(Type.Object({ hash: hex, time: count, delta: Type.Object({ type: Type.String() }) })),
);
const ledgerSendCheck = Compile(
  Type.Object({
    type: Type.Literal("send"),
    user: account,
    destination: account,
    destinationDex: Type.String(),
    token: Type.String(),
    amount: decimal,
    nonce: count,
  }),
);
const marketsCheck = Compile(
  Type.Object({ tokens: Type.Array(Type.Object({ name: Type.String(), tokenId: hex, szDecimals: count })) }),
);

/**
 * @param info endpoint for accounts and markets
 *
 * @param explorer endpoint that finds transactions by hash
 */
export function createHyperliquidReader(info: ChainRpc, explorer: ChainRpc): HyperliquidReader {
  const readTokens = () =>
    info.read("spotMeta", [], (answer) =>
      marketsCheck.Check(answer)
        ? answer.tokens.map(({ name, tokenId, szDecimals }) => ({ name, id: tokenId.toLowerCase(), szDecimals }))
        : rejectResponse("no list of tokens"),
    );
  return {
    transaction: (hash) => explorer.read("txDetails", [{ hash }], (answer) => parseDetails(answer, hash)),
    async ledgerTransfer(hash, { user, timestamp }) {
      const period = { startTime: timestamp, endTime: timestamp };
      const entry = await info.read("userNonFundingLedgerUpdates", [{ user, ...period }], (answer) =>
        parseLedger(answer, hash),
      );
      if (entry === undefined) return undefined;
      // The ledger has only symbols, which are ambiguous except for those in this list.
      const token = (await readTokens()).find(({ name }) => name === entry.symbol);
      if (token === undefined) return undefined;
      const { symbol: _symbol, sender, time, ...transfer } = entry;
      return { sender, time, isSuccess: true, transfer: { ...transfer, token: token.id }, signedHash: undefined };
    },
    latestOf: (user) =>
      explorer.read("userDetails", [{ user }], (answer) =>
        latestCheck.Check(answer) ? answer.txs.map(toTransaction) : rejectResponse("no list of transactions"),
      ),
    decimalsOf: async (token) => (await readTokens()).find(({ id }) => id === token)?.szDecimals,
  };
}

function parseDetails(answer: unknown, hash: Hex): ExchangeTransaction | undefined {
  if (answer === null) return undefined;
  if (!detailsCheck.Check(answer) || answer.tx.hash.toLowerCase() !== hash)
    return rejectResponse("the transaction does not match");
  return toTransaction(answer.tx);
}

function toTransaction({ user, time, error, action }: Type.Static<typeof transactionSchema>): ExchangeTransaction {
  const common = { sender: lower(user), time, isSuccess: error === null };
  return { ...common, transfer: parseAction(action), signedHash: signedHash(action) };
}

function parseAction(action: { readonly type: string }): ExchangeTransfer | undefined {
  if (action.type === "usdSend") {
    if (!usdSendCheck.Check(action)) return rejectResponse("no transfer");
    const { destination, amount, time: nonce } = action;
    return { destination: lower(destination), token: undefined, market: "", amount, nonce };
  }
  if (action.type !== "sendAsset") return undefined;
  if (!sendAssetCheck.Check(action)) return rejectResponse("no transfer");
  const { destination, destinationDex: market, token, amount, nonce } = action;
  return { destination: lower(destination), token: lower(token.split(":")[1] ?? ""), market, amount, nonce };
}

function parseLedger(answer: unknown, hash: Hex) {
  if (!ledgerCheck.Check(answer)) return rejectResponse("no ledger");
  const entry = answer.find((other) => other.hash.toLowerCase() === hash);
  if (entry?.delta.type !== "send") return undefined;
  if (!ledgerSendCheck.Check(entry.delta)) return rejectResponse("no transfer");
  const { user, destination, destinationDex: market, token: symbol, amount, nonce } = entry.delta;
  return {
    sender: lower(user),
    time: entry.time,
    symbol,
    destination: lower(destination),
    market,
    amount,
    nonce,
  };
}

function lower(text: string): Hex {
  return text.toLowerCase() as Hex;
}

const toBody = (type: string, [fields]: readonly unknown[]) => ({ type, ...(fields as object | undefined) });

export function createInfoEndpoint(url: string): RpcEndpoint {
  return createRestEndpoint({
    url,
    timeoutMs: RPC_TIMEOUT_MS,
    toCall: (method, params): RestCall => ({ path: "/info", body: toBody(method, params) }),
  });
}

/** Creates the endpoint of the explorer, which has a separate host. */
export function createExplorerEndpoint(url: string): RpcEndpoint {
  return createRestEndpoint({
    url: explorerHost(url),
    timeoutMs: RPC_TIMEOUT_MS,
    isAbsent: isUnknown,
    toCall: (method, params): RestCall => ({ path: "/explorer", body: toBody(method, params) }),
  });
}

/**
 * Creates an endpoint of a proxy for the explorer, with separate rate limits.
 *
 * @returns undefined if the settings have none
 */
export function createProxyEndpoint(
  url: string,
  { proxyApiUrl, proxyApiKey }: AdditionalData,
): RpcEndpoint | undefined {
  if (proxyApiUrl === undefined) return undefined;
  const target = { url: `${explorerHost(url).replace(/\/$/u, "")}/explorer` };
  return createRestEndpoint({
    url: proxyApiUrl,
    timeoutMs: RPC_TIMEOUT_MS,
    isAbsent: isUnknown,
    credentials: fixedHeaders({ ...target, ...(proxyApiKey === undefined ? {} : { "x-nft-api-key": proxyApiKey }) }),
    toCall: (method, params): RestCall => ({ path: "", body: toBody(method, params) }),
  });
}

export function explorerHost(url: string): string {
  return url.replace("//api.", "//rpc.");
}

/** Explorers report unknown hashes in several ways. */
function isUnknown(status: number, content: unknown): boolean {
  if (status === 404 || content === null) return true;
  const { type, tx, message } = (content ?? {}) as Record<string, unknown>;
  if (type === "txDetails") return tx === null;
  return type === "error" && typeof message === "string" && /not found/iu.test(message);
}
