import { type Address, encodeAbiParameters, type Hex, concat, parseAbi, parseAbiParameters } from "viem";

import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "@crosscall/protocol/chains";
import type { Recipe } from "./recipe.ts";
import {
  type NativeEnd,
  parseNativeEnd,
  parsePoolPath,
  parseSwapTokens,
  requireRealRecipient,
  type SwapTokens,
} from "./swapPath.ts";

export interface UniversalRouterSwapArguments {
  /** Uniswap's universal router. */
  readonly universalRouter: Address;
  /** Tokens from input to output, with wrapped native currency for native ends. */
  readonly tokens: readonly Address[];
  /** Fees of v3 pools between tokens, in hundredths of a basis point. Defaults to v2 pools. */
  readonly fees?: readonly number[];
  /** The native end. Defaults to none. */
  readonly native?: NativeEnd;
}

/** Command with its encoded input. */
type Command = readonly [command: Hex, input: Hex];

// Constants from Uniswap's Commands and Constants libraries.
const COMMANDS = {
  v3SwapExactIn: "0x00",
  sweep: "0x04",
  v2SwapExactIn: "0x08",
  wrapNative: "0x0b",
  unwrapNative: "0x0c",
} as const;
const CONTRACT_BALANCE = 2n ** 255n;
const THE_ROUTER_ITSELF: Address = "0x0000000000000000000000000000000000000002";

const universalRouterAbi = parseAbi(["function execute(bytes commands, bytes[] inputs, uint256 deadline) payable"]);
const v3SwapParameters = parseAbiParameters(
  "address recipient, uint256 amountIn, uint256 amountOutMin, bytes path, bool payerIsUser",
);
const v2SwapParameters = parseAbiParameters(
  "address recipient, uint256 amountIn, uint256 amountOutMin, address[] path, bool payerIsUser",
);
const movementParameters = parseAbiParameters("address recipient, uint256 amount");
const sweepParameters = parseAbiParameters("address token, address recipient, uint256 amountMin");

/**
 * Swaps with Uniswap's universal router. The router uses its own balance, so it needs no approval, no Permit2, and no
 * proxy for a live amount. The remainder is swept to the recipient.
 */
export const universalRouterSwap: Recipe<
  UniversalRouterSwapArguments,
  "EXACT_INPUT" | "EXACT_OUTPUT",
  "transfer" | "nativeCall",
  "call"
> = {
  name: "universalRouter.swap",
  about:
    "Receives the first token of the path, or native currency; the recipient receives the last token, or native currency.",
  argumentNames: { universalRouter: 1, tokens: 1, fees: 1, native: 1 },
  tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
  liveWays: ["transfer", "nativeCall"],
  minimum: "call",
  use: (args, { recipient, minimumOut, deadline }) => {
    const native = parseNativeEnd(args.native);
    requireRealRecipient(recipient);
    const tokens = parseSwapTokens(args.tokens);
    const target = parseEvmAddress(args.universalRouter, "args.universalRouter");
    const isUnwrapped = native === "output";
    const wrap: Command = [
      COMMANDS.wrapNative,
      encodeAbiParameters(movementParameters, [THE_ROUTER_ITSELF, CONTRACT_BALANCE]),
    ];
    const swap = isUnwrapped
      ? encodeSwap(tokens, args.fees, THE_ROUTER_ITSELF, 0n)
      : encodeSwap(tokens, args.fees, recipient, minimumOut);
    const unwrap: Command = [COMMANDS.unwrapNative, encodeAbiParameters(movementParameters, [recipient, minimumOut])];
    const sweep: Command = [COMMANDS.sweep, encodeAbiParameters(sweepParameters, [tokens.first, recipient, 0n])];
    const commands = [...(native === "input" ? [wrap] : []), swap, ...(isUnwrapped ? [unwrap] : []), sweep];
    return {
      takes: native === "input" ? EVM_NATIVE_CURRENCY : tokens.first,
      input: native === "input" ? "value" : "transfer",
      credits: { kind: "token", token: isUnwrapped ? EVM_NATIVE_CURRENCY : tokens.last, to: "recipient" },
      call: (amount) => ({
        target,
        abi: universalRouterAbi,
        functionName: "execute",
        args: [concat(commands.map(([command]) => command)), commands.map(([, input]) => input), deadline],
        ...(native === "input" ? { value: amount } : {}),
      }),
    };
  },
};

function encodeSwap(
  tokens: SwapTokens,
  fees: readonly number[] | undefined,
  recipient: Address,
  minimumOut: bigint,
): Command {
  if (fees === undefined) {
    const input = [recipient, CONTRACT_BALANCE, minimumOut, tokens.all, false] as const;
    return [COMMANDS.v2SwapExactIn, encodeAbiParameters(v2SwapParameters, input)];
  }
  const path = parsePoolPath(tokens.all, fees).bytes;
  const input = [recipient, CONTRACT_BALANCE, minimumOut, path, false] as const;
  return [COMMANDS.v3SwapExactIn, encodeAbiParameters(v3SwapParameters, input)];
}
