import type { Hex } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import { parseAmount } from "@crosscall/protocol/encoding";
import { isPresent, requireField } from "@crosscall/protocol/schema";
import type { FailedCallData, RequestRecord } from "@crosscall/protocol/request/records";
import { parseCallData } from "@crosscall/protocol/common";
import { requireEvmAddress } from "./subject.ts";
import type { FillTerms } from "./subjectOfSentFill.ts";
import type { ReplaySource } from "../replayReport.ts";
import type { FillTransaction } from "../fillPlan.ts";

const RECORD = "the request record";

export interface RequestedFill {
  readonly source: ReplaySource;
  readonly chainId: number;
  readonly terms: FillTerms;
  readonly fill:
    | { readonly kind: "included"; readonly hash: Hex }
    /** A failed fill that was tried on the state of a block, but never sent. */
    | { readonly kind: "tried"; readonly transaction: FillTransaction; readonly blockNumber: bigint | undefined };
}

/**
 * Returns the failed fill of a request, or else the included fill.
 *
 * @throws {@link InvalidStateError} if the record has no fill
 * @throws {@link MalformedDataError} if id, status or recipient are missing
 * @throws {@link InvalidInputError} if the destination is not an EVM chain
 */
export function fillOfRequest(record: RequestRecord): RequestedFill {
  const { route, outTxs, failReason, failedTxHash, failedTxBlockNumber, failedCallData } = record.data ?? {};
  const id = requireField(record.id, RECORD, "id");
  const status = requireField(record.status, RECORD, "status");
  const side = route?.actual?.destination ?? route?.quoted?.destination;
  const output = side?.outputCurrency;
  const quoted = route?.quoted?.destination?.outputCurrency;
  const chainId = output?.currency?.chainId ?? outTxs?.[0]?.chainId;
  const nothing = (): InvalidStateError =>
    new InvalidStateError({
      message: `request ${id} is ${status}, but its record has no fill`,
      hint: "Replay the request after it is filled or has failed. Before that, replay its quote.",
    });
  if (!isPresent(chainId)) throw nothing();
  const amountOf = (amount: string | null | undefined): bigint | undefined =>
    isPresent(amount) ? parseAmount(amount, "data.route.destination.outputCurrency.amount") : undefined;
  const known = {
    source: { kind: "request", requestId: id as Hex, status } as const,
    chainId,
    terms: {
      ...(isPresent(output?.currency?.address)
        ? { currency: requireEvmAddress(output.currency.address, "data.route.destination.outputCurrency") }
        : {}),
      amount: amountOf(output?.amount),
      minimumAmount: amountOf(quoted?.minimumAmount),
      expectedAmount: amountOf(quoted?.amount),
      recipient: requireEvmAddress(requireField(record.recipient, RECORD, "recipient"), "recipient"),
    },
  };
  if (isPresent(failedTxHash)) return { ...known, fill: { kind: "included", hash: failedTxHash as Hex } };
  const fill = outTxs?.find((entry) => entry.chainId === chainId && entry.status === "success");
  if (!isPresent(failReason) && isPresent(fill?.txHash)) {
    return { ...known, fill: { kind: "included", hash: fill.txHash as Hex } };
  }
  if (!isPresent(failedCallData)) throw nothing();
  const required = (name: keyof FailedCallData): string =>
    requireField(failedCallData[name], RECORD, `data.failedCallData.${name}`);
  return {
    ...known,
    fill: {
      kind: "tried",
      transaction: {
        from: requireEvmAddress(required("from"), "data.failedCallData.from"),
        to: requireEvmAddress(required("to"), "data.failedCallData.to"),
        data: parseCallData(required("data"), "data.failedCallData.data"),
        value: parseAmount(failedCallData.value ?? "0", "data.failedCallData.value"),
      },
      blockNumber: isPresent(failedTxBlockNumber) ? BigInt(failedTxBlockNumber) : undefined,
    },
  };
}
