import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import type { CallFrame } from "../callFrame.ts";
import type { Fork } from "../fork/fork.ts";
import { readBalance } from "../state/readToken.ts";
import type { FailedCondition } from "../verdict.ts";
import type { Cause } from "./findCause.ts";

/** Whether the caller had less native currency than the value of the call. */
export async function readNativeShortage(
  fork: Fork,
  root: CallFrame,
  { frame, path }: Cause,
): Promise<FailedCondition | undefined> {
  if (frame.value === 0n || frame.kind === "DELEGATECALL" || path.length === 0) return undefined;
  const { from } = frame;
  const first = (await readBalance(fork, EVM_NATIVE_CURRENCY, from)) ?? 0n;
  const had = first + movedBefore(root, path, from);
  return had >= frame.value
    ? undefined
    : { kind: "balance", account: from, needed: frame.value, had, currency: EVM_NATIVE_CURRENCY };
}

/** Net change of an account by the calls before the one on the path. */
function movedBefore(frame: CallFrame, [place, ...rest]: readonly number[], account: string): bigint {
  if (place === undefined) return 0n;
  const call = frame.calls[place];
  return [
    valueOf(frame, account),
    ...frame.calls.slice(0, place).map((each) => movedIn(each, account)),
    ...(call === undefined ? [] : [movedBefore(call, rest, account)]),
  ].reduce((sum, moved) => sum + moved, 0n);
}

function movedIn(frame: CallFrame, account: string): bigint {
  if (frame.error !== undefined) return 0n;
  return frame.calls.reduce((sum, call) => sum + movedIn(call, account), valueOf(frame, account));
}

function valueOf({ kind, from, to, value }: CallFrame, account: string): bigint {
  if (kind === "DELEGATECALL" || kind === "CALLCODE" || to === undefined) return 0n;
  const got = isSameAddress(to, account) ? value : 0n;
  return isSameAddress(from, account) ? got - value : got;
}
