import { base58 } from "@scure/base";
import { type Hex, bytesToHex, hexToBytes, isHex, sha256 } from "viem";

import { MalformedDataError } from "@crosscall/protocol/core";
import { SOLANA_CODEC } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { Withdrawal, WithdrawalStatus } from "../vmChain.ts";
import { usedRequestOf } from "./programs.ts";
import type { SolanaAccount, SolanaReader } from "./solanaReader.ts";

/** Domain, recipient, token flag, amount, nonce, expiration, vault; a token precedes the amount. */
const NATIVE_BYTES = 32 + 32 + 1 + 8 + 8 + 8 + 32;
const KEY_BYTES = 32;

/**
 * Decodes the Borsh-encoded request, whose hash is the withdrawal's id (spec 5, section 2).
 *
 * @throws {@link MalformedDataError} for a malformed payload
 */
export function decodeWithdrawal(payload: Hex): Withdrawal {
  const bytes = hexToBytes(payload);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const hasToken = bytes[64] === 1;
  const isWhole = bytes.length === NATIVE_BYTES + (hasToken ? KEY_BYTES : 0) && (hasToken || bytes[64] === 0);
  // Trailing bytes would change the hash, but not how the program reads it.
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
 * Returns executed if the depository's program recorded it; expired if a finalized block is past the expiration without
 * a record.
 */
export async function readWithdrawalStatus(
  reader: SolanaReader,
  depository: string | undefined,
  { withdrawalId, expiration }: Withdrawal,
): Promise<WithdrawalStatus> {
  requireAttested(depository !== undefined, "Chain has no depository configured");
  if (!isHex(withdrawalId)) throw malformed("the withdrawal", "its id is not hex");
  // Reads the time first: without a record at a later slot, it was not executed before.
  const slot = await reader.finalizedSlot();
  const [time, account] = await Promise.all([
    reader.blockTime(slot),
    reader.account(usedRequestOf(depository, withdrawalId), slot),
  ]);
  if (account !== undefined && isUsed(account, depository)) return 1;
  if (time === undefined) throw malformed("the response of an RPC endpoint", "the time of its latest slot is missing");
  return BigInt(time) > expiration ? 2 : 0;
}

/** The first 8 bytes of SHA-256 of `account:UsedRequest`, and true. */
const USED = "0x87866e4d9662b46b01";

function isUsed({ owner, data }: SolanaAccount, depository: string): boolean {
  return owner === depository && bytesToHex(Buffer.from(data, "base64")).startsWith(USED);
}

function malformed(what: string, reason: string): MalformedDataError {
  return new MalformedDataError({ what, path: "", reason });
}
