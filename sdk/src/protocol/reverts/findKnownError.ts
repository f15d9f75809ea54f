import { type Abi, type Hex, parseAbiItem, toFunctionSelector } from "viem";

import type { FailReason } from "../request/failReasons.ts";
import { KNOWN_ERRORS, MASKING_ERRORS, TEXT_ERRORS, WRAPPING_ERRORS } from "./knownErrors.ts";

export type AbiError = Extract<Abi[number], { readonly type: "error" }>;

export interface KnownError {
  readonly abi: AbiError;
  /** What it means, or that its last argument is another call's revert data or a text. */
  readonly kind: FailReason | "wrapping" | "text";
}

const ERRORS: ReadonlyMap<string, KnownError> = new Map(
  [
    ...Object.entries(KNOWN_ERRORS).map(([reason, errors]) => [reason as FailReason, errors] as const),
    ["wrapping", WRAPPING_ERRORS] as const,
    ["text", ["Error(string)", ...TEXT_ERRORS]] as const,
  ].flatMap(([kind, errors]) =>
    errors.map((words): [string, KnownError] => [
      selectorOf(words),
      { kind, abi: parseAbiItem(`error ${words}`) as AbiError },
    ]),
  ),
);

const MASKS: ReadonlySet<string> = new Set(MASKING_ERRORS.map(selectorOf));

/** Whether revert data replaces that of a call inside. */
export function isMaskingError(data: Hex): boolean {
  return MASKS.has(data.slice(0, 10));
}

/** By selector. */
export function findKnownError(data: Hex): KnownError | undefined {
  return ERRORS.get(data.slice(0, 10));
}

export function selectorOf(words: string): Hex {
  return toFunctionSelector(`function ${words}`);
}
