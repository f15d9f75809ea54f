import { concat, type Hex, hexToString, slice, zeroHash } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import { BITCOIN_CODEC } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { BitcoinOutput } from "./bitcoinReader.ts";

interface FoundDeposit {
  /** Index of the output with the id; 0 if there is no id. */
  readonly index: number;
  /** Depository as written in the configuration. */
  readonly depository: string;
  readonly depositor: string;
  /** Satoshis. */
  readonly amount: bigint;
  /** Id of the deposit; zero if there is none. */
  readonly id: Hex;
}

const ID = /^0x[0-9a-fA-F]{64}/u;
const DEPOSITOR = /\|depositor=([^|]+)(?=\|)/gu;

/**
 * Combines all outputs to one depository into a deposit, with the first id in an output. An output can contain the
 * depositor; otherwise, the depositor is the first input's address.
 *
 * @param spent outputs that the transaction spends
 * @returns undefined if the transaction spends a depository's outputs
 * @throws {@link AttestationRefusedError} if the transaction pays no depository or several depositories, or has no
 * sender
 */
export function findDeposit(
  outputs: readonly BitcoinOutput[],
  spent: readonly BitcoinOutput[],
  depositories: readonly string[],
): FoundDeposit | undefined {
  const accounts = depositories.map((address) => BITCOIN_CODEC.encodeAddress(address, "depository"));
  const senders = spent.map(({ script }) => paidAddress(script)).filter((address) => address !== undefined);
  // The change of a withdrawal is not a deposit.
  if (senders.some((address) => accounts.includes(address))) return undefined;

  const texts = outputs.map(({ script }) => carriedText(script) ?? "");
  const index = texts.findIndex((text) => ID.test(text));
  const [sender] = senders;
  const depositor = namedDepositor(texts) ?? (sender === undefined ? undefined : BITCOIN_CODEC.decodeAddress(sender));
  requireAttested(depositor !== undefined, "Could not determine depositor");

  const funded = accounts
    .map((account, place) => ({ depository: depositories[place] ?? "", amount: paidTo(outputs, account) }))
    .filter(({ amount }) => amount > 0n);
  const [deposit, other] = funded;
  requireAttested(deposit !== undefined, "No value sent to the depository");
  requireAttested(other === undefined, "Multiple depositories received funds");
  const id = (texts[index]?.slice(0, 66).toLowerCase() ?? zeroHash) as Hex;
  return { ...deposit, index: Math.max(index, 0), depositor, id };
}

/** Returns the amount paid to an address, in satoshis. */
export function paidTo(outputs: readonly BitcoinOutput[], address: Hex): bigint {
  let paid = 0n;
  for (const { script, amount } of outputs) if (paidAddress(script) === address) paid += amount;
  return paid;
}

function namedDepositor(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    for (const [, named] of text.matchAll(DEPOSITOR)) if (named !== undefined && isAddress(named)) return named;
  }
  return undefined;
}

/** Pattern of P2PKH and P2SH scripts. */
const TO_KEY_HASH = /^0x76a914([0-9a-f]{40})88ac$/u;
const TO_SCRIPT_HASH = /^0xa914([0-9a-f]{40})87$/u;
/** Pattern of a witness program: version 0 or 1 to 16, and one push. */
const TO_WITNESS = /^0x(00|5[1-9a-f]|60)([0-9a-f]{2})((?:[0-9a-f]{2}){2,40})$/u;

const LEGACY = "0xff";
const KEY_HASH_VERSION = "0x00";
const SCRIPT_HASH_VERSION = "0x05";

/**
 * Derives an output's address from the script, instead of trusting the server's text.
 *
 * @returns undefined for other kinds of scripts
 */
export function paidAddress(script: Hex): Hex | undefined {
  const keyHash = TO_KEY_HASH.exec(script)?.[1];
  if (keyHash !== undefined) return concat([LEGACY, KEY_HASH_VERSION, `0x${keyHash}`]);
  const scriptHash = TO_SCRIPT_HASH.exec(script)?.[1];
  if (scriptHash !== undefined) return concat([LEGACY, SCRIPT_HASH_VERSION, `0x${scriptHash}`]);
  const [, opcode = "", length = "", program = ""] = TO_WITNESS.exec(script) ?? [];
  if (program === "" || Number.parseInt(length, 16) !== program.length / 2) return undefined;
  const version = opcode === "00" ? 0 : Number.parseInt(opcode, 16) - 0x50;
  return `0x${version.toString(16).padStart(2, "0")}${program}`;
}

export function isAddress(text: string): boolean {
  let encoded: Hex;
  try {
    encoded = BITCOIN_CODEC.encodeAddress(text, "address");
  } catch (error) {
    if (error instanceof InvalidInputError) return false;
    throw error;
  }
  const [version, length] = [slice(encoded, 0, 1), (encoded.length - 4) / 2];
  if (version === LEGACY) return [KEY_HASH_VERSION, SCRIPT_HASH_VERSION].includes(slice(encoded, 1, 2));
  if (version === "0x00") return length === 20 || length === 32;
  return version === "0x01" ? length === 32 : length >= 2 && length <= 40;
}

const OP_RETURN = "0x6a";
const OP_PUSHDATA1 = "4c";

/** Returns the text in an `OP_RETURN` output with a single push. */
export function carriedText(script: Hex): string | undefined {
  if (!script.startsWith(OP_RETURN)) return undefined;
  const start = script.slice(4, 6) === OP_PUSHDATA1 ? 6 : 4;
  return hexToString(`0x${script.slice(2 + start)}`);
}

const ORDER_ID = /^0x[0-9a-f]{64}$/u;

/** Lists ids that are the whole text of an `OP_RETURN` output. */
export function namedOrders(outputs: readonly { readonly script: Hex }[]): readonly Hex[] {
  const texts = outputs.map(({ script }) => carriedText(script) ?? "");
  return texts.filter((text) => ORDER_ID.test(text)) as Hex[];
}
