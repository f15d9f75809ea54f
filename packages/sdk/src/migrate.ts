export { type MigratedRequest, type RequestRecordV2, RequestRecordV2Schema, toV3 } from "@crosscall/protocol/v2";
export { toQuoteV3 } from "@crosscall/protocol/quote/rules";
