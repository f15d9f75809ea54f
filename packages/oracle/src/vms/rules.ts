import type { Hex } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import type { VmType } from "@crosscall/protocol/vms";
import { AmbiguousPaymentError, requireAttested } from "../attestationRefusedError.ts";
import type { AdditionalData } from "../chainFiles.ts";
import type { ReportSetting, Settlement } from "./vmChain.ts";

/** Returns the settlement of families without calls. As in the public oracle, calls are an error, not a refusal. */
export function withoutCalls(vmType: VmType): Pick<Settlement, "hasMadeCalls"> {
  return {
    hasMadeCalls() {
      throw new InvalidStateError({
        message: `calls of an order are not read on chains of ${vmType}`,
        hint: "Omit the calls, or use an output chain that runs EVM contracts.",
      });
    },
  };
}

/** Returns the message of routes that do not support the family's withdrawals. */
export function withdrawalsNotSupported(vmType: VmType): string {
  return `Withdrawals on ${vmType} are not supported by this endpoint`;
}

/** Rejects a setting without effect, which would look like a check. */
export function rejectGenesisHash({ genesisHash }: AdditionalData, report: ReportSetting, hint: string): void {
  if (genesisHash !== undefined) report("genesisHash", "the chain of this family is not checked by it", hint);
}

/** Rejects fast mode in families without it: callers would get slow mode without noticing. */
export function rejectFastMode(vmType: VmType, { fastMode }: AdditionalData, report: ReportSetting): void {
  if (fastMode !== undefined) report("fastMode", `chains of ${vmType} have none`, "Omit it.");
}

/**
 * Rejects payments to a depository: they are credited as deposits, so they cannot also settle an order.
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
 * Requires that the transaction names this order and no other, since one payment settles one order.
 *
 * @param named all orderIds that the transaction names
 * @throws {@link AmbiguousPaymentError} if it names another order too
 * @throws {@link AttestationRefusedError} if it does not name this order
 */
export function requireOnlyOrder(transactionId: string, orderId: Hex, named: readonly Hex[]): void {
  requireAttested(named.includes(orderId), `Transaction ${transactionId} does not reference order id`);
  const other = named.find((id) => id !== orderId);
  if (other === undefined) return;
  throw new AmbiguousPaymentError(`transaction ${transactionId}`, [`of order ${orderId}`, `of order ${other}`]);
}
