import type { Address } from "viem";

import { parseEvmAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";

/** @throws {@link InvalidInputError} if it is not an EVM address */
export function requireEvmAddress(value: string | undefined | null, field: string): Address {
  try {
    return parseEvmAddress(value, field);
  } catch (cause) {
    throw new InvalidInputError({
      field,
      value: value ?? undefined,
      reason: "only fills on EVM chains can be replayed",
      hint: "Pass a request whose destination is an EVM chain.",
      cause,
    });
  }
}
