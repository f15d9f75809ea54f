import { type DecodedCall, type DecodedFunctionCall, flattenCalls } from "../../decode/decodedCall.ts";
import { decodeCalls } from "../../decode/decodeCalls.ts";

interface Made {
  readonly call: DecodedCall;
  readonly caller: string;
  /** Address of the caller; `undefined` for the router. */
  readonly by: string | undefined;
  readonly mayFail: boolean;
}

/** Lists a call, its inner calls, and the calls of its programs, whose fallback tolerates failures. */
export function callsIn(outer: DecodedCall): Made[] {
  return flattenCalls([outer]).flatMap((call): Made[] => {
    const { isByRouter, to, mayFail, program } = call as DecodedFunctionCall;
    const own = isByRouter ? { caller: "the router", by: undefined } : { caller: "its caller", by: outer.to };
    return [
      { call, ...own, mayFail },
      ...(program?.steps ?? []).flatMap(({ target, data }) =>
        flattenCalls(decodeCalls([{ to: target, data, value: "0" }])).map((step) => ({
          call: step,
          caller: "the executor",
          by: to,
          mayFail: step.mayFail || program?.policy.kind === "fallBack",
        })),
      ),
    ];
  });
}

export function nameOf(call: DecodedCall): string {
  return call.kind === "function" ? `${call.name} of ${call.to}` : call.to;
}
