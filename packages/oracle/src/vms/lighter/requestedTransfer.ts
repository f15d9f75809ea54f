import { type Hex, decodeAbiParameters, keccak256, parseAbiParameters, stringToHex } from "viem";

import { MalformedDataError } from "@crosscall/protocol/core";
import type { LighterTransfer } from "./lighterReader.ts";
import { memoHex } from "./transfer.ts";

const ENVELOPE = parseAbiParameters("(uint8 kind, bytes parameters)");
const TRANSFER = parseAbiParameters([
  "Transfer transfer",
  "struct Transfer { uint64 nonce; uint64 from; uint64 fromRoute; uint64 apiKey; uint64 to; uint64 toRoute; uint64 asset; uint64 amount; uint64 fee; uint64 exchange; bytes32 memo; }",
]);

/** A transfer as the depository's EVM key signs it. */
export interface SignedTransfer {
  readonly nonce: bigint;
  readonly from: bigint;
  readonly fromRoute: bigint;
  readonly apiKey: bigint;
  readonly to: bigint;
  readonly toRoute: bigint;
  readonly asset: bigint;
  readonly amount: bigint;
  readonly fee: bigint;
  /** The exchange's own chain id. */
  readonly exchange: bigint;
  readonly memo: Hex;
}

/**
 * The transfer that the allocator built.
 *
 * @throws {@link MalformedDataError} for a malformed payload, and for other actions of the depository
 */
export function decodeRequestedTransfer(payload: Hex): SignedTransfer {
  const [{ kind, parameters }] = decode(() => decodeAbiParameters(ENVELOPE, payload));
  if (kind !== 0) throw malformed("it is not a transfer");
  return decode(() => decodeAbiParameters(TRANSFER, parameters))[0];
}

/** Hash of the text that the EVM key signs (spec 5, section 2). */
export function transferId(transfer: SignedTransfer): Hex {
  const { nonce, from, fromRoute, apiKey, to, toRoute, asset, amount, fee, exchange, memo } = transfer;
  const lines = [
    "Transfer",
    "",
    `nonce: ${word(nonce)}`,
    `from: ${word(from)} (route ${word(fromRoute)})`,
    `api key: ${word(apiKey)}`,
    `to: ${word(to)} (route ${word(toRoute)})`,
    `asset: ${word(asset)}`,
    `amount: ${word(amount)}`,
    `fee: ${word(fee)}`,
    `chainId: ${word(exchange)}`,
    `memo: ${memo.slice(2)}`,
    "Only sign this message for a trusted client!",
  ];
  return keccak256(stringToHex(lines.join("\n")));
}

/**
 * A transfer of the exchange in the form that is signed.
 *
 * @returns undefined if the exchange reports it incompletely
 */
export function signedTransferOf(transfer: LighterTransfer, exchange: bigint): SignedTransfer | undefined {
  const { from, to, asset, route, amount, memo, terms } = transfer;
  if (terms === undefined) return undefined;
  return {
    nonce: BigInt(terms.nonce),
    from,
    fromRoute: BigInt(terms.fromRoute),
    apiKey: BigInt(terms.apiKey),
    to,
    toRoute: BigInt(route),
    asset: BigInt(asset),
    amount,
    fee: terms.fee,
    exchange,
    memo: `0x${memoHex(memo).slice(2).padEnd(64, "0")}`,
  };
}

/** 8 bytes, or more for a value that no transfer of the exchange has. */
function word(value: bigint): Hex {
  return `0x${value.toString(16).padStart(16, "0")}`;
}

function decode<Values>(read: () => Values): Values {
  try {
    return read();
  } catch (cause) {
    throw malformed("it is not an action of the exchange", cause);
  }
}

function malformed(reason: string, cause?: unknown): MalformedDataError {
  return new MalformedDataError({ what: "the withdrawal", path: "", reason, cause });
}
