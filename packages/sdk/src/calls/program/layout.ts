import { keccak256, size, slice, toHex } from "viem";

import type { DecodedDraw } from "./decodedProgram.ts";

// Version of the program layout, which contracts/interfaces/IPushExecutor.sol describes.

export const PROGRAM_VERSION = 1;

/** Size of the header in bytes, with a reference to the recipient. */
export const HEADER_SIZE = 12;

/** Highest position that a reference can have. */
export const HIGHEST_POSITION = 2 ** 16 - 1;

/** Policies in the order of their numbers. */
export const POLICY_KINDS = ["revert", "fallBack"] as const;

/** Kinds of draws in the order of their numbers. */
export const DRAW_KINDS = [
  "balance",
  "forTarget",
  "forSpender",
  "value",
  "returned",
  "fixedValue",
] as const satisfies readonly DecodedDraw["kind"][];

/** Maximum deadline, which means that there is no deadline. */
export const NO_DEADLINE = 2n ** 40n - 1n;

const sentinelBytes = slice(keccak256(toHex("crosscall.live.amount")), 0, 8);

/** Placeholder for an amount in call data; a narrow field contains its low bytes. */
export const SENTINEL = BigInt(sentinelBytes);

/** Bytes of the sentinel, none of which is zero. */
export const SENTINEL_BYTES = { hex: sentinelBytes.slice(2), size: size(sentinelBytes) } as const;
