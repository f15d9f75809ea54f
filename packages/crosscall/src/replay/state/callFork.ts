import { type Address, type Hex, numberToHex } from "viem";

import { EngineError } from "../fork/engine.ts";
import type { Fork } from "../fork/fork.ts";
import type { StateChanges } from "./stateChanges.ts";

export interface ForkCall {
  readonly from?: Address;
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value?: bigint;
}

/**
 * Calls without effects, on the fork's state with overrides.
 *
 * @returns the result; undefined if it reverts
 */
export async function callFork(
  fork: Fork,
  { from, to, data, value }: ForkCall,
  changes?: StateChanges,
): Promise<Hex | undefined> {
  const call = {
    ...(from === undefined ? {} : { from }),
    to,
    data,
    ...(value === undefined ? {} : { value: numberToHex(value) }),
  };
  try {
    return (await fork.request("eth_call", [call, "latest", ...(changes === undefined ? [] : [changes])])) as Hex;
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
