import { type Address, concat, type Hex, numberToHex } from "viem";

import { parseEvmAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { requireOneOf } from "@crosscall/protocol/common/rejectUnknownOptions";

/** Addresses that Uniswap's routers replace: 1 with their caller, 2 with themselves. */
const LAST_PLACEHOLDER = 2n;

/** First, last, and all tokens of a path. */
export interface SwapTokens {
  readonly first: Address;
  readonly last: Address;
  readonly all: readonly Address[];
}

export interface PoolPath extends SwapTokens {
  readonly fees: readonly number[];
  /** Packed path: a token (20 bytes), a fee (3 bytes), a token, and so on. */
  readonly bytes: Hex;
}

/** Parses a path's tokens, from input to output. */
export function parseSwapTokens(tokens: readonly Address[]): SwapTokens {
  const all = tokens.map((token, index) => parseEvmAddress(token, `args.tokens[${index}]`));
  const [first, last] = [all[0], all.at(-1)];
  if (first !== undefined && last !== undefined && all.length > 1) return { first, last, all };
  throw new InvalidInputError({
    field: "args.tokens",
    value: tokens,
    reason: "a swap must have at least two tokens",
    hint: "Pass the tokens from input to output.",
  });
}

/** Requires a fee, in hundredths of a basis point, between each token and the next. */
export function parsePoolPath(tokens: readonly Address[], fees: readonly number[]): PoolPath {
  const path = parseSwapTokens(tokens);
  if (fees.length !== path.all.length - 1) {
    throw new InvalidInputError({
      field: "args.fees",
      value: fees,
      reason: `${path.all.length} tokens have ${path.all.length - 1} pools between them`,
      hint: "Pass a fee for each pool, in hundredths of a basis point.",
    });
  }
  for (const [index, fee] of fees.entries()) {
    if (Number.isInteger(fee) && fee >= 0 && fee < 2 ** 24) continue;
    throw new InvalidInputError({
      field: `args.fees[${index}]`,
      value: fee,
      reason: "a fee must be an integer below 2^24",
      hint: "Pass hundredths of a basis point: 500 is 0.05%.",
    });
  }
  const bytes = concat(
    path.all.flatMap((token, index) => {
      const fee = fees[index];
      return fee === undefined ? [token] : [token, numberToHex(fee, { size: 3 })];
    }),
  );
  return { ...path, fees, bytes };
}

/** End of a swap that is native currency instead of the wrapped token. */
export type NativeEnd = "input" | "output";

export function parseNativeEnd(value: unknown): NativeEnd | undefined {
  return value === undefined ? undefined : requireOneOf(value, ["input", "output"], "args.native");
}

/** Rejects addresses that Uniswap's routers replace. */
export function requireRealRecipient(recipient: Address): Address {
  if (BigInt(recipient) > LAST_PLACEHOLDER) return recipient;
  throw new InvalidInputError({
    field: "recipient",
    value: recipient,
    reason: "the router replaces this address with a different one",
    hint: "Pass the user's own address.",
  });
}
