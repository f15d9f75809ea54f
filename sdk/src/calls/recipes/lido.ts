import { type Address, parseAbi, zeroAddress } from "viem";

import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "../../chains/address.ts";
import type { Recipe } from "./recipe.ts";

/** Arguments of {@link lidoSubmit}. */
export interface LidoSubmitArguments {
  readonly stEth: Address;
  /** Whom Lido books as the referrer; nobody when left out. */
  readonly referral?: Address;
}

/** Arguments of {@link lidoWrap}. */
export interface LidoWrapArguments {
  readonly stEth: Address;
  readonly wstEth: Address;
}

/** Arguments of {@link lidoSubmitAndWrap}. */
export interface LidoSubmitAndWrapArguments {
  readonly wstEth: Address;
}

const stEthAbi = parseAbi(["function submit(address referral) payable returns (uint256 shares)"]);
const wstEthAbi = parseAbi(["function wrap(uint256 stEthAmount) returns (uint256 wstEthAmount)"]);

/** Stakes native with Lido. Transfers of stETH round down, so a unit may stay on the router. */
export const lidoSubmit: Recipe<LidoSubmitArguments, "EXACT_INPUT" | "EXACT_OUTPUT", "nativeCall", "none"> = {
  name: "lido.submit",
  about: "Takes native; stETH goes to the caller, and then to the recipient.",
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

/** Stakes native with Lido and wraps it, which the wrapper does with native that it is sent. */
export const lidoSubmitAndWrap: Recipe<
  LidoSubmitAndWrapArguments,
  "EXACT_INPUT" | "EXACT_OUTPUT",
  "nativeCall",
  "none"
> = {
  name: "lido.submitAndWrap",
  about: "Takes native; wstETH goes to the caller, and then to the recipient.",
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
 * Wraps a fixed amount of stETH. For a live one there is no way: the wrapper pays its caller in itself, and a program must
 * not call a token that it handles. Deliver native and use {@link lidoSubmitAndWrap}.
 */
export const lidoWrap: Recipe<LidoWrapArguments, "EXACT_OUTPUT", never, "none"> = {
  name: "lido.wrap",
  about: "Takes stETH; wstETH goes to the caller, and then to the recipient.",
  tradeTypes: ["EXACT_OUTPUT"],
  liveWays: [],
  minimum: "none",
  use: (args) => {
    const wstEth = parseEvmAddress(args.wstEth, "args.wstEth");
    return {
      takes: parseEvmAddress(args.stEth, "args.stEth"),
      input: "allowance",
      credits: { kind: "token", token: wstEth, to: "caller" },
      call: (amount) => ({ target: wstEth, abi: wstEthAbi, functionName: "wrap", args: [amount] }),
    };
  },
};
