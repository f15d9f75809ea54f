import type { Hex, Address } from "viem";
import { CrosscallError, InvalidInputError } from "@crosscall/protocol/core";
import { parseEvmAddress } from "@crosscall/protocol/chains";

import type { FillTransaction, FillPlan } from "../fillPlan.ts";
import type { ReplaySource } from "../replayReport.ts";

export interface Subject {
  readonly source: ReplaySource;
  readonly plan: FillPlan;
  /** Delivered amount in the smallest unit of the plan's currency. */
  readonly amount: bigint;
  readonly sent: SentFill | undefined;
}

export interface SentFill {
  readonly transaction: FillTransaction;
  /** Hash of the transaction; undefined if the fill was only tried. */
  readonly hash: Hex | undefined;
  /** Block that includes the fill, or on which the fill was tried; undefined if unknown. */
  readonly blockNumber: bigint | undefined;
}

/** Thrown if a fill has no calls, so that there is nothing to replay. */
export class NothingToReplayError extends CrosscallError {
  readonly code = "NOTHING_TO_REPLAY";

  constructor(parameters: { what: string; reason: string; hint: string }) {
    super({ message: `${parameters.what}: ${parameters.reason}`, hint: parameters.hint });
  }
}

/** @throws {@link InvalidInputError} if the value is not an EVM address */
export function requireEvmAddress(value: string | undefined | null, field: string): Address {
  try {
    return parseEvmAddress(value, field);
  } catch (cause) {
    throw new InvalidInputError({
      field,
      value: value ?? undefined,
      reason: "only fills on EVM chains can be replayed",
      hint: "Pass a request with an EVM destination chain.",
      cause,
    });
  }
}
