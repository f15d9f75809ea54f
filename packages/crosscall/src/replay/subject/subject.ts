import type { Hex, Address } from "viem";
import { CrosscallError, InvalidInputError } from "@crosscall/protocol/core";
import { parseEvmAddress } from "@crosscall/protocol/chains";

import type { FillTransaction, FillPlan } from "../fillPlan.ts";
import type { ReplaySource } from "../replayReport.ts";

export interface Subject {
  readonly source: ReplaySource;
  readonly plan: FillPlan;
  /** Delivered amount, in the plan currency's smallest unit. */
  readonly amount: bigint;
  readonly sent: SentFill | undefined;
}

export interface SentFill {
  readonly transaction: FillTransaction;
  /** Undefined if it was only tried. */
  readonly hash: Hex | undefined;
  /** The block that includes it, or on whose state it was tried; undefined if unknown. */
  readonly blockNumber: bigint | undefined;
}

/** Thrown if a fill has no calls, so there is nothing to explain. */
export class NothingToReplayError extends CrosscallError {
  readonly code = "NOTHING_TO_REPLAY";

  constructor(parameters: { what: string; reason: string; hint: string }) {
    super({ message: `${parameters.what}: ${parameters.reason}`, hint: parameters.hint });
  }
}

/** @throws {@link InvalidInputError} if it is not an EVM address */
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
