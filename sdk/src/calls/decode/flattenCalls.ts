import type { DecodedCall } from "./decodedCall.ts";

/** Calls with their inner calls, in order. */
export function flattenCalls(calls: readonly DecodedCall[]): DecodedCall[] {
  return calls.flatMap((call) => (call.kind === "function" ? [call, ...flattenCalls(call.calls)] : [call]));
}
