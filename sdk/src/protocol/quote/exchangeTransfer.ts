import { MalformedDataError } from "../../core/errors.ts";
import { parseData } from "../schema/parse.ts";
import { TransferDataSchema } from "./step.ts";

/** A transfer on the user's exchange account for a withdrawal (spec 2, section 6). */
export interface ExchangeTransfer {
  /** Account of the relayer that executes the fill. */
  readonly toAccountIndex: bigint;
  /** Asset id. */
  readonly assetIndex: bigint;
  /** Route type debited on the sender. */
  readonly fromRouteType: number;
  /** Route type credited on the recipient. */
  readonly toRouteType: number;
  /** Smallest unit of the asset. */
  readonly amount: bigint;
  /** Execution fee, smallest unit of USDC. */
  readonly usdcFee: bigint;
  /** The requestId as hex, which links the transfer to its request. */
  readonly memo: string;
}

export interface ExchangeTransferParameters {
  /** `data` of the step's item. */
  readonly data: unknown;
  /** The step's requestId. */
  readonly requestId: string;
  /** Path of `data` in the quote, for errors: `steps[0].items[0].data`. */
  readonly path: string;
}

/**
 * Parses the transfer of a withdrawal from the exchange chain.
 *
 * @throws {@link MalformedDataError} when it has not the documented shape, a number is not exact (above 2^53 - 1), or the
 * memo is not the step's request: paid like that, the money would belong to no request, or to another one
 */
export function parseExchangeTransfer({ data, requestId, path }: ExchangeTransferParameters): ExchangeTransfer {
  const { action } = parseData(TransferDataSchema, data, "the quote", path);
  const { toAccountIndex, assetIndex, amount, usdcFee, ...rest } = action.parameters;
  if (hexDigits(rest.memo) !== hexDigits(requestId)) {
    throw new MalformedDataError({
      what: "the quote",
      path: `${path}.action.parameters.memo`,
      reason: `it is not the step's requestId ${requestId}`,
      hint: "Do not send the transfer; ask for a new quote.",
    });
  }
  return {
    toAccountIndex: BigInt(toAccountIndex),
    assetIndex: BigInt(assetIndex),
    fromRouteType: rest.fromRouteType,
    toRouteType: rest.toRouteType,
    amount: BigInt(amount),
    usdcFee: BigInt(usdcFee),
    memo: rest.memo,
  };
}

function hexDigits(text: string): string {
  return text.toLowerCase().replace(/^0x/u, "");
}
