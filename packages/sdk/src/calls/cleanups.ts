import type { Address, Hex } from "viem";

import { parseEvmAddress } from "@crosscall/protocol/chains";
import { rejectMisspelledOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { requireAmount } from "@crosscall/protocol/encoding";
import { type Call, parseCallData } from "@crosscall/protocol/common";
import { requireSwept, routerCall, type RouterMetadata, type RouterParameters } from "./routerCall.ts";

export interface Erc20Cleanup {
  readonly token: Address;
  readonly recipient: Address;
  /** Amount in the smallest unit. Defaults to the whole balance. */
  readonly amount?: bigint;
}

export interface CleanupErc20sParameters extends RouterParameters, RouterMetadata {
  readonly cleanups: readonly Erc20Cleanup[];
}

/**
 * Builds the router's call that sends its token balances (spec 2, call rule 4).
 *
 * @throws {@link InvalidInputError} when the list is empty, an amount is zero (the router would send the whole
 * balance), an address is missing, or a router before v3 gets metadata
 */
export function cleanupErc20s(parameters: CleanupErc20sParameters): Call {
  rejectMisspelledOptions(parameters, ["cleanups", "router", "routerVersion", "metadata"]);
  const { cleanups, ...router } = parameters;
  if (cleanups.length === 0) {
    throw new InvalidInputError({
      field: "cleanups",
      value: [],
      reason: "there is no token to sweep",
      hint: "Pass at least one token and its recipient.",
    });
  }
  const amounts = cleanups.map(({ amount }, index) => requireSwept(amount, `cleanups[${index}].amount`));
  return routerCall(router, {
    name: "cleanupErc20s",
    args: [
      cleanups.map(({ token }, index) => parseEvmAddress(token, `cleanups[${index}].token`)),
      cleanups.map(({ recipient }, index) => parseEvmAddress(recipient, `cleanups[${index}].recipient`)),
      amounts.map((amount, index) => requireAmount(amount, `cleanups[${index}].amount`)),
    ],
  });
}

/** Token to approve for an account, and the call to that account. */
export interface Erc20CleanupViaCall {
  readonly token: Address;
  /** Account to approve for the token, and to call. */
  readonly to: Address;
  readonly data: Hex;
  /** Amount in the smallest unit. Defaults to the whole balance. */
  readonly amount?: bigint;
}

export interface CleanupErc20sViaCallParameters extends RouterParameters {
  readonly cleanups: readonly Erc20CleanupViaCall[];
}

/**
 * Builds the router's call that approves contracts for its token balances and calls them. Works with all router
 * versions.
 *
 * Before version 3.1, it fails on tokens that return nothing from `approve`, or that reject a change between non-zero
 * allowances. It does not revoke unused allowances, which anyone can spend through the approved contract. The router
 * skips the call for a token without an amount and without a balance.
 * @throws {@link InvalidInputError} when the list is empty, an amount is zero (the router would use the whole balance),
 * or an address or call data is missing
 */
export function cleanupErc20sViaCall(parameters: CleanupErc20sViaCallParameters): Call {
  rejectMisspelledOptions(parameters, ["cleanups", "router", "routerVersion"]);
  const { cleanups, ...router } = parameters;
  if (cleanups.length === 0) {
    throw new InvalidInputError({
      field: "cleanups",
      value: [],
      reason: "there is no token to move",
      hint: "Pass at least one token and the account to call.",
    });
  }
  const amounts = cleanups.map(({ amount }, index) => requireSwept(amount, `cleanups[${index}].amount`));
  return routerCall(router, {
    name: "cleanupErc20sViaCall",
    args: [
      cleanups.map(({ token }, index) => parseEvmAddress(token, `cleanups[${index}].token`)),
      cleanups.map(({ to }, index) => parseEvmAddress(to, `cleanups[${index}].to`)),
      cleanups.map(({ data }, index) => parseCallData(data, `cleanups[${index}].data`)),
      amounts.map((amount, index) => requireAmount(amount, `cleanups[${index}].amount`)),
    ],
  });
}

export interface CleanupNativeParameters extends RouterParameters, RouterMetadata {
  readonly recipient: Address;
  /** Amount in wei. Defaults to the whole balance. */
  readonly amount?: bigint;
}

/**
 * Builds the router's call that sends its native balance (spec 2, call rule 4).
 *
 * @throws {@link InvalidInputError} when the amount is zero (the router would send the whole balance), the address is
 * missing, or a router before v3 gets metadata
 */
export function cleanupNative(parameters: CleanupNativeParameters): Call {
  rejectMisspelledOptions(parameters, ["recipient", "amount", "router", "routerVersion", "metadata"]);
  const { recipient, amount, ...router } = parameters;
  return routerCall(router, {
    name: "cleanupNative",
    args: [requireAmount(requireSwept(amount, "amount"), "amount"), parseEvmAddress(recipient, "recipient")],
  });
}

export interface CleanupNativeViaCallParameters extends RouterParameters {
  /** The account to call. */
  readonly to: Address;
  /** Call data. Defaults to none. */
  readonly data?: Hex;
  /** Value in wei. Defaults to the whole balance. */
  readonly amount?: bigint;
}

/**
 * Builds the router's call that calls a contract with its native balance as value. Use it for an amount that is known
 * only at the fill, because the quote fixes the `value` of a tx. Without an amount, the router skips the call if it
 * holds no native currency; put {@link requireNative} before it. Works with all router versions.
 *
 * @throws {@link InvalidInputError} when the amount is zero (the router would send the whole balance), or the address
 * or call data is missing
 */
export function cleanupNativeViaCall(parameters: CleanupNativeViaCallParameters): Call {
  rejectMisspelledOptions(parameters, ["to", "data", "amount", "router", "routerVersion"]);
  const { to, data = "0x", amount, ...router } = parameters;
  return routerCall(router, {
    name: "cleanupNativeViaCall",
    args: [
      requireAmount(requireSwept(amount, "amount"), "amount"),
      parseEvmAddress(to, "to"),
      parseCallData(data, "data"),
    ],
  });
}

/**
 * Builds the router's call that fails if the router holds no native currency: it sends one wei to itself. Put it before
 * {@link cleanupNativeViaCall} without an amount, which otherwise skips the call and its limits if no native currency
 * was delivered. Works with all router versions.
 *
 * @throws {@link InvalidInputError} when the router's address is missing
 */
export function requireNative(router: RouterParameters): Call {
  rejectMisspelledOptions(router, ["router", "routerVersion"]);
  return cleanupNativeViaCall({ ...router, to: router.router, amount: 1n });
}
