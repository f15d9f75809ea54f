import type { Static } from "typebox";

import { doc } from "#doc";
import { oneOf } from "../schema/schemaParts.ts";
import { TRADE_TYPES } from "../schema/values.ts";

export const TradeTypeSchema = oneOf(
  TRADE_TYPES,
  doc(
    "EXACT_INPUT: amount to send. EXPECTED_OUTPUT: approximate amount to receive. EXACT_OUTPUT: exact amount to " +
      "receive; otherwise the request fails and is refunded.",
  ),
);

/** Meaning of a quote's amount. */
export type TradeType = Static<typeof TradeTypeSchema>;
