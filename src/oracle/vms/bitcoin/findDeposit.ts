import { type Hex, zeroHash } from "viem";

import { BITCOIN_CODEC } from "@crosscall/sdk/internal/protocol/vms/bitcoin";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { BitcoinOutput } from "./bitcoinReader.ts";
import { carriedText, isAddress, paidAddress } from "./script.ts";

/** A deposit as the outputs of a transaction tell it. */
export interface FoundDeposit {
  /** The output that carries the id; 0 where none does. */
  readonly index: number;
  /** As the configuration writes it. */
  readonly depository: string;
  readonly depositor: string;
  /** Satoshis. */
  readonly amount: bigint;
  /** Zero where no output carries an id. */
  readonly id: Hex;
}

const ID = /^0x[0-9a-f]{64}/iu;
const DEPOSITOR = /\|depositor=([^|]+)(?=\|)/gu;

/**
 * Finds the deposit that a transaction makes (spec 5, section 2): all that it pays to one depository, with the id of
 * the first output that carries one. The depositor is who an output names, else who the first input was paid to.
 *
 * @param spent the outputs that the transaction spends
 * @returns undefined where the transaction spends what a depository held
 * @throws {@link AttestationRefusedError} when it pays no depository, or several, or comes from nobody
 */
export function findDeposit(
  outputs: readonly BitcoinOutput[],
  spent: readonly BitcoinOutput[],
  depositories: readonly string[],
): FoundDeposit | undefined {
  const accounts = depositories.map((address) => BITCOIN_CODEC.encodeAddress(address, "depository"));
  const senders = spent.map(({ script }) => paidAddress(script)).filter((address) => address !== undefined);
  // The change of a withdrawal is no deposit.
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
  const id = (texts[index]?.slice(0, 66) ?? zeroHash) as Hex;
  return { ...deposit, index: Math.max(index, 0), depositor, id };
}

/** What outputs pay an address, in satoshis. */
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
