import { type Hex, zeroHash } from "viem";

import { BITCOIN_CODEC } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { BitcoinOutput } from "./bitcoinReader.ts";
import { carriedText, isAddress, paidAddress } from "./script.ts";

export interface FoundDeposit {
  /** Index of the output with the id; 0 without an id. */
  readonly index: number;
  /** As in the configuration. */
  readonly depository: string;
  readonly depositor: string;
  /** Satoshis. */
  readonly amount: bigint;
  /** Zero without an id. */
  readonly id: Hex;
}

const ID = /^0x[0-9a-f]{64}/iu;
const DEPOSITOR = /\|depositor=([^|]+)(?=\|)/gu;

/**
 * All outputs to one depository form a deposit, with the first id in an output (spec 5, section 2). The depositor is
 * named by an output, else it is the first input's address.
 *
 * @param spent the spent outputs
 * @returns undefined if the transaction spends a depository's outputs
 * @throws {@link AttestationRefusedError} if it pays no depository or several, or has no sender
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
  const id = (texts[index]?.slice(0, 66) ?? zeroHash) as Hex;
  return { ...deposit, index: Math.max(index, 0), depositor, id };
}

/** In satoshis. */
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
