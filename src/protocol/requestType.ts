import type { Static } from "typebox";

import { oneOf, oneOfOrOther } from "./schemaParts.ts";

/** What a request does (spec 1, section 2.1). As a filter they match whatever their case. */
export const REQUEST_TYPES = [
  "Bridge",
  "Crosschain Swap",
  "Same-chain Swap",
  "Send",
  "Wrap",
  "Unwrap",
  "Call",
] as const;

/** Schema of the `requestType` of an answer. */
export const RequestTypeSchema = oneOfOrOther(REQUEST_TYPES, "What the request does.");

/** What a request does. */
export type RequestType = (typeof REQUEST_TYPES)[number];

/** Features of a request that the `features` filter takes; the specification shows examples only. */
export const FEATURES = [
  "gasless_execution",
  "gasless_swap",
  "fast_fill",
  "gas_top_up",
  "fixed_rate",
  "app_fees",
  "deposit_address",
] as const;

/** Schema of one feature, as the filter takes it. */
export const FeatureSchema = oneOf(FEATURES, "A feature that a request used.");

/** Schema of one feature of a record, which may carry others than the filter takes. */
export const RecordFeatureSchema = oneOfOrOther(FEATURES, "Such as gasless_execution or fast_fill.");

/** A feature of a request. */
export type Feature = Static<typeof FeatureSchema>;

/** What `GET /requests/v3` sorts by; `createdAt` is the default (spec 1, section 4.2). */
export const SORT_FIELDS = ["createdAt", "updatedAt", "amountUsd"] as const;

/** Schema of `sortBy`. */
export const SortFieldSchema = oneOf(SORT_FIELDS, "Field to sort by; createdAt by default.");

/** What a listing is sorted by. */
export type SortField = Static<typeof SortFieldSchema>;

/** Sort directions; the default is `desc` for times and `asc` for `amountUsd` (spec 1, section 4.2). */
export const SORT_DIRECTIONS = ["asc", "desc"] as const;

/** Schema of `sortDirection`. */
export const SortDirectionSchema = oneOf(SORT_DIRECTIONS, "desc by default for times, asc for amountUsd.");

/** Direction of a sort. */
export type SortDirection = Static<typeof SortDirectionSchema>;

/** Kinds of deposit address: `strict` serves one order, `open` any amount (spec 1, section 2.1). */
export const DEPOSIT_ADDRESS_TYPES = ["strict", "open"] as const;

/** Schema of the kind of a deposit address of an answer. */
export const DepositAddressTypeSchema = oneOfOrOther(DEPOSIT_ADDRESS_TYPES, "Kind of deposit address.");

/** Kind of a deposit address. */
export type DepositAddressType = (typeof DEPOSIT_ADDRESS_TYPES)[number];

/** Fee components that can be sponsored, by their v3 names (spec 1, section 2.4). */
export const FEE_COMPONENTS = ["execution", "swap", "platform", "app"] as const;

/** Schema of a fee component of a v3 answer. */
export const FeeComponentSchema = oneOfOrOther(FEE_COMPONENTS, "A fee component; platform is named relay in v2.");

/** A fee component in v3. */
export type FeeComponent = (typeof FEE_COMPONENTS)[number];

/** Fee components by their v2 names, which quotes use too (spec 1, section 2.4). */
export const FEE_COMPONENTS_V2 = ["execution", "swap", "relay", "app", "rent"] as const;

/** Schema of a fee component in a quote request. */
export const FeeComponentV2Schema = oneOf(FEE_COMPONENTS_V2, "A fee component; relay is named platform in v3.");

/** A fee component in v2 and in quotes. */
export type FeeComponentV2 = Static<typeof FeeComponentV2Schema>;
