export {
  type DepositAddressEntry,
  DepositAddressEntrySchema,
  type ReindexResult,
  ReindexResultSchema,
} from "./depositAddressEntry.ts";
export { type FeePhaseName, recordFeeTable } from "./recordFeeTable.ts";
export {
  decodeRequestFilters,
  encodeRequestFilters,
  type ReferrerFilterGroup,
  type RequestFilterFields,
  type RequestFilters,
} from "./requestFilters.ts";
export { RequestListSchema, type RequestRecord, RequestRecordSchema } from "./requestRecord.ts";
export type { FailedCallData } from "./requestRecordData.ts";
export type { TransactionEntry } from "./transactionEntry.ts";
