import { parseEvmAddress } from "@crosscall/sdk/internal/chains/address";
import type { FillOverrides } from "../../src/replay/subject/findReplayed.ts";
import type { OverrideOptions } from "./replayOptions.ts";

/**
 * Reads the options that replace parts of the fill.
 *
 * @throws {@link InvalidInputError} when one is no address
 */
export function toOverrides({ amount, router, currency, recipient }: OverrideOptions): FillOverrides {
  return {
    ...(amount === undefined ? {} : { amount }),
    ...(router === undefined ? {} : { router: parseEvmAddress(router, "--router") }),
    ...(currency === undefined ? {} : { currency: parseEvmAddress(currency, "--currency") }),
    ...(recipient === undefined ? {} : { recipient: parseEvmAddress(recipient, "--recipient") }),
  };
}
