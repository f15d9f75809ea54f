import { type Hex, isHex } from "viem";

import { HYPERLIQUID_CODEC } from "@crosscall/sdk/internal/protocol/vms/hyperliquid";
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
 * What became of a withdrawal: executed when a depository's transaction with the same signed words succeeded, among its
 * latest or the one that the caller names; expired when such ones only failed, since what failed can be sent again; else
 * pending, however old it is.
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
