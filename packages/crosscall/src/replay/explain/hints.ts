import { type Address, size, slice } from "viem";

import type { FailReason } from "@crosscall/protocol/request";
import type { CallFrame } from "../callFrame.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { Fork } from "../fork/fork.ts";
import { createAbiIndex } from "../trace/abiIndex.ts";
import type { NumberedCalls } from "../trace/numberCalls.ts";
import type { FailedCondition } from "../verdict.ts";
import type { Cause } from "./findCause.ts";

export interface HintFacts {
  readonly failReason: FailReason;
  readonly condition: FailedCondition | undefined;
  readonly cause: Cause;
  /** The multicall's call that contains the cause. */
  readonly call: CallFrame | undefined;
  readonly numbered: NumberedCalls;
  readonly plan: FillPlan;
}

/** A hint from the trace, beyond the reason and its numbers. */
export async function readHint(fork: Fork, facts: HintFacts): Promise<string | undefined> {
  const { failReason, condition, cause, call, numbered, plan } = facts;
  const { frame } = cause;
  if (call !== undefined && numbered.frame !== undefined && !numbered.places.has(call)) {
    return `Set a refundTo that accepts native currency: ${plan.refundTo} rejected the remainder.`;
  }
  if (frame.error === "out of gas" && frame.value > 0n && failReason === "TRANSFER_FAILED") {
    return `Send the native currency by a call: ${String(frame.to)} needs more than the ${frame.gas} gas of a plain transfer.`;
  }
  if (frame.error === "other" && condition === undefined) {
    return `${String(frame.to)} ends at an instruction that takes all the gas of the call: check that it is meant to be called so.`;
  }
  if (condition !== undefined || failReason !== "MISSING_REVERT_DATA" || frame.to === undefined) return undefined;
  return readSilence(fork, frame, frame.to);
}

/** Why a contract reverts without data. */
async function readSilence(fork: Fork, frame: CallFrame, to: Address): Promise<string | undefined> {
  const index = createAbiIndex();
  const last = frame.calls.at(-1);
  if (last?.error === undefined && last?.to !== undefined && last.output === "0x" && size(last.input) >= 4) {
    const name = index.readCall(last.input)?.item.name ?? slice(last.input, 0, 4);
    const hasCode = ((await fork.request("eth_getCode", [last.to, "latest"])) as string) !== "0x";
    return hasCode
      ? `${last.to} returns nothing from ${name}, and ${to} expects a result: use a way that takes such tokens.`
      : `${last.to} has no code on this chain, and ${to} expects a result from it: correct the address.`;
  }
  if (frame.calls.length === 0 && size(frame.input) >= 4 && index.readCall(frame.input) === undefined) {
    return `${to} has no function ${slice(frame.input, 0, 4)}, or reverts without data: check the address and the ABI.`;
  }
  return undefined;
}
