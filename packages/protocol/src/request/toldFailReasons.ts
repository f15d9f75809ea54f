// Fail reasons in statuses and status events, in which only failures and refunds have a reason.
import { doc, statedFailReasons, statedRefundFailReasons } from "#doc";

import type { UnknownValue } from "../schema/schemaParts.ts";
import type { NO_REASON } from "../schema/values.ts";
import type { FailReason, RefundFailReason } from "./failReasons.ts";
import * as T from "../schema/type.ts";

export const ToldFailReasonSchema = T.Unsafe<FailReason | typeof NO_REASON | UnknownValue>(
  T.String({ description: doc("Why the request failed."), ...statedFailReasons() }),
);

export const ToldRefundFailReasonSchema = T.Unsafe<RefundFailReason | typeof NO_REASON | UnknownValue>(
  T.String({ description: doc("Why the request could not be refunded."), ...statedRefundFailReasons() }),
);
