import { type Hex, zeroAddress } from "viem";

import { onchainId } from "@crosscall/protocol/attestation";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { DepositsAnswer, DepositsRequest } from "../vmChain.ts";
import type { EvmChain } from "./evmChain.ts";
import type { EvmReceipt } from "./evmReader.ts";
import { fastFinalityOf, type Finality } from "./finality.ts";
import { findDeposits, type FoundDeposit, soleBareTransfer } from "./findDeposits.ts";
import type { IncludedTransaction } from "./transactions.ts";

/** Of a final receipt, whose object is cached: callers repeat requests. The id is spelled as the caller did last. */
const final = new WeakMap<EvmReceipt, { readonly transactionId: string; readonly answer: DepositsAnswer }>();

export async function readDeposits(chain: EvmChain, { transactionId, mode }: DepositsRequest): Promise<DepositsAnswer> {
  const { dialect, options, transactions, finality, depository } = chain;
  const { id, additionalData } = options;
  requireAttested(depository !== undefined && options.depository !== undefined, "Chain has no depository configured");
  const hash = dialect.toHash(transactionId);
  const find = ({ receipt }: IncludedTransaction): readonly FoundDeposit[] =>
    findDeposits(receipt.logs, {
      depository,
      isZksyncStack: additionalData.isZksyncStack ?? false,
      eventsFollowLater: dialect.eventsFollowLater,
    });
  const currencyOf = ({ currency }: FoundDeposit): string =>
    currency === zeroAddress ? dialect.nativeCurrency : dialect.fromEvm(currency);
  const fastOf = (deposits: readonly FoundDeposit[]): Finality | undefined =>
    mode === "fast"
      ? fastFinalityOf(
          additionalData,
          deposits.map((deposit) => ({ ...deposit, currency: currencyOf(deposit) })),
        )
      : undefined;
  const included = await transactions.read(transactionId, hash, (one) => fastOf(find(one)) ?? finality);
  const known = final.get(included.receipt);
  if (mode === "slow" && known?.transactionId === transactionId) return known.answer;
  const found = find(included);

  const bare = soleBareTransfer(included.receipt.logs, depository, found);
  let trailingId: Hex | undefined;
  if (bare !== undefined) {
    const { input } = await transactions.readSent(transactionId, hash);
    trailingId = dialect.findTrailingId(input, { depository, amount: bare.amount });
  }
  const answer: DepositsAnswer = {
    deposits: found.map((deposit) => ({
      onchainId: onchainId(id, transactionId, deposit.logIndex),
      place: `${included.block.hash}:${hash}:${deposit.logIndex}`,
      depository: options.depository ?? "",
      depositId: deposit === bare && trailingId !== undefined ? trailingId : deposit.id,
      depositor: dialect.fromEvm(deposit.depositor),
      currency: currencyOf(deposit),
      amount: deposit.amount,
      timestamp: included.block.timestamp,
    })),
    mode: fastOf(found) === undefined ? "slow" : "fast",
  };
  if (mode === "slow") final.set(included.receipt, { transactionId, answer });
  return answer;
}
