import type { Feature } from "@crosscall/sdk/internal/protocol/common/requestType";

/** Fields that are compared with chain ids. */
export const CHAIN_FIELDS = [
  "originChainId",
  "destinationChainId",
  "chainId",
  "currencyInChainId",
  "currencyOutChainId",
] as const;

/** A field that is compared with chain ids; `chainId` is either direction. */
export type ChainField = (typeof CHAIN_FIELDS)[number];

/** Fields that are compared with text. */
export const TEXT_FIELDS = [
  "term",
  "id",
  "orderId",
  "hash",
  "depositTxHash",
  "fillTxHash",
  "refundTxHash",
  "user",
  "recipient",
  "depositAddress",
  "status",
  "failReason",
  "refundFailReason",
  "apiKeyHash",
  "referrer",
  "requestType",
  "currencyInAddress",
  "currencyOutAddress",
  "currencyInSymbol",
  "currencyOutSymbol",
] as const;

/**
 * A field that is compared with text. `term` is a request id, a wallet, a deposit address or any transaction hash,
 * `hash` any transaction hash, `user` sender or recipient.
 */
export type TextField = (typeof TEXT_FIELDS)[number];

/** What a field must be: one of the values, or absent where they are null. Negated: what is left then. */
export type FieldCondition =
  | { readonly field: ChainField; readonly values: readonly number[] | null; readonly isNegated: boolean }
  | { readonly field: TextField; readonly values: readonly string[] | null; readonly isNegated: boolean };

/** Fields with bounds. */
export const RANGE_FIELDS = [
  "createdAt",
  "updatedAt",
  "depositBlock",
  "amountUsd",
  "appFeesAmountUsd",
  "fillTime",
] as const;

/** A field with bounds. */
export type RangeField = (typeof RANGE_FIELDS)[number];

/**
 * Bounds of a field as decimal text, both inclusive: Unix seconds for times (the whole second of `max` belongs to it),
 * US dollars, seconds from the deposit's block to the fill's, the number of the deposit's block. A request that does
 * not have the field yet lies in no bounds.
 */
export interface RangeCondition {
  readonly field: RangeField;
  readonly min?: string;
  readonly max?: string;
}

/** Which requests are meant. All parts combine with AND. */
export interface RequestFilter {
  readonly conditions: readonly FieldCondition[];
  /** A request matches at least one group, and all conditions of it; without groups there is nothing to match. */
  readonly groups: readonly (readonly FieldCondition[])[];
  readonly ranges: readonly RangeCondition[];
  /** A request has at least one of these; without any there is nothing to match. */
  readonly features: readonly Feature[];
  /** Whether `id` and `depositAddress` of `conditions` bring the children of what they match, too. */
  readonly includesChildren: boolean;
}

/** The filter that every request passes. */
export const EVERY_REQUEST: RequestFilter = {
  conditions: [],
  groups: [],
  ranges: [],
  features: [],
  includesChildren: false,
};
