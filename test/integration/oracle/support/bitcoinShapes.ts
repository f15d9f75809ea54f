import { createHash } from "node:crypto";

import { bech32, bech32m, createBase58check } from "@scure/base";
import { concat, type Hex, hexToBytes, stringToHex, toHex } from "viem";

import { JsonRpcFault, type RecordedResponse } from "./recordedServer.ts";

const base58check = createBase58check((bytes: Uint8Array) => createHash("sha256").update(bytes).digest());

/** Returns 20 or 32 bytes derived from a name. */
function hashOf(name: string, length: 20 | 32 = 20): Hex {
  return `0x${createHash("sha256")
    .update(name)
    .digest("hex")
    .slice(0, 2 * length)}`;
}

/** Sender or recipient, with every encoding of its address. */
export interface Party {
  readonly address: string;
  /** Encoding in messages. */
  readonly encoded: Hex;
  /** Output script that pays the party. */
  readonly script: Hex;
}

/** Returns a party with a witness address from its public key hash. */
export function witnessParty(name: string): Party {
  const hash = hashOf(name);
  return {
    address: bech32.encode("bc", [0, ...bech32.toWords(hexToBytes(hash))]),
    encoded: concat(["0x00", hash]),
    script: concat(["0x0014", hash]),
  };
}

/** Returns a party with a Taproot address from its tweaked public key. */
export function taprootParty(name: string): Party {
  const key = hashOf(name, 32);
  return {
    address: bech32m.encode("bc", [1, ...bech32m.toWords(hexToBytes(key))]),
    encoded: concat(["0x01", key]),
    script: concat(["0x5120", key]),
  };
}

/** Returns a party with a legacy address from its key hash or script hash. */
export function legacyParty(name: string, kind: "key" | "script"): Party {
  const hash = hashOf(name);
  const payload = concat([kind === "key" ? "0x00" : "0x05", hash]);
  return {
    address: base58check.encode(hexToBytes(payload)),
    encoded: concat(["0xff", payload]),
    script: kind === "key" ? concat(["0x76a914", hash, "0x88ac"]) : concat(["0xa914", hash, "0x87"]),
  };
}

/** Returns an output script that contains text. */
function noteScript(text: string): Hex {
  const data = stringToHex(text);
  const length = (data.length - 2) / 2;
  return concat(["0x6a", ...(length > 75 ? (["0x4c"] as const) : []), toHex(length, { size: 1 }), data]);
}

/** Returns a transaction hash derived from a name. */
export function txidOf(name: string): string {
  return createHash("sha256").update(name).digest("hex");
}

/** Contents of a transaction. */
export interface TestTransaction {
  readonly txid: string;
  /** Spent outputs. `coinbase` stands for new coins. */
  readonly inputs: readonly (
    | { readonly txid: string; readonly vout: number; readonly witness?: readonly Hex[] }
    | "coinbase"
  )[];
  readonly outputs: readonly { readonly script: Hex; readonly satoshis: bigint }[];
  /** Block of the transaction. Omitted while the transaction is pending. */
  readonly block?: { readonly height: number; readonly time: number; readonly isStale?: boolean };
}

type TestBlock = NonNullable<TestTransaction["block"]>;

/** Returns the hash of a block. */
function blockHashOf({ height, time }: TestBlock): string {
  return txidOf(`block ${height} of ${time}`);
}

/** Returns a node's response to `getrawtransaction`. */
function coreShape({ txid, inputs, outputs, block }: TestTransaction, tip: number) {
  return {
    txid,
    hash: txid,
    version: 2,
    size: 222,
    vsize: 141,
    weight: 561,
    locktime: 0,
    vin: inputs.map((input) =>
      input === "coinbase"
        ? { coinbase: "03", sequence: 4294967295 }
        : {
            ...{ txid: input.txid, vout: input.vout, scriptSig: { asm: "", hex: "" }, sequence: 4294967293 },
            txinwitness: input.witness?.map((item) => item.slice(2)) ?? ["30"],
          },
    ),
    vout: outputs.map(({ script, satoshis }, n) => ({
      // A node returns amounts in BTC with eight decimals.
      value: Number(`${satoshis / 100_000_000n}.${`${satoshis % 100_000_000n}`.padStart(8, "0")}`),
      n,
      scriptPubKey: { asm: "", desc: "", hex: script.slice(2), type: "witness_v0_keyhash" },
    })),
    hex: "02",
    ...(block === undefined
      ? {}
      : {
          blockhash: blockHashOf(block),
          time: block.time,
          blocktime: block.time,
          confirmations: block.isStale === true ? 0 : tip - block.height + 1,
        }),
  };
}

/** Returns a node's response to `getblockheader`. */
function coreHeader(block: TestBlock, tip: number) {
  const { height, time, isStale = false } = block;
  return { hash: blockHashOf(block), confirmations: isStale ? -1 : tip - height + 1, height, time };
}

/** Returns a block explorer's response to `/tx/…`. */
function esploraShape({ txid, inputs, outputs, block }: TestTransaction) {
  return {
    txid,
    version: 2,
    locktime: 0,
    size: 222,
    weight: 561,
    fee: 300,
    vin: inputs.map((input) =>
      input === "coinbase"
        ? { txid: "0".repeat(64), vout: 4294967295, prevout: null, is_coinbase: true, sequence: 4294967295 }
        : {
            ...{ txid: input.txid, vout: input.vout, scriptsig: "", is_coinbase: false, sequence: 4294967293 },
            ...(input.witness === undefined ? {} : { witness: input.witness.map((item) => item.slice(2)) }),
          },
    ),
    vout: outputs.map(({ script, satoshis }) => ({
      scriptpubkey: script.slice(2),
      scriptpubkey_type: "v0_p2wpkh",
      value: Number(satoshis),
    })),
    status:
      block === undefined || block.isStale === true
        ? { confirmed: false }
        : {
            confirmed: true,
            block_height: block.height,
            block_time: block.time,
            block_hash: blockHashOf(block),
          },
  };
}

/** Output: a party and its amount in satoshis, or text. */
export type TestOutput = readonly [Party, bigint] | string;

export const TIP = 900_000;
const TIME = 1_790_000_000;

/** Chain with its data in the formats of a node and a block explorer. */
export class BitcoinChain {
  readonly transactions = new Map<string, TestTransaction>();
  /** Spent outputs, as `<txid>:<vout>`. */
  readonly spent = new Set<string>();
  /** Confirmed transactions that spend an output, by `<txid>:<vout>`, for the explorer. */
  readonly spenders = new Map<string, string>();
  private readonly prefix: string;

  /** @param prefix prefix of the names from which transaction hashes are derived */
  constructor(prefix = "") {
    this.prefix = prefix;
  }

  add(transaction: TestTransaction): string {
    this.transactions.set(transaction.txid, transaction);
    return transaction.txid;
  }

  /** Pays parties from an output that the sender received in another transaction. Uses a final block by default. */
  pay(
    name: string,
    sender: Party,
    to: readonly TestOutput[],
    block: TestTransaction["block"] | null = { height: TIP - 1, time: TIME },
  ): string {
    const coins = { script: sender.script, satoshis: 10n ** 14n };
    const outputs = [{ script: witnessParty("carol").script, satoshis: 1n }, coins];
    const funding = this.add({ txid: txidOf(`${this.prefix}funds ${name}`), inputs: ["coinbase"], outputs });
    return this.add({
      txid: txidOf(`${this.prefix}${name}`),
      inputs: [{ txid: funding, vout: 1 }],
      outputs: to.map((output) =>
        typeof output === "string"
          ? { script: noteScript(output), satoshis: 0n }
          : { script: output[0].script, satoshis: output[1] },
      ),
      ...(block === null ? {} : { block }),
    });
  }

  /** Returns the node's result for an RPC method. */
  answerRpc(method: string, [first, vout]: readonly unknown[]): unknown {
    if (method === "getblockcount") return TIP;
    if (method === "getblockheader") {
      const blocks = [...this.transactions.values()].flatMap(({ block }) => block ?? []);
      const found = blocks.find((block) => blockHashOf(block) === first);
      return found === undefined ? new JsonRpcFault(-5, "Block not found") : coreHeader(found, TIP);
    }
    const transaction = this.transactions.get(String(first));
    if (transaction === undefined) {
      const message = "No such mempool or blockchain transaction. Use gettransaction for wallet transactions.";
      return new JsonRpcFault(-5, message);
    }
    const shape = coreShape(transaction, TIP);
    if (method === "getrawtransaction") return shape;
    const output = shape.vout[Number(vout)];
    if (output === undefined || this.spent.has(`${String(first)}:${String(vout)}`)) return null;
    const { value, scriptPubKey } = output;
    return { bestblock: txidOf("best"), confirmations: 4, value, scriptPubKey, coinbase: false };
  }

  /** Returns the explorer's response for a path. */
  respondExplorer(path: string): RecordedResponse {
    if (path === "/blocks/tip/height") return { body: `${TIP}` };
    const [, , id = "", part, vout = ""] = path.split("/");
    const transaction = this.transactions.get(id);
    if (transaction === undefined) return { status: 404, body: "Transaction not found" };
    if (part === undefined) return { body: esploraShape(transaction) };
    const spender = this.spenders.get(`${id}:${vout}`);
    if (spender !== undefined) return { body: { spent: true, txid: spender, vin: 0, status: { confirmed: true } } };
    return this.spent.has(`${id}:${vout}`)
      ? { body: { spent: true, txid: txidOf("next"), vin: 0, status: { confirmed: false } } }
      : { body: { spent: false } };
  }
}
