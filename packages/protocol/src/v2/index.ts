export { PARTNER_ID_KEY, type RequestRecordV2, RequestRecordV2Schema } from "./requestRecordV2.ts";
export { type MigratedRequest, toV3 } from "./toV3.ts";
