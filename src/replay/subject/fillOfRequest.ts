import type { Hex } from "viem";

import { InvalidStateError } from "../../core/errors.ts";
import type { RequestRecord } from "../../protocol/requestRecord.ts";
import { parseAmount } from "../../core/amounts.ts";
import { parseCallData } from "../../protocol/call.ts";
import { requireEvmAddress } from "./evmOnly.ts";
import type { FillTerms } from "./subjectOfSentFill.ts";
import type { ReplaySource } from "../replayReport.ts";
import type { FillTransaction } from "../encodeFill.ts";

/** Where the fill of a request is to be found, and what the service tells of it. */
export interface RequestedFill {
  readonly source: ReplaySource;
  readonly chainId: number;
  readonly terms: FillTerms;
  readonly fill:
    | { readonly kind: "included"; readonly hash: Hex }
    /** It was tried on the state of a block, and never sent. */
    | { readonly kind: "tried"; readonly transaction: FillTransaction; readonly blockNumber: bigint | undefined };
}

/**
 * Finds the fill of a request in its record: the one that failed, else the one that is included.
 *
 * @throws {@link InvalidStateError} when the record tells of no fill
 * @throws {@link InvalidInputError} when its destination is no EVM chain
 */
export function fillOfRequest(record: RequestRecord): RequestedFill {
  const { data, id, status } = record;
  const side = data.route?.actual.destination ?? data.route?.quoted.destination;
  const output = side?.outputCurrency;
  const quoted = data.route?.quoted.destination?.outputCurrency;
  const chainId = output?.currency.chainId ?? data.outTxs[0]?.chainId;
  const nothing = (): InvalidStateError =>
    new InvalidStateError({
      message: `request ${id} is ${status}, and its record tells of no fill`,
      cure: "Replay it when it has been filled or has failed; before that, replay its quote.",
    });
  if (chainId === undefined) throw nothing();
  const amountOf = (amount: string | undefined): bigint | undefined =>
    amount === undefined ? undefined : parseAmount(amount, "data.route.destination.outputCurrency.amount");
  const known = {
    source: { kind: "request", requestId: id as Hex, status } as const,
    chainId,
    terms: {
      ...(output === undefined
        ? {}
        : { currency: requireEvmAddress(output.currency.address, "data.route.destination.outputCurrency") }),
      amount: amountOf(output?.amount),
      minimumAmount: amountOf(quoted?.minimumAmount),
      expectedAmount: amountOf(quoted?.amount),
      recipient: requireEvmAddress(record.recipient, "recipient"),
    },
  };
  if (data.failedTxHash != null) return { ...known, fill: { kind: "included", hash: data.failedTxHash as Hex } };
  const fill = data.outTxs.find((entry) => entry.chainId === chainId && entry.status === "success");
  if (data.failReason === null && fill !== undefined) {
    return { ...known, fill: { kind: "included", hash: fill.txHash as Hex } };
  }
  if (data.failedCallData == null) throw nothing();
  const { from, to, data: callData, value } = data.failedCallData;
  return {
    ...known,
    fill: {
      kind: "tried",
      transaction: {
        from: requireEvmAddress(from, "data.failedCallData.from"),
        to: requireEvmAddress(to, "data.failedCallData.to"),
        data: parseCallData(callData, "data.failedCallData.data"),
        value: parseAmount(value, "data.failedCallData.value"),
      },
      blockNumber: data.failedTxBlockNumber == null ? undefined : BigInt(data.failedTxBlockNumber),
    },
  };
}
