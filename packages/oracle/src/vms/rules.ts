import type { Hex } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import type { VmType } from "@crosscall/protocol/vms";
import { AmbiguousPaymentError, requireAttested } from "../attestationRefusedError.ts";
import type { AdditionalData } from "../chainFiles.ts";
import type { ReportSetting, Settlement } from "./vmChain.ts";

/** Returns the settlement for families without calls. As in the public oracle, calls are an error and not a refusal. */
export function withoutCalls(vmType: VmType): Pick<Settlement, "hasMadeCalls"> {
  return {
    hasMadeCalls() {
      throw new InvalidStateError({
        message: `calls of an order are not supported on chains of ${vmType}`,
        hint: "Omit the calls, or use an output chain that runs EVM contracts.",
      });
    },
  };
}

/** Returns the message of routes that do not support the family's withdrawals. */
export function withdrawalsNotSupported(vmType: VmType): string {
  return `Withdrawals on ${vmType} are not supported by this endpoint`;
}

/** Rejects a setting that has no effect but looks like a check. */
export function rejectGenesisHash({ genesisHash }: AdditionalData, report: ReportSetting, hint: string): void {
  if (genesisHash !== undefined) report("genesisHash", "this setting has no effect on chains of this family", hint);
}

/** Rejects fast mode in families that do not support it, because callers would not notice that they get slow mode. */
export function rejectFastMode(vmType: VmType, { fastMode }: AdditionalData, report: ReportSetting): void {
  if (fastMode !== undefined) report("fastMode", `chains of ${vmType} have no fast mode`, "Omit it.");
}

/**
 * Rejects payments to a depository, because they are credited as deposits and cannot also settle an order.
 *
 * @throws {@link AmbiguousPaymentError} if the recipient is a depository
 */
export function requireNoDeposit(transactionId: string, recipient: string, isDepository: boolean): void {
  if (!isDepository) return;
  throw new AmbiguousPaymentError(`transaction ${transactionId} to ${recipient}`, [
    "a deposit into that depository",
    "a payment of an order",
  ]);
}

/**
 * Requires that the transaction contains only this orderId, because one payment settles one order.
 *
 * @param named all orderIds in the transaction
 * @throws {@link AmbiguousPaymentError} if the transaction also contains another orderId
 * @throws {@link AttestationRefusedError} if the transaction does not contain this orderId
 */
export function requireOnlyOrder(transactionId: string, orderId: Hex, named: readonly Hex[]): void {
  requireAttested(named.includes(orderId), `Transaction ${transactionId} does not reference order id`);
  const other = named.find((id) => id !== orderId);
  if (other === undefined) return;
  throw new AmbiguousPaymentError(`transaction ${transactionId}`, [`of order ${orderId}`, `of order ${other}`]);
}
