import { size, slice } from "viem";
import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";

import type { FillPlan } from "../fillPlan.ts";
import type { Fork } from "../fork/fork.ts";
import { readCode, readStateChanges } from "../fork/readState.ts";
import type { ReplayFinding } from "../replayReport.ts";
import { createAbiIndex } from "../trace/abiIndex.ts";
import type { CallFrame } from "../trace/callFrame.ts";
import { allCalls, numberCalls, walkCalls } from "../trace/orderCalls.ts";
import { contractOf } from "./placeOf.ts";

/** Addresses up to this one can be precompiled contracts, which have no code. */
const PRECOMPILES_END = 0xffffn;

/** Maximum number of addresses whose code is read. */
const READS_MAX = 32;

/**
 * Finds calls that succeed and do nothing: to an address without code, or without an event, a transfer and a change that
 * remains or that other calls can see. Calls of the router to addresses without code are findings of the checker.
 *
 * @param root a fill that succeeds, on the fork's current state
 */
export async function findSilent(fork: Fork, root: CallFrame, plan: FillPlan): Promise<ReplayFinding[]> {
  const { indexes } = numberCalls(root, plan);
  const walked = walkCalls(root, indexes);
  const inner = walked.map(({ frame }) => frame).filter(({ from }) => !isSameAddress(from, plan.router));
  const codeless = await findCodeless(fork, inner);
  const found = walked.flatMap(({ frame, txIndex }): ReplayFinding[] =>
    codeless.has(frame)
      ? [
          {
            code: "CALL_WITHOUT_CODE",
            severity: "warning",
            txIndex,
            reason: `${frame.from} calls ${nameOf(frame)} of ${String(frame.to)}, which has no code, so that the call succeeds and does nothing`,
            hint: "Correct the address: a contract of another chain may have another address here.",
          },
        ]
      : [],
  );
  // A sweep of the router may find nothing to send.
  const own = [...indexes].filter(([{ to }]) => to === undefined || !isSameAddress(to, plan.router));
  return [...found, ...(await findIdle(fork, root, own, codeless))];
}

async function findCodeless(fork: Fork, frames: readonly CallFrame[]): Promise<ReadonlySet<CallFrame>> {
  const candidates = frames.filter(
    ({ kind, to, input, output, gasUsed, calls, logs }) =>
      (kind === "CALL" || kind === "DELEGATECALL") &&
      to !== undefined &&
      // Code that the fill itself creates uses gas.
      gasUsed === 0n &&
      BigInt(to) > PRECOMPILES_END &&
      size(input) >= 4 &&
      output === "0x" &&
      calls.length === 0 &&
      logs.length === 0,
  );
  const accounts = [...new Set(candidates.flatMap(({ to }) => to ?? []))].slice(0, READS_MAX);
  const codes = await Promise.all(accounts.map((account) => readCode(fork, account)));
  const empty = new Set(accounts.filter((_, position) => codes[position] === "0x"));
  return new Set(candidates.filter(({ to }) => to !== undefined && empty.has(to)));
}

async function findIdle(
  fork: Fork,
  root: CallFrame,
  calls: readonly (readonly [CallFrame, txIndex: number])[],
  codeless: ReadonlySet<CallFrame>,
): Promise<ReplayFinding[]> {
  const candidates = calls.filter(
    ([call]) =>
      call.error === undefined && size(call.input) >= 4 && isQuiet(call) && !isSeenByOthers(root, call, codeless),
  );
  if (candidates.length === 0) return [];
  const { from, to = EVM_NATIVE_CURRENCY, input: data, value } = root;
  const changes = await readStateChanges(fork, { from, to, data, value });
  const changed = new Set(
    Object.entries(changes)
      .filter(([, { stateDiff, code }]) => stateDiff !== undefined || code !== undefined)
      .map(([account]) => account.toLowerCase()),
  );
  const idle = candidates.filter(
    ([call]) => !allCalls(call).some((frame) => changed.has(contractOf(frame).toLowerCase())),
  );
  const codes = await Promise.all(idle.map(([{ to: target = EVM_NATIVE_CURRENCY }]) => readCode(fork, target)));
  return idle.flatMap(([call, txIndex], position): ReplayFinding[] =>
    codes[position] === "0x"
      ? []
      : [
          {
            code: "CALL_WITHOUT_EFFECT",
            severity: "warning",
            txIndex,
            reason: `${String(call.to)} leaves no change after ${nameOf(call)}: no event, no transfer of native currency, and no changed storage`,
            hint: "Check the address, the function and its arguments. Keep the call if it checks a condition.",
          },
        ],
  );
}

/** Whether neither the call nor its inner calls emit an event, send native currency or create a contract. */
function isQuiet(call: CallFrame): boolean {
  return allCalls(call).every(
    ({ kind, logs, value, error }) =>
      logs.length === 0 && value === 0n && error === undefined && kind !== "CREATE" && kind !== "CREATE2",
  );
}

/**
 * Whether other calls use a contract that the call can change. A lock, or transient storage, is such a change that the
 * fill's end does not show.
 */
function isSeenByOthers(root: CallFrame, call: CallFrame, codeless: ReadonlySet<CallFrame>): boolean {
  const changing = changeableCalls(call).filter((frame) => !codeless.has(frame));
  const changeable = new Set(changing.map(contractOf));
  const own = new Set(allCalls(call));
  return allCalls(root).some((frame) => !own.has(frame) && changeable.has(contractOf(frame)));
}

/** Lists the call and its inner calls, without those that can only read. */
function changeableCalls(frame: CallFrame): readonly CallFrame[] {
  return frame.kind === "STATICCALL" ? [] : [frame, ...frame.calls.flatMap(changeableCalls)];
}

function nameOf({ input }: CallFrame): string {
  return createAbiIndex().readCall(input)?.item.name ?? slice(input, 0, 4);
}
