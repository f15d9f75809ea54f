import { type Address, encodeFunctionData } from "viem";

import { routerAbi } from "../abi/router.generated.ts";
import { parseEvmAddress } from "../chains/address.ts";
import { requireAmount } from "../core/amounts.ts";
import { InvalidInputError } from "../core/errors.ts";
import type { Call } from "../protocol/call.ts";

/** A token to sweep out of the router. */
export interface Erc20Cleanup {
  readonly token: Address;
  readonly recipient: Address;
  /** Smallest unit; the full balance when left out. */
  readonly amount?: bigint;
}

/** What {@link cleanupErc20s} takes. */
export interface CleanupErc20sParameters {
  readonly router: Address;
  readonly cleanups: readonly Erc20Cleanup[];
}

/**
 * The router's own call that sends its token balances on (spec 2, call rule 4; router v3 encoding).
 *
 * @throws {@link InvalidInputError} when there is nothing to sweep, an amount of zero, which would mean all, or no address
 */
export function cleanupErc20s({ router, cleanups }: CleanupErc20sParameters): Call {
  if (cleanups.length === 0) {
    throw new InvalidInputError({
      field: "cleanups",
      value: [],
      reason: "there is no token to sweep",
      cure: "Name at least one token and its recipient.",
    });
  }
  const zero = cleanups.findIndex(({ amount }) => amount === 0n);
  if (zero !== -1) {
    throw new InvalidInputError({
      field: `cleanups[${zero}].amount`,
      value: 0n,
      reason: "the router takes zero for the full balance",
      cure: "Leave amount out to sweep all, or leave this cleanup out to sweep nothing.",
    });
  }
  return {
    to: parseEvmAddress(router, "router"),
    data: encodeFunctionData({
      abi: routerAbi,
      functionName: "cleanupErc20s",
      args: [
        cleanups.map(({ token }, index) => parseEvmAddress(token, `cleanups[${index}].token`)),
        cleanups.map(({ recipient }, index) => parseEvmAddress(recipient, `cleanups[${index}].recipient`)),
        cleanups.map(({ amount }, index) => requireAmount(amount ?? 0n, `cleanups[${index}].amount`)),
        "0x",
      ],
    }),
    value: "0",
  };
}
