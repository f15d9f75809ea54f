import { doc } from "#doc";
import { oneOfOrUnknown } from "../schema/schemaParts.ts";
import { FAIL_REASONS, NO_REASON, REFUND_FAIL_REASONS } from "../schema/values.ts";

/** Schema of the `failReason` of an answer. */
export const FailReasonSchema = oneOfOrUnknown(FAIL_REASONS, doc("Why the request failed."));

/** Reason of a failed request. */
export type FailReason = (typeof FAIL_REASONS)[number];

/** Schema of the `refundFailReason` of an answer. */
export const RefundFailReasonSchema = oneOfOrUnknown(
  REFUND_FAIL_REASONS,
  doc("Why the request could not be refunded."),
);

/** As in statuses and status events, where only a failure or a refund has a reason. */
export const ToldFailReasonSchema = oneOfOrUnknown([...FAIL_REASONS, NO_REASON], doc("Why the request failed."));

export const ToldRefundFailReasonSchema = oneOfOrUnknown(
  [...REFUND_FAIL_REASONS, NO_REASON],
  doc("Why the request could not be refunded."),
);

/** Reason of a failed refund. */
export type RefundFailReason = (typeof REFUND_FAIL_REASONS)[number];
