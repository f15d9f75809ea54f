import type { Address } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { compact, InvalidInputError } from "@crosscall/protocol/core";
import type { FillPlan } from "../fillPlan.ts";
import { findFill, type FoundFill, type ReplayInput } from "./findFill.ts";

/** With another amount or router, it is no longer the fill that was sent. */
export interface FillOverrides {
  /** Delivered amount, smallest unit. */
  readonly amount?: bigint;
  readonly router?: Address;
  readonly currency?: Address;
  readonly recipient?: Address;
}

export interface FindReplayedParameters {
  readonly input: ReplayInput;
  readonly rpcUrl: string;
  readonly overrides?: FillOverrides;
  /** Keeps what is read of the chain; in memory by default. */
  readonly cacheFolder?: string | undefined;
  /** Per response; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 30_000;

export async function findReplayed({
  input,
  rpcUrl,
  overrides = {},
  cacheFolder,
  timeoutMs = TIMEOUT_MS,
  signal,
}: FindReplayedParameters): Promise<FoundFill> {
  const { amount, currency, recipient } = overrides;
  const terms = compact({ currency, recipient });
  const options = { rpcUrl, cacheFolder, timeoutMs, signal };
  try {
    return replaceParts(await findFill(input, { ...options, terms }), overrides);
  } catch (error) {
    const isUntold = error instanceof InvalidInputError && error.field === "amount" && amount !== undefined;
    if (!isUntold) throw error;
    return replaceParts(await findFill(input, { ...options, terms: { ...terms, amount } }), overrides);
  }
}

function replaceParts({ subject, past }: FoundFill, { amount = subject.amount, ...fields }: FillOverrides): FoundFill {
  const { router } = subject.plan;
  const isUnknownValue = amount !== subject.amount || !isSameAddress(fields.router ?? router, router);
  const plan: FillPlan = { ...subject.plan, ...fields };
  return { subject: { ...subject, plan, amount, sent: isUnknownValue ? undefined : subject.sent }, past };
}
