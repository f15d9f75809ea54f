import { MalformedDataError } from "../core/errors.ts";
import { parseData } from "../schema/parse.ts";
import { TransferDataSchema } from "./step.ts";

/** Transfer from the user's exchange account for a withdrawal (spec 2, section 6). */
export interface ExchangeTransfer {
  /** Account of the relayer that executes the fill. */
  readonly toAccountIndex: bigint;
  /** Asset id. */
  readonly assetIndex: bigint;
  /** Route type debited on the sender. */
  readonly fromRouteType: number;
  /** Route type credited on the recipient. */
  readonly toRouteType: number;
  /** Amount in the asset's smallest unit. */
  readonly amount: bigint;
  /** Execution fee in USDC's smallest unit. */
  readonly usdcFee: bigint;
  /** The orderId or the requestId as hex, which links the transfer to its request. */
  readonly memo: string;
}

export interface ExchangeTransferParameters {
  /** `data` of the step's item. */
  readonly data: unknown;
  /** The step's requestId. */
  readonly requestId: string;
  /** Id of the quote's order, which the live service writes to the memo. Verify the quote first. */
  readonly orderId?: string;
  /** Path of `data` in the quote, for errors: `steps[0].items[0].data`. */
  readonly path: string;
}

/**
 * Parses the transfer of a withdrawal from the exchange chain.
 *
 * @throws {@link MalformedDataError} when the transfer has an undocumented shape, a number is not exact (above 2^53 -
 * 1), or the memo is neither the step's requestId nor its orderId: such a payment would belong to another request or to
 * none
 */
export function parseExchangeTransfer({
  data,
  requestId,
  orderId,
  path,
}: ExchangeTransferParameters): ExchangeTransfer {
  const { action } = parseData(TransferDataSchema, data, "the quote", path);
  const { toAccountIndex, assetIndex, amount, usdcFee, ...rest } = action.parameters;
  if (!namesRequest(rest.memo, [requestId, orderId])) {
    throw new MalformedDataError({
      what: "the quote",
      path: `${path}.action.parameters.memo`,
      reason: `it is neither the step's requestId ${requestId} nor the orderId ${orderId ?? ""}`.trimEnd(),
      hint: "Do not send the transfer. Request a new quote.",
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

/** Asset ids by currency; other currencies are their own asset ids. Currency 0 is the perpetuals market's dollar. */
const ASSETS: ReadonlyMap<string, string> = new Map([["0", "3"]]);

/** Returns the asset id of a withdrawn currency. */
export function exchangeAssetOf(currency: string): string {
  return ASSETS.get(currency) ?? currency;
}

/** Whether the memo is one of the ids, with or without 0x. */
export function namesRequest(memo: string, ids: readonly (string | undefined)[]): boolean {
  return ids.some((id) => id !== undefined && hexDigits(memo) === hexDigits(id));
}

function hexDigits(text: string): string {
  return text.toLowerCase().replace(/^0x/u, "");
}
