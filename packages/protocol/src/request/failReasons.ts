import { doc } from "#doc";
import { oneOfOrUnknown } from "../schema/schemaParts.ts";
import { FAIL_REASONS, REFUND_FAIL_REASONS } from "../schema/values.ts";

/** Schema of the `failReason` of a response. */
export const FailReasonSchema = oneOfOrUnknown(FAIL_REASONS, doc("Why the request failed."));

/** Reason of a failed request. */
export type FailReason = (typeof FAIL_REASONS)[number];

/** Schema of the `refundFailReason` of a response. */
export const RefundFailReasonSchema = oneOfOrUnknown(
  REFUND_FAIL_REASONS,
  doc("Why the request could not be refunded."),
);

/** Reason of a failed refund. */
export type RefundFailReason = (typeof REFUND_FAIL_REASONS)[number];
