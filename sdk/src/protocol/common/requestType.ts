import type { Static } from "typebox";

import { oneOf, oneOfOrUnknown } from "../schema/schemaParts.ts";
import {
  DEPOSIT_ADDRESS_TYPES,
  FEATURES,
  FEE_COMPONENTS,
  FEE_COMPONENTS_V2,
  REQUEST_TYPES,
  SORT_DIRECTIONS,
  SORT_FIELDS,
} from "../schema/values.ts";

/** Schema of the `requestType` of an answer. */
export const RequestTypeSchema = oneOfOrUnknown(REQUEST_TYPES, "What the request does.");

/** What a request does. */
export type RequestType = (typeof REQUEST_TYPES)[number];

/** Schema of one feature, as the filter takes it. */
export const FeatureSchema = oneOf(FEATURES, "A feature that a request used.");

/** Schema of one feature of a record, which may carry others than the filter takes. */
export const RecordFeatureSchema = oneOfOrUnknown(FEATURES, "Such as gasless_execution or fast_fill.");

/** A feature of a request. */
export type Feature = Static<typeof FeatureSchema>;

/** Schema of `sortBy`. */
export const SortFieldSchema = oneOf(SORT_FIELDS, "Field to sort by; createdAt by default.");

/** What a listing is sorted by. */
export type SortField = Static<typeof SortFieldSchema>;

/** Schema of `sortDirection`. */
export const SortDirectionSchema = oneOf(SORT_DIRECTIONS, "desc by default for times, asc for amountUsd.");

/** Direction of a sort. */
export type SortDirection = Static<typeof SortDirectionSchema>;

/** Schema of the kind of a deposit address of an answer. */
export const DepositAddressTypeSchema = oneOfOrUnknown(DEPOSIT_ADDRESS_TYPES, "Kind of deposit address.");

/** Kind of a deposit address. */
export type DepositAddressType = (typeof DEPOSIT_ADDRESS_TYPES)[number];

/** Schema of a fee component of a v3 answer. */
export const FeeComponentSchema = oneOfOrUnknown(FEE_COMPONENTS, "A fee component; platform is named relay in v2.");

/** A fee component in v3. */
export type FeeComponent = (typeof FEE_COMPONENTS)[number];

/** Schema of a fee component in a quote request. */
export const FeeComponentV2Schema = oneOf(FEE_COMPONENTS_V2, "A fee component; relay is named platform in v3.");

/** A fee component in v2 and in quotes. */
export type FeeComponentV2 = Static<typeof FeeComponentV2Schema>;
