import { doc } from "#doc";
import { oneOfOrUnknown } from "../schema/schemaParts.ts";
import {
  type ADDED_REFUND_FAIL_REASONS,
  FAIL_REASONS,
  REFUND_FAIL_REASONS,
  type SPECIFIED_REFUND_FAIL_REASONS,
} from "../schema/values.ts";

/** Schema of the `failReason` of a response. */
export const FailReasonSchema = oneOfOrUnknown(FAIL_REASONS, doc("Why the request failed."));

/** Reason for a failed request. */
export type FailReason = (typeof FAIL_REASONS)[number];

/** Schema of the `refundFailReason` of a response. */
export const RefundFailReasonSchema = oneOfOrUnknown(
  REFUND_FAIL_REASONS,
  doc("Why the request could not be refunded."),
);

/** Reason for a failed refund that the live service added after the specification. */
type AddedRefundFailReason = keyof typeof ADDED_REFUND_FAIL_REASONS;

/**
 * Reason for a failed refund: of the specification (spec 1, section 2.6), or added by the live service later:
 * `MANUAL_REFUND_REQUIRED` on 7 August 2026.
 */
export type RefundFailReason = (typeof SPECIFIED_REFUND_FAIL_REASONS)[number] | AddedRefundFailReason;
