import { RawTx } from "@scure/btc-signer";
import { bytesToHex, hexToBytes, isHex } from "viem";

import { type BitcoinChain, isCoinbase, outpointOf, txidOf, weightOf } from "./chain.ts";
import { findScriptFault, type Output, type RawTransaction } from "./signatures.ts";

/** Error of a node's `sendrawtransaction` method. */
export interface BroadcastFault {
  readonly code: -22 | -25 | -26 | -27;
  readonly message: string;
}

export type Broadcast =
  | { readonly kind: "valid"; readonly raw: RawTransaction }
  | { readonly kind: "invalid"; readonly fault: BroadcastFault };

/** Maximum supply of bitcoin, in satoshis. */
const MAX_MONEY = 2_100_000_000_000_000n;

/** Lock times from this value are Unix times instead of block heights. */
const LOCK_TIME_THRESHOLD = 500_000_000;
const FINAL_SEQUENCE = 0xffff_ffff;

const OP_RETURN = 0x6a;

/** Minimum amounts of outputs that nodes relay, by the length of the output's script. */
const DUST: ReadonlyMap<number, bigint> = new Map([
  [22, 294n],
  [23, 540n],
  [25, 546n],
  [34, 330n],
]);

/**
 * Checks a transaction in hex against a node's rules: the consensus rules, and the fee and dust limits of the mempool.
 */
export function checkBroadcast(chain: BitcoinChain, hex: string): Broadcast {
  const raw = decode(hex.trim());
  if (raw === undefined || raw.inputs.length === 0) {
    const message = "TX decode failed. Make sure the tx has at least one input.";
    return { kind: "invalid", fault: { code: -22, message } };
  }
  const fault = findFault(chain, raw);
  return fault === undefined ? { kind: "valid", raw } : { kind: "invalid", fault };
}

function decode(hex: string): RawTransaction | undefined {
  const prefixed = `0x${hex}`;
  if (!isHex(prefixed) || hex.length % 2 === 1) return undefined;
  try {
    const raw = RawTx.decode(hexToBytes(prefixed));
    // Another encoding of the same transaction would have a different size and hash.
    return bytesToHex(RawTx.encode(raw)) === prefixed.toLowerCase() ? raw : undefined;
  } catch {
    return undefined;
  }
}

function findFault(chain: BitcoinChain, raw: RawTransaction): BroadcastFault | undefined {
  const reject = (message: string): BroadcastFault => ({ code: -26, message });
  if (chain.transactions.has(txidOf(raw))) return { code: -27, message: "Transaction outputs already in utxo set" };
  if (isCoinbase(raw)) return reject("coinbase");
  if (raw.outputs.length === 0) return reject("bad-txns-vout-empty");
  const outpoints = raw.inputs.map(outpointOf);
  if (new Set(outpoints.map(({ txid, vout }) => `${txid}:${vout}`)).size < outpoints.length) {
    return reject("bad-txns-inputs-duplicate");
  }
  const paid = total(raw.outputs);
  if (raw.outputs.some(({ amount }) => amount > MAX_MONEY)) return reject("bad-txns-vout-toolarge");
  if (paid > MAX_MONEY) return reject("bad-txns-txouttotal-toolarge");
  if (raw.outputs.some(isDust)) return reject("dust");
  if (!isFinal(chain, raw)) return reject("non-final");
  const spent = outpoints.flatMap(({ txid, vout }) =>
    chain.findSpender(txid, vout) === undefined ? (chain.findOutput(txid, vout) ?? []) : [],
  );
  if (spent.length < outpoints.length) return { code: -25, message: "bad-txns-inputs-missingorspent" };
  const fee = total(spent) - paid;
  if (fee < 0n) return reject(`bad-txns-in-belowout, value in (${total(spent)}) < value out (${paid})`);
  const smallest = BigInt(Math.ceil(weightOf(raw) / 4));
  if (fee < smallest) return reject(`min relay fee not met, ${fee} < ${smallest}`);
  for (const index of raw.inputs.keys()) {
    const reason = findScriptFault(raw, index, spent);
    if (reason !== undefined) return reject(`mandatory-script-verify-flag-failed (${reason})`);
  }
  return undefined;
}

function total(outputs: readonly Output[]): bigint {
  return outputs.reduce((sum, { amount }) => sum + amount, 0n);
}

function isDust({ script, amount }: Output): boolean {
  return script[0] !== OP_RETURN && amount < (DUST.get(script.length) ?? 0n);
}

function isFinal(chain: BitcoinChain, { lockTime, inputs }: RawTransaction): boolean {
  const { height, time } = chain.tip();
  return (
    lockTime < (lockTime < LOCK_TIME_THRESHOLD ? height + 1 : time) ||
    inputs.every(({ sequence }) => sequence === FINAL_SEQUENCE)
  );
}
