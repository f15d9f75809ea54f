export type { FailReason, RefundFailReason } from "./failReasons.ts";
export { type IntentStatus, IntentStatusSchema } from "./intentStatus.ts";
export {
  isTerminalStatus,
  type RequestStatus,
  RequestStatusSchema,
  type StatusFilter,
  StatusFilterSchema,
} from "./requestStatus.ts";
