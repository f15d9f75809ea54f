import { keccak256, size, slice, toHex } from "viem";

import type { DecodedDraw } from "./decodedProgram.ts";

// The layout of a program stands in contracts/interfaces/IPushExecutor.sol.

/** The version of programs that is written and read here. */
export const PROGRAM_VERSION = 1;

/** The policies, in the order of their numbers. */
export const POLICY_KINDS = ["revert", "fallBack"] as const;

/** The kinds of draws, in the order of their numbers. */
export const DRAW_KINDS = [
  "balance",
  "forTarget",
  "forSpender",
  "value",
  "returned",
  "fixedValue",
] as const satisfies readonly DecodedDraw["kind"][];

/** The last second that a deadline can be: none. */
export const NO_DEADLINE = 2n ** 40n - 1n;

const sentinelBytes = slice(keccak256(toHex("crosscall.live.amount")), 0, 8);

/** What stands in call data where an amount is to be written. A narrow field holds its low bytes. */
export const SENTINEL = BigInt(sentinelBytes);

/** The bytes of the sentinel that are not zero. */
export const SENTINEL_BYTES = { hex: sentinelBytes.slice(2), size: size(sentinelBytes) } as const;
