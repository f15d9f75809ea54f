export { type RequestRecordV2, RequestRecordV2Schema } from "./protocol/v2/requestRecordV2.ts";
export { type MigratedRequest, toV3 } from "./protocol/v2/toV3.ts";
export { toQuoteV3 } from "./protocol/quote/toQuoteV3.ts";
