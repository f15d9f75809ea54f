import { type Address, parseAbi, zeroAddress } from "viem";

import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "@crosscall/protocol/chains";
import type { Recipe } from "./recipe.ts";

export interface LidoSubmitArguments {
  readonly stEth: Address;
  /** Lido's referral. Defaults to none. */
  readonly referral?: Address;
}

export interface LidoWrapArguments {
  readonly stEth: Address;
  readonly wstEth: Address;
}

export interface LidoSubmitAndWrapArguments {
  readonly wstEth: Address;
}

const stEthAbi = parseAbi(["function submit(address referral) payable returns (uint256 shares)"]);
const wstEthAbi = parseAbi(["function wrap(uint256 stEthAmount) returns (uint256 wstEthAmount)"]);

/** Stakes native currency with Lido. stETH transfers round down, so one unit can remain on the router. */
export const lidoSubmit: Recipe<LidoSubmitArguments, "EXACT_INPUT" | "EXACT_OUTPUT", "nativeCall", "none"> = {
  name: "lido.submit",
  about: "Takes native currency; stETH goes to the caller, then to the recipient.",
  argumentNames: { stEth: 1, referral: 1 },
  tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
  liveWays: ["nativeCall"],
  minimum: "none",
  use: (args) => {
    const stEth = parseEvmAddress(args.stEth, "args.stEth");
    const referral = parseEvmAddress(args.referral ?? zeroAddress, "args.referral");
    return {
      takes: EVM_NATIVE_CURRENCY,
      input: "value",
      credits: { kind: "token", token: stEth, to: "caller" },
      call: (amount) => ({ target: stEth, abi: stEthAbi, functionName: "submit", args: [referral], value: amount }),
    };
  },
};

/** Stakes native currency with Lido and wraps the stETH. The wrapper does both when it receives native currency. */
export const lidoSubmitAndWrap: Recipe<
  LidoSubmitAndWrapArguments,
  "EXACT_INPUT" | "EXACT_OUTPUT",
  "nativeCall",
  "none"
> = {
  name: "lido.submitAndWrap",
  about: "Takes native currency; wstETH goes to the caller, then to the recipient.",
  argumentNames: { wstEth: 1 },
  tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
  liveWays: ["nativeCall"],
  minimum: "none",
  use: (args) => {
    const wstEth = parseEvmAddress(args.wstEth, "args.wstEth");
    return {
      takes: EVM_NATIVE_CURRENCY,
      input: "value",
      credits: { kind: "token", token: wstEth, to: "caller" },
      call: (amount) => ({ target: wstEth, data: "0x", value: amount }),
    };
  },
};

/**
 * Wraps a fixed amount of stETH. A live amount is not possible: the wrapper pays its caller in its own token, and a
 * program must not call a token that it handles. Deliver native currency and use `lidoSubmitAndWrap` instead.
 */
export const lidoWrap: Recipe<LidoWrapArguments, "EXACT_OUTPUT", never, "none"> = {
  name: "lido.wrap",
  about: "Takes stETH; wstETH goes to the caller, then to the recipient.",
  argumentNames: { stEth: 1, wstEth: 1 },
  tradeTypes: ["EXACT_OUTPUT"],
  liveWays: [],
  minimum: "none",
  use: (args) => {
    const wstEth = parseEvmAddress(args.wstEth, "args.wstEth");
    return {
      takes: parseEvmAddress(args.stEth, "args.stEth"),
      input: "allowance",
      takesExactly: true,
      credits: { kind: "token", token: wstEth, to: "caller" },
      call: (amount) => ({ target: wstEth, abi: wstEthAbi, functionName: "wrap", args: [amount] }),
    };
  },
};
