import { type Address, parseAbi } from "viem";

import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "@crosscall/protocol/chains";
import type { Recipe } from "./recipe.ts";

export interface WrappedNativeArguments {
  readonly wrappedNative: Address;
}

export const wrappedNativeAbi = parseAbi(["function deposit() payable", "function withdraw(uint256 amount)"]);

/** Wraps native currency. */
export const wrapNative: Recipe<
  WrappedNativeArguments,
  "EXACT_INPUT" | "EXACT_OUTPUT",
  "proxy" | "nativeCall",
  "live"
> = {
  name: "wrappedNative.wrap",
  about: "Takes native currency; the same amount of wrapped native goes to the caller, then to the recipient.",
  argumentNames: { wrappedNative: 1 },
  tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
  liveWays: ["proxy", "nativeCall"],
  minimum: "live",
  proxyFunction: "execute",
  use: (args) => {
    const wrapped = parseEvmAddress(args.wrappedNative, "args.wrappedNative");
    return {
      takes: EVM_NATIVE_CURRENCY,
      input: "value",
      credits: { kind: "token", token: wrapped, to: "caller" },
      call: (amount) => ({ target: wrapped, abi: wrappedNativeAbi, functionName: "deposit", args: [], value: amount }),
    };
  },
};

/**
 * Unwraps native currency. A live amount requires the proxy, because a program must not call a token that it handles.
 */
export const unwrapNative: Recipe<WrappedNativeArguments, "EXACT_INPUT" | "EXACT_OUTPUT", "proxy", "live"> = {
  name: "wrappedNative.unwrap",
  about: "Takes the wrapped native; the same amount of native currency goes to the caller, then to the recipient.",
  argumentNames: { wrappedNative: 1 },
  tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
  liveWays: ["proxy"],
  minimum: "live",
  proxyFunction: "execute",
  use: (args) => {
    const wrapped = parseEvmAddress(args.wrappedNative, "args.wrappedNative");
    return {
      takes: wrapped,
      input: "burn",
      credits: { kind: "token", token: EVM_NATIVE_CURRENCY, to: "caller" },
      call: (amount) => ({ target: wrapped, abi: wrappedNativeAbi, functionName: "withdraw", args: [amount] }),
    };
  },
};
