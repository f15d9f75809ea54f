import { type Address, concat, type Hex, numberToHex } from "viem";

import { parseEvmAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";

/** Uniswap's routers replace addresses 1 and 2 by their caller and themselves. */
const LAST_PLACEHOLDER = 2n;

/** First, last, and all tokens. */
export interface SwapTokens {
  readonly first: Address;
  readonly last: Address;
  readonly all: readonly Address[];
}

export interface PoolPath extends SwapTokens {
  readonly fees: readonly number[];
  /** Packed: token of 20 bytes, fee of 3, token, and so on. */
  readonly bytes: Hex;
}

/** From input to output. */
export function parseSwapTokens(tokens: readonly Address[]): SwapTokens {
  const all = tokens.map((token, index) => parseEvmAddress(token, `args.tokens[${index}]`));
  const [first, last] = [all[0], all.at(-1)];
  if (first !== undefined && last !== undefined && all.length > 1) return { first, last, all };
  throw new InvalidInputError({
    field: "args.tokens",
    value: tokens,
    reason: "a swap has at least two tokens",
    hint: "Pass the tokens from input to output.",
  });
}

/** A fee, in hundredths of a basis point, is between each token and the next. */
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
      reason: "a fee is a whole number below 2^24",
      hint: "Pass it in hundredths of a basis point: 500 is 0.05 %.",
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

/** The end of a swap that is native instead of wrapped. */
export type NativeEnd = "input" | "output";

export function parseNativeEnd(value: unknown): NativeEnd | undefined {
  if (value === undefined || value === "input" || value === "output") return value;
  throw new InvalidInputError({
    field: "args.native",
    value,
    reason: "native goes in or comes out",
    hint: 'Pass "input" or "output", or omit it.',
  });
}

/** Rejects addresses that Uniswap's routers replace. */
export function requireRealRecipient(recipient: Address): Address {
  if (BigInt(recipient) > LAST_PLACEHOLDER) return recipient;
  throw new InvalidInputError({
    field: "recipient",
    value: recipient,
    reason: "the swap's router replaces this address with another one",
    hint: "Name the user's own address.",
  });
}
