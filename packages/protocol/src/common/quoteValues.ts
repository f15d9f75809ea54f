import type { Static } from "typebox";

import { doc } from "#doc";
import { oneOf } from "../schema/schemaParts.ts";
import { FEE_COMPONENTS_V2, TRADE_TYPES } from "../schema/values.ts";

export const TradeTypeSchema = oneOf(
  TRADE_TYPES,
  doc(
    "EXACT_INPUT: amount to send. EXPECTED_OUTPUT: approximate amount to receive. EXACT_OUTPUT: exact amount to " +
      "receive; otherwise the request fails and is refunded.",
  ),
);

/** Meaning of a quote's amount. */
export type TradeType = Static<typeof TradeTypeSchema>;

export const FeeComponentV2Schema = oneOf(FEE_COMPONENTS_V2, doc("A fee component; relay is platform in v3."));

export type FeeComponentV2 = Static<typeof FeeComponentV2Schema>;
