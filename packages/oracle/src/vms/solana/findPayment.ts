import { MalformedDataError } from "@crosscall/protocol/core";
import { SOLANA_CODEC } from "@crosscall/protocol/vms";
import type { SolanaTransaction } from "./solanaReader.ts";

/**
 * By the increase of the recipient's balance over all of their token accounts.
 *
 * @throws {@link MalformedDataError} if the node's JSON number cannot hold the balance exactly
 */
export function findPayment(
  { nativeChanges, tokenChanges }: SolanaTransaction,
  recipient: string,
  currency: string,
): bigint {
  if (currency !== SOLANA_CODEC.nativeCurrency) {
    return tokenChanges
      .filter(({ owner, mint }) => owner === recipient && mint === currency)
      .reduce((paid, { amount }) => paid + amount, 0n);
  }
  const change = nativeChanges.find(({ account }) => account === recipient);
  if (change === undefined) return 0n;
  if (change.amount !== undefined) return change.amount;
  const reason = "the recipient's balance is too large to be read exactly";
  throw new MalformedDataError({ what: "the transaction", path: "", reason });
}
