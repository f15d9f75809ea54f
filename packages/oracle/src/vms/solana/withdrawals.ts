import { base58 } from "@scure/base";
import { type Hex, bytesToHex, hexToBytes, isHex, sha256 } from "viem";

import { MalformedDataError } from "@crosscall/protocol/core";
import { SOLANA_CODEC, usedRequestOf } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { Withdrawal, WithdrawalStatus } from "../vmChain.ts";
import type { SolanaAccount, SolanaReader } from "./solanaReader.ts";

/**
 * Length of a request: domain, recipient, token flag, amount, nonce, expiration and vault. A token comes before the
 * amount.
 */
const NATIVE_BYTES = 32 + 32 + 1 + 8 + 8 + 8 + 32;
const KEY_BYTES = 32;

/**
 * Decodes a Borsh-encoded request. Its hash is the withdrawal's id.
 *
 * @throws {@link MalformedDataError} for a malformed payload
 */
export function decodeWithdrawal(payload: Hex): Withdrawal {
  const bytes = hexToBytes(payload);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const hasToken = bytes[64] === 1;
  const isWhole = bytes.length === NATIVE_BYTES + (hasToken ? KEY_BYTES : 0) && (hasToken || bytes[64] === 0);
  // Rejects trailing bytes, which would change the hash, but which the program ignores.
  if (!isWhole) throw malformed("the withdrawal", "it is not a transfer request");
  const numbers = hasToken ? 65 + KEY_BYTES : 65;
  return {
    payload,
    withdrawalId: sha256(bytes),
    expiration: view.getBigInt64(numbers + 16, true),
    payout: () => ({
      currency: hasToken ? base58.encode(bytes.subarray(65, 65 + KEY_BYTES)) : SOLANA_CODEC.nativeCurrency,
      recipient: base58.encode(bytes.subarray(32, 64)),
      amount: view.getBigUint64(numbers, true),
    }),
  };
}

/**
 * Returns executed if the depository's program recorded the withdrawal, and expired if a finalized block is past the
 * expiration without a record.
 */
export async function readWithdrawalStatus(
  reader: SolanaReader,
  depository: string | undefined,
  { withdrawalId, expiration }: Withdrawal,
): Promise<WithdrawalStatus> {
  requireAttested(depository !== undefined, "Chain has no depository configured");
  if (!isHex(withdrawalId)) throw malformed("the withdrawal", "its id is not hex");
  // Reads the time first: if a later slot has no record, the withdrawal was not executed before that time.
  const slot = await reader.finalizedSlot();
  const [time, account] = await Promise.all([
    reader.blockTime(slot),
    reader.account(usedRequestOf(depository, withdrawalId), slot),
  ]);
  if (account !== undefined && isUsed(account, depository)) return 1;
  if (time === undefined) throw malformed("the response of an RPC endpoint", "the time of the latest slot is missing");
  return BigInt(time) > expiration ? 2 : 0;
}

/** Data of a used request: the first 8 bytes of SHA-256 of `account:UsedRequest`, then true. */
const USED = "0x87866e4d9662b46b01";

function isUsed({ owner, data }: SolanaAccount, depository: string): boolean {
  return owner === depository && bytesToHex(Buffer.from(data, "base64")).startsWith(USED);
}

function malformed(what: string, reason: string): MalformedDataError {
  return new MalformedDataError({ what, path: "", reason });
}
