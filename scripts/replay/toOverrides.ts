import { parseEvmAddress } from "@crosscall/sdk/internal/chains/address";
import type { FillOverrides } from "../../src/replay/subject/findReplayed.ts";
import type { OverrideOptions } from "./replayOptions.ts";

/** @throws {@link InvalidInputError} for an invalid address */
export function toOverrides({ amount, router, currency, recipient }: OverrideOptions): FillOverrides {
  return {
    ...(amount === undefined ? {} : { amount }),
    ...(router === undefined ? {} : { router: parseEvmAddress(router, "--router") }),
    ...(currency === undefined ? {} : { currency: parseEvmAddress(currency, "--currency") }),
    ...(recipient === undefined ? {} : { recipient: parseEvmAddress(recipient, "--recipient") }),
  };
}
