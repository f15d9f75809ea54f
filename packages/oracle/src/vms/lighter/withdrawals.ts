import type { Hex } from "viem";

import type { Clock } from "@crosscall/protocol/core";
import { lighterCurrency } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { Withdrawal, WithdrawalHints, WithdrawalStatus } from "../vmChain.ts";
import { type LighterExplorer, type ListedTransfer, PAGE_SIZE } from "./lighterExplorer.ts";
import type { LighterTransaction } from "./lighterReader.ts";
import { decodeRequestedTransfer, type SignedTransfer, signedTransferOf, transferId } from "./requestedTransfer.ts";

/** Pages of the explorer per request. */
const MAX_PAGES = 3;

/** For clocks that differ. */
const EXPIRY_BUFFER_MS = 60_000;

/** Texts that an EVM key signs for the exchange have no expiration; only transactions do. */
export function decodeWithdrawal(payload: Hex): Withdrawal {
  const transfer = decodeRequestedTransfer(payload);
  const { asset, fromRoute, to, amount } = transfer;
  return {
    payload,
    withdrawalId: transferId(transfer),
    expiration: 0n,
    payout: () => ({ currency: lighterCurrency(asset, fromRoute), recipient: to.toString(), amount }),
  };
}

export interface WithdrawalSource {
  readonly chainId: string;
  readonly depositories: readonly string[];
  /** Undefined if the exchange does not have it. */
  readonly readTransaction: (transactionId: string) => Promise<LighterTransaction | undefined>;
  readonly explorer: LighterExplorer | undefined;
  readonly clock: Clock;
}

/**
 * Executed if a transfer with the same signed text was. Expired if all such transfers failed, and the list of the
 * depository's transfers reaches back far enough to show that no other was executed; else pending.
 */
export async function readWithdrawalStatus(
  source: WithdrawalSource,
  { payload, withdrawalId }: Withdrawal,
  { transactionId }: WithdrawalHints,
): Promise<WithdrawalStatus> {
  const { chainId, depositories, readTransaction, explorer, clock } = source;
  const requested = decodeRequestedTransfer(payload);
  const depository = requested.from.toString();
  requireAttested(depositories.length > 0, "Chain has no depository configured");
  const isConfigured = depositories.includes(depository);
  requireAttested(isConfigured, `Depository ${depository} is not configured for chain ${chainId}`);
  const isSame = ({ transfer }: LighterTransaction): boolean => {
    const signed = transfer === undefined ? undefined : signedTransferOf(transfer, requested.exchange);
    return signed !== undefined && transferId(signed) === withdrawalId;
  };
  const attempts: LighterTransaction[] = [];
  if (transactionId !== undefined) {
    const named = await readTransaction(transactionId);
    requireAttested(named !== undefined, `Missing transaction ${transactionId} on chain ${chainId}`);
    if (isSame(named)) attempts.push(named);
    if (attempts.some(({ isExecuted }) => isExecuted)) return 1;
  }
  let isComplete = false;
  for (let page = 0; page < MAX_PAGES && !isComplete && explorer !== undefined; page += 1) {
    const listed = await explorer.transfersOf(depository, page);
    const own = listed.filter(({ from }) => from === depository);
    for (const { hash } of own.filter(({ to }) => to === requested.to.toString())) {
      const transaction = await readTransaction(hash);
      if (transaction === undefined || !isSame(transaction)) continue;
      if (transaction.isExecuted) return 1;
      attempts.push(transaction);
    }
    isComplete = listed.length < PAGE_SIZE || (await isBefore(own.at(-1), requested, readTransaction));
  }
  const isOver = ({ isRejected, transfer }: LighterTransaction): boolean =>
    isRejected || clock.now() > (transfer?.expiresAt ?? Number.POSITIVE_INFINITY) + EXPIRY_BUFFER_MS;
  return isComplete && attempts.length > 0 && attempts.every(isOver) ? 2 : 0;
}

/** The exchange executes an API key's transactions in the order of their nonces. */
async function isBefore(
  listed: ListedTransfer | undefined,
  requested: SignedTransfer,
  readTransaction: WithdrawalSource["readTransaction"],
): Promise<boolean> {
  if (listed === undefined) return false;
  const transaction = await readTransaction(listed.hash);
  const terms = transaction?.isExecuted === true ? transaction.transfer?.terms : undefined;
  return terms !== undefined && BigInt(terms.apiKey) === requested.apiKey && BigInt(terms.nonce) <= requested.nonce;
}
