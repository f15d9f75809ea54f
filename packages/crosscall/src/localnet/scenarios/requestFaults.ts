import * as Type from "typebox";

import type { ServiceErrorCode } from "@crosscall/protocol/errors";
import type { FailReason, RefundFailReason } from "@crosscall/protocol/request";
import { amountText, FAIL_REASONS, oneOf, REFUND_FAIL_REASONS } from "@crosscall/protocol/schema";
import type { EvmCall } from "../devchain/devChain.ts";
import type { RequestRow } from "../store/requests/requests.ts";
import type { JsonObject } from "../store/schema.ts";
import { DeliverySchema, drawDelivery, parseParameters, SlowFillSchema, StalePriceSchema } from "./parameters.ts";
import type { Scenario } from "./scenario.ts";

/** Faults of a request. Random values are drawn at the quote, so that a restart does not change them. */
export const RequestFaultsSchema = Type.Object({
  failReason: Type.Optional(oneOf(FAIL_REASONS, "Ends the request.")),
  refundFailReason: Type.Optional(oneOf(REFUND_FAIL_REASONS, "Fails the refund.")),
  deliveryBps: Type.Optional(Type.Integer({ description: "Difference between delivered and quoted amount, in bps." })),
  deliversBelowMinimum: Type.Optional(Type.Boolean()),
  deliveredAmount: Type.Optional(amountText("Delivered amount chosen by an operator, in the smallest unit.")),
  staleBps: Type.Optional(Type.Integer({ description: "Price drop since the quote, in bps." })),
  delayMs: Type.Optional(Type.Integer()),
  isHeld: Type.Optional(Type.Boolean()),
  reorgedBlock: Type.Optional(Type.Integer({ description: "Block of the deposit that a reorg removed." })),
});

export type RequestFaults = Type.Static<typeof RequestFaultsSchema>;

export interface ChosenScenario {
  readonly scenario: Scenario;
  readonly parameters: JsonObject;
}

/** Returns the error of a quote; undefined if the scenario does not affect quotes. */
export function quoteErrorOf({ family, name }: Scenario): ServiceErrorCode | undefined {
  return family === "quoteError" ? (name.slice("quote:".length) as ServiceErrorCode) : undefined;
}

/**
 * @param index number of the affected request, starting at 0
 *
 * @throws {@link InvalidInputError} that names the invalid parameter
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

/** Faults of a request. Missing fields mean the ordinary behavior. */
export interface FillFault {
  /** Reason with which the request ends. The deposit is refunded. */
  readonly failReason?: FailReason;
  /** Reason for which the refund is withheld. The request ends in failure. */
  readonly refundFailReason?: RefundFailReason;
  /** Deviation of the delivered amount in bps, instead of the network's `deliveryBps`. */
  readonly deliveryBps?: number;
  readonly deliversBelowMinimum?: boolean;
  /** Delay of the fill in milliseconds of the service's clock. */
  readonly delayMs?: number;
  /** Number of seconds by which the solver's clock is ahead for this request. */
  readonly lateSeconds?: number;
  /** Seconds for which an operator held the fill. They do not count toward time limits. */
  readonly heldSeconds?: number;
  /** Delivered amount in the smallest unit, chosen by an operator; never for EXACT_OUTPUT. */
  readonly deliveredAmount?: bigint;
  /** Whether the request stays pending. */
  readonly isHeld?: boolean;
  /** Whether the fill is sent without simulation, so that it reverts in a block. */
  readonly skipsSimulation?: boolean;
  /** Call that the fill makes before the order's calls. */
  readonly firstCall?: EvmCall;
  readonly gasLimit?: bigint;
}

export interface StoredFaults {
  readonly faults: JsonObject | undefined;
}

export interface Faults {
  /**
   * Reads the faults of a request. This function is called before each step and again after a restart, so its result
   * must be reproducible.
   *
   * @param stored the stored faults, if already read
   */
  forRequest(request: RequestRow, stored?: StoredFaults): Promise<FillFault>;
}
