import { doc } from "#doc";
import type * as Type from "typebox";

import { InvalidInputError } from "../core/errors.ts";
import { findMismatch } from "../schema/checkSchema.ts";
import { oneOf } from "../schema/schemaParts.ts";
import { FAIL_REASONS, REFUND_FAIL_REASONS, REQUEST_TYPES, STATUS_FILTERS } from "../schema/values.ts";
import { parseJson } from "../schema/json.ts";
import * as T from "../schema/type.ts";

const text = T.String({ minLength: 1 });
const chainId = T.Integer({ minimum: 0 });

const FIELDS = {
  id: text,
  orderId: text,
  depositTxHash: text,
  fillTxHash: text,
  refundTxHash: text,
  originChainId: chainId,
  destinationChainId: chainId,
  chainId,
  user: text,
  depositAddress: text,
  recipient: text,
  status: oneOf(STATUS_FILTERS, doc("Status that requests must have.")),
  failReason: oneOf(FAIL_REASONS, doc("Why the request failed.")),
  refundFailReason: oneOf(REFUND_FAIL_REASONS, doc("Why the request could not be refunded.")),
  apiKey: text,
  requestType: oneOf(REQUEST_TYPES, doc("Type of the request.")),
  currencyInChainId: chainId,
  currencyOutChainId: chainId,
  currencyInAddress: text,
  currencyOutAddress: text,
  currencyInSymbol: text,
  currencyOutSymbol: text,
  referrer: text,
};

/** Filter that accepts one value (spec 1, section 4.2). */
export type RequestFilterFields = { readonly [Field in keyof typeof FIELDS]: Type.Static<(typeof FIELDS)[Field]> };

export type RequestFilterField = keyof RequestFilterFields;

/** A value, several alternatives, or null for no value; null cannot be combined with values. */
export type RequestFilterValue<Value> = Value | readonly [Value, ...Value[]] | null;

type Conditions<Field extends RequestFilterField> = {
  readonly [Name in Field]?: RequestFilterValue<RequestFilterFields[Name]>;
} & {
  readonly [Name in Field as `not:${Name}`]?: RequestFilterValue<RequestFilterFields[Name]>;
};

/** Parameters that groups must not contain (spec 1, section 4.2), even if a group is in a variable. */
type TopLevelOnly =
  | "features"
  | "term"
  | "startTimestamp"
  | "endTimestamp"
  | "startBlock"
  | "endBlock"
  | "amountUsdMin"
  | "amountUsdMax"
  | "appFeesAmountUsdMin"
  | "appFeesAmountUsdMax"
  | "fillTimeMin"
  | "fillTimeMax";

type NeverInGroups = Readonly<Partial<Record<TopLevelOnly | `not:${TopLevelOnly}`, never>>>;

/** Group of conditions that must all match and can include the referrer. */
export type ReferrerFilterGroup = Conditions<RequestFilterField> & NeverInGroups;

/**
 * Group of conditions that must all match. A key with the prefix `not:` matches requests without the value, or without
 * all of several values.
 */
export type RequestFilterGroup = Conditions<Exclude<RequestFilterField, "referrer">> &
  NeverInGroups & { readonly referrer?: never; readonly "not:referrer"?: never };

/**
 * Groups of conditions: a request is listed if it matches at least one group. With `ReferrerFilterGroup`, the service
 * accepts the groups only if `apiKey` is set next to `filters` (spec 4, section 4).
 */
export type RequestFilters<Group extends ReferrerFilterGroup = RequestFilterGroup> = readonly [Group, ...Group[]];

const GroupsSchema = T.Array(
  T.Object(
    Object.fromEntries(
      Object.entries<Type.TSchema>(FIELDS).flatMap(([field, value]) => {
        const condition = T.Optional(T.Union([value, T.Array(value, { minItems: 1 }), T.Null()]));
        return [
          [field, condition],
          [`not:${field}`, condition],
        ];
      }),
    ),
    { additionalProperties: false, minProperties: 1 },
  ),
  { minItems: 1 },
);

/**
 * Serializes groups as a `filters` parameter: a JSON array of objects (spec 1, section 4.2).
 *
 * @throws {@link InvalidInputError} when a group is empty, or has a field or value that the service rejects
 */
export function encodeRequestFilters(filters: RequestFilters<ReferrerFilterGroup>): string {
  const encoded = JSON.stringify(filters);
  decodeRequestFilters(encoded);
  return encoded;
}

/**
 * Parses a `filters` parameter.
 *
 * @throws {@link InvalidInputError} with the path of the rejected value, such as `filters[0].status`
 */
export function decodeRequestFilters(encoded: string): RequestFilters<ReferrerFilterGroup> {
  const groups = parseJson(encoded);
  if (groups === undefined) throw refuse("filters", "it is not JSON");
  const mismatch = findMismatch(GroupsSchema, groups, "filters");
  if (mismatch !== undefined) throw refuse(mismatch.path, mismatch.reason);
  return groups as RequestFilters<ReferrerFilterGroup>;
}

/** Omits the value, because groups can contain API keys. */
function refuse(field: string, reason: string): InvalidInputError {
  return new InvalidInputError({
    field,
    value: "[filters]",
    reason,
    hint: "Pass groups of identity, address, chain, currency and status fields; pass ranges and features outside of filters.",
  });
}
