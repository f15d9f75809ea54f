import { doc } from "#doc";
import type { Static } from "typebox";
import { oneOf, oneOfOrUnknown } from "../schema/schemaParts.ts";
import { FEATURES, type FEE_COMPONENTS, REQUEST_TYPES, SORT_DIRECTIONS, SORT_FIELDS } from "../schema/values.ts";

export const RequestTypeSchema = oneOfOrUnknown(REQUEST_TYPES, doc("Type of the request."));

/** Type of a request. */
export type RequestType = (typeof REQUEST_TYPES)[number];

/** Features that the filter accepts. */
export const FeatureSchema = oneOf(FEATURES, doc("A feature that a request used."));

/** Features in records. Records can have unknown features. */
export const RecordFeatureSchema = oneOfOrUnknown(FEATURES, doc("Feature such as gasless_execution or fast_fill."));

export type Feature = Static<typeof FeatureSchema>;

export const SortFieldSchema = oneOf(SORT_FIELDS, doc("Field to sort by. Defaults to createdAt."));

export type SortField = Static<typeof SortFieldSchema>;

export const SortDirectionSchema = oneOf(SORT_DIRECTIONS, doc("Defaults to desc for times and asc for amountUsd."));

export type SortDirection = Static<typeof SortDirectionSchema>;

/** A fee component in v3. */
export type FeeComponent = (typeof FEE_COMPONENTS)[number];
