export { findMismatch, listMismatches, matchesSchema, type Mismatch } from "./checkSchema.ts";
export { doc } from "#doc";
export { formatPath, isObject, type Keys, parseJson, requireJson } from "./json.ts";
export { parseData } from "./parse.ts";
export {
  isPresent,
  type ReadResponse,
  readResponse,
  requireField,
  type Unreadable,
  type WithUnreadable,
} from "./readResponse.ts";
export {
  amountText,
  anyFields,
  hexText,
  isUnknownValue,
  nullable,
  oneOf,
  oneOfOrUnknown,
  type UnknownValue,
} from "./schemaParts.ts";
export {
  ADDED_REFUND_FAIL_REASONS,
  FAIL_REASONS,
  FEATURES,
  FEE_COMPONENTS,
  NO_REASON,
  REFUND_FAIL_REASONS,
  REQUEST_STATUSES,
  REQUEST_STATUSES_V2,
  REQUEST_TYPES,
  ROUTER_VERSIONS,
  SORT_DIRECTIONS,
  SORT_FIELDS,
  STATUS_FILTERS,
  TRADE_TYPES,
} from "./values.ts";
