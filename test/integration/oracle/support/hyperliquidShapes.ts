import { createHash } from "node:crypto";

import { type Hex, sha256, stringToHex } from "viem";

import { bindEntry, type HubWorlds } from "../vectors/hubCases.ts";
import type { RecordedResponse, RecordedCall } from "./recordedServer.ts";
import { aliasOf } from "./vectors.ts";

export const DOLLAR = "0x6d1e7cde53ba9467b783cb7c530ce054";
export const COIN = "0x0d01dc56dcaaca66ad901c959b4011ec";
export const ALICE: Hex = `0x${"aa".repeat(20)}`;
export const BOB: Hex = `0x${"bb".repeat(20)}`;
/** Time of all transfers in Unix seconds, without the milliseconds. Each transfer happens 789 milliseconds later. */
const TIME = 1_790_000_000;

/** Transfer on the exchange. */
export interface Sent {
  readonly destination: string;
  /** Decimal text. */
  readonly amount: string;
  /** Token to transfer. Omitted for the older action, which transfers dollars of the main market. */
  readonly token?: string | undefined;
  readonly market?: string;
  readonly error?: string | null;
  readonly sender?: Hex;
  readonly time?: number;
}

/** Stand-in for the exchange and for the hub's nonce mapping. */
export class HyperliquidExchange {
  readonly transactions = new Map<string, object>();
  /** Ledger entries by `<account> at <milliseconds>`. */
  readonly ledgers = new Map<string, object[]>();
  readonly hub: HubWorlds;
  nonce = 1_761_563_890_000;

  constructor(hub: HubWorlds) {
    this.hub = hub;
  }

  send({ destination, amount, token, market = "", error = null, sender = ALICE, time = TIME }: Sent) {
    this.nonce += 1;
    const { nonce } = this;
    const hash: Hex = `0x${createHash("sha256").update(`hyperliquid ${nonce}`).digest("hex")}`;
    const common = { signatureChainId: "0x1", hyperliquidChain: "Mainnet", destination, amount };
    const action =
      token === undefined
        ? { type: "usdSend", ...common, time: nonce }
        : { type: "sendAsset", ...common, sourceDex: "", destinationDex: market, token, fromSubAccount: "", nonce };
    this.transactions.set(hash, { time: time * 1000 + 789, user: sender, action, block: 776_752_679, hash, error });
    return { hash, nonce };
  }

  /** Maps a nonce on the hub. */
  bind(nonce: number, data: Hex, { createdAt = TIME, wallet = ALICE } = {}): void {
    const id = sha256(stringToHex(`NONCE_MAPPING:${nonce}`));
    bindEntry(this.hub, aliasOf("hyperliquid", wallet), id, data, createdAt);
  }

  /** Returns the parsed response to a request. */
  answerBody(body: string): unknown {
    const { type, hash = "", user, startTime } = JSON.parse(body) as Record<string, string | undefined>;
    if (type === "txDetails") {
      const tx = this.transactions.get(hash);
      return tx === undefined ? { type: "error", message: "Transaction not found" } : { type, tx };
    }
    if (type !== "spotMeta") return this.ledgers.get(`${user} at ${startTime}`) ?? [];
    const token = { weiDecimals: 8, isCanonical: true };
    const dollar = { ...token, name: "USDC", index: 0, tokenId: DOLLAR, szDecimals: 8 };
    return { tokens: [dollar, { ...token, name: "COIN", index: 150, tokenId: COIN, szDecimals: 2 }], universe: [] };
  }

  readonly answer = ({ body }: RecordedCall): RecordedResponse => ({ body: this.answerBody(body) });
}
