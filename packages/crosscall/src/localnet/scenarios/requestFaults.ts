import * as Type from "typebox";

import type { ServiceErrorCode } from "@crosscall/protocol/common";
import type { RefundFailReason } from "@crosscall/protocol/request";
import { amountText, FAIL_REASONS, oneOf, REFUND_FAIL_REASONS } from "@crosscall/protocol/schema";
import type { JsonObject } from "../store/schema.ts";
import { DeliverySchema, drawDelivery, parseParameters, SlowFillSchema, StalePriceSchema } from "./parameters.ts";
import type { Scenario } from "./scenario.ts";

/** Everything random is drawn when the request is quoted, so a restart changes nothing. */
export const RequestFaultsSchema = Type.Object({
  failReason: Type.Optional(oneOf(FAIL_REASONS, "Ends the request.")),
  refundFailReason: Type.Optional(oneOf(REFUND_FAIL_REASONS, "Fails the refund.")),
  deliveryBps: Type.Optional(Type.Integer({ description: "Difference between delivered and quoted amount, in bps." })),
  deliversBelowMinimum: Type.Optional(Type.Boolean()),
  deliveredAmount: Type.Optional(amountText("Delivered amount that an operator chose, in the smallest unit.")),
  staleBps: Type.Optional(Type.Integer({ description: "Fall of the market since the quote, in bps." })),
  delayMs: Type.Optional(Type.Integer()),
  isHeld: Type.Optional(Type.Boolean()),
  reorgedBlock: Type.Optional(Type.Integer({ description: "Block of the deposit that was undone." })),
});

export type RequestFaults = Type.Static<typeof RequestFaultsSchema>;

export interface ChosenScenario {
  readonly scenario: Scenario;
  readonly parameters: JsonObject;
}

/** Undefined if the scenario is not about quotes. */
export function quoteErrorOf({ family, name }: Scenario): ServiceErrorCode | undefined {
  return family === "quoteError" ? (name.slice("quote:".length) as ServiceErrorCode) : undefined;
}

/**
 * @param index number of the affected request, from 0
 *
 * @throws {@link InvalidInputError} naming the invalid parameter
 */
export function toRequestFaults({ scenario, parameters }: ChosenScenario, index: number): RequestFaults {
  const { name, family } = scenario;
  switch (family) {
    case "failReason":
      return { failReason: name as (typeof FAIL_REASONS)[number] };
    case "refundFailReason":
      return { refundFailReason: name.slice("refund:".length) as RefundFailReason };
    case "behavior":
      return toBehavior(name, parameters, index);
    case "quoteError":
    case "answer":
      return {};
  }
}

function toBehavior(name: Scenario["name"], parameters: JsonObject, index: number): RequestFaults {
  switch (name) {
    case "delivery": {
      const delivery = parseParameters(DeliverySchema, parameters, name);
      return {
        deliveryBps: drawDelivery(delivery, index),
        ...(delivery.belowMinimum === true ? { deliversBelowMinimum: true } : {}),
      };
    }
    case "slow-fill":
      return { delayMs: parseParameters(SlowFillSchema, parameters, name).delayMs };
    case "stale-price":
      return { staleBps: parseParameters(StalePriceSchema, parameters, name).bps };
    case "stuck":
      return { isHeld: true };
    default:
      return {};
  }
}
