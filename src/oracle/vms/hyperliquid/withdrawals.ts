import { type Hex, isHex } from "viem";

import { HYPERLIQUID_CODEC } from "../../../protocol/attestation/vms/hyperliquid.ts";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { Withdrawal, WithdrawalHints, WithdrawalStatus } from "../vmChain.ts";
import type { ExchangeTransaction, HyperliquidReader } from "./hyperliquidReader.ts";
import { decodeRequestedAction } from "./requestedAction.ts";

/** Reads the payload of a withdrawal. Actions of the exchange do not expire at a time that they name. */
export function decodeWithdrawal(payload: Hex): Withdrawal {
  const { hash, payout } = decodeRequestedAction(payload);
  return { withdrawalId: hash, expiration: 0n, payout };
}

/**
 * What became of a withdrawal: executed or expired when a depository's transaction with the same signed words succeeded or
 * failed, among its latest or the one that the caller names; else pending, however old it is.
 *
 * @param depositories in lower case
 */
export async function readWithdrawalStatus(
  { chainId, reader, depositories }: { chainId: string; reader: HyperliquidReader; depositories: readonly Hex[] },
  { withdrawalId }: Withdrawal,
  { transactionId }: WithdrawalHints,
): Promise<WithdrawalStatus> {
  requireAttested(depositories.length > 0, "Chain has no depository configured");
  const isSame = ({ sender, signedHash }: ExchangeTransaction): boolean =>
    depositories.includes(sender) && isHex(withdrawalId) && signedHash === withdrawalId;
  for (const depository of depositories) {
    const found = (await reader.latestOf(depository)).find(isSame);
    if (found !== undefined) return found.isSuccess ? 1 : 2;
  }
  if (transactionId === undefined) return 0;
  const hash = HYPERLIQUID_CODEC.encodeTransactionId(transactionId, "transactionId");
  const named = await reader.transaction(hash);
  requireAttested(named !== undefined, `Missing transaction ${transactionId} on chain ${chainId}`);
  if (!isSame(named)) return 0;
  return named.isSuccess ? 1 : 2;
}
