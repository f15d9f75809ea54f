import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { placeholder, requireShare, type ReturnedAmount } from "./placeholder.ts";

/** Number of words in the 512 bytes of a step's result that the executor keeps. */
const WORDS_KEPT = 16;

export interface ReturnedOptions {
  /** Share in bps. Defaults to 10,000 (all). */
  readonly shareBps?: number;
}

/**
 * Creates a placeholder for a word that the previous step returned.
 *
 * @param word index of the word from zero; for a dynamic value, its index in the ABI encoding
 * @throws {@link InvalidInputError} when the executor does not keep that word or the share is invalid
 */
export function returned(word: number, parameters: ReturnedOptions = {}): ReturnedAmount {
  rejectUnknownOptions(parameters, { shareBps: 1 });
  const { shareBps = 10_000 } = parameters;
  if (!Number.isInteger(word) || word < 0 || word >= WORDS_KEPT) {
    throw new InvalidInputError({
      field: "word",
      value: word,
      reason: `the executor keeps the first ${WORDS_KEPT} words of a step's result`,
      hint: `Pass word as an integer from 0 to ${WORDS_KEPT - 1}.`,
    });
  }
  return { [placeholder]: "returned", word, shareBps: requireShare(shareBps, "shareBps") };
}
