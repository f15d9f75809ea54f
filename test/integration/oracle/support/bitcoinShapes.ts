import { createHash } from "node:crypto";

import { bech32, bech32m, createBase58check } from "@scure/base";
import { concat, type Hex, hexToBytes, stringToHex, toHex } from "viem";

const base58check = createBase58check((bytes: Uint8Array) => createHash("sha256").update(bytes).digest());

/** 20 or 32 bytes derived from a name. */
function hashOf(name: string, length: 20 | 32 = 20): Hex {
  return `0x${createHash("sha256")
    .update(name)
    .digest("hex")
    .slice(0, 2 * length)}`;
}

/** A party that can be paid, in each encoding of its address. */
export interface Party {
  readonly address: string;
  /** As messages encode it. */
  readonly encoded: Hex;
  /** The script of its outputs. */
  readonly script: Hex;
}

/** A party by the hash of its key, in a witness. */
export function witnessParty(name: string): Party {
  const hash = hashOf(name);
  return {
    address: bech32.encode("bc", [0, ...bech32.toWords(hexToBytes(hash))]),
    encoded: concat(["0x00", hash]),
    script: concat(["0x0014", hash]),
  };
}

/** A party by its tweaked key. */
export function taprootParty(name: string): Party {
  const key = hashOf(name, 32);
  return {
    address: bech32m.encode("bc", [1, ...bech32m.toWords(hexToBytes(key))]),
    encoded: concat(["0x01", key]),
    script: concat(["0x5120", key]),
  };
}

/** A party by the hash of its key or script, in the legacy form. */
export function legacyParty(name: string, kind: "key" | "script"): Party {
  const hash = hashOf(name);
  const payload = concat([kind === "key" ? "0x00" : "0x05", hash]);
  return {
    address: base58check.encode(hexToBytes(payload)),
    encoded: concat(["0xff", payload]),
    script: kind === "key" ? concat(["0x76a914", hash, "0x88ac"]) : concat(["0xa914", hash, "0x87"]),
  };
}

/** The script of an output that carries a text. */
export function noteScript(text: string): Hex {
  const data = stringToHex(text);
  const length = (data.length - 2) / 2;
  return concat(["0x6a", ...(length > 75 ? (["0x4c"] as const) : []), toHex(length, { size: 1 }), data]);
}

/** A transaction hash derived from a name. */
export function txidOf(name: string): string {
  return createHash("sha256").update(name).digest("hex");
}

/** The contents of a transaction. */
export interface TestTransaction {
  readonly txid: string;
  /** The outputs it spends; `coinbase` creates new coins. */
  readonly inputs: readonly (
    | { readonly txid: string; readonly vout: number; readonly witness?: readonly Hex[] }
    | "coinbase"
  )[];
  readonly outputs: readonly { readonly script: Hex; readonly satoshis: bigint }[];
  /** Omitted while it is pending. */
  readonly block?: { readonly height: number; readonly time: number; readonly isStale?: boolean };
}

type TestBlock = NonNullable<TestTransaction["block"]>;

/** The hash of a block. */
export function blockHashOf({ height, time }: TestBlock): string {
  return txidOf(`block ${height} of ${time}`);
}

/** A node's response to `getrawtransaction`. */
export function coreShape({ txid, inputs, outputs, block }: TestTransaction, tip: number) {
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
      // A node returns coins, with eight decimals.
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

/** A node's response to `getblockheader`. */
export function coreHeader(block: TestBlock, tip: number) {
  const { height, time, isStale = false } = block;
  return { hash: blockHashOf(block), confirmations: isStale ? -1 : tip - height + 1, height, time };
}

/** A block explorer's response to `/tx/…`. */
export function esploraShape({ txid, inputs, outputs, block }: TestTransaction) {
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
