import { type Hex, isHex } from "viem";

import { HYPERLIQUID_CODEC } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { Withdrawal, WithdrawalHints, WithdrawalStatus } from "../vmChain.ts";
import type { ExchangeTransaction, HyperliquidReader } from "./hyperliquidReader.ts";
import { decodeRequestedAction } from "./requestedAction.ts";

/** Actions of the exchange have no expiration. */
export function decodeWithdrawal(payload: Hex): Withdrawal {
  const { hash, payout } = decodeRequestedAction(payload);
  return { payload, withdrawalId: hash, expiration: 0n, payout };
}

/**
 * Executed if a depository's transaction with the same signed data succeeded, among its latest or the one that the
 * caller names; expired if all of them failed, since those can be sent again; else pending, whatever its age.
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
  let status: WithdrawalStatus = 0;
  for (const depository of depositories) {
    const found = (await reader.latestOf(depository)).filter(isSame);
    if (found.some(({ isSuccess }) => isSuccess)) return 1;
    if (found.length > 0) status = 2;
  }
  if (transactionId === undefined) return status;
  const hash = HYPERLIQUID_CODEC.encodeTransactionId(transactionId, "transactionId");
  const named = await reader.transaction(hash);
  requireAttested(named !== undefined, `Missing transaction ${transactionId} on chain ${chainId}`);
  if (!isSame(named)) return status;
  return named.isSuccess ? 1 : 2;
}
