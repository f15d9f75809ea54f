import { type Address, parseAbi } from "viem";

import { parseEvmAddress } from "@crosscall/protocol/chains";
import type { Recipe } from "./recipe.ts";

export interface CompoundV3SupplyArguments {
  /** The market. */
  readonly comet: Address;
  /** The market's base asset, or a collateral. */
  readonly asset: Address;
}

const cometAbi = parseAbi(["function supplyTo(address dst, address asset, uint256 amount)"]);

/**
 * Supplies to a market of Compound v3. A supply of the base asset first repays the recipient's debt, so no token
 * balance shows the output. The proxy measures supply and debt; a program cannot.
 */
export const compoundV3Supply: Recipe<
  CompoundV3SupplyArguments,
  "EXACT_INPUT" | "EXACT_OUTPUT",
  "proxy" | "program",
  "live"
> = {
  name: "compoundV3.supply",
  about: "Takes the base asset or a collateral; the market credits it to the recipient.",
  argumentNames: { comet: 1, asset: 1 },
  tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
  liveWays: ["proxy", "program"],
  minimum: "live",
  proxyFunction: "execute",
  use: (args, { recipient }) => {
    const asset = parseEvmAddress(args.asset, "args.asset");
    return {
      takes: asset,
      input: "allowance",
      takesExactly: true,
      credits: { kind: "position", to: "recipient" },
      call: (amount) => ({
        target: parseEvmAddress(args.comet, "args.comet"),
        abi: cometAbi,
        functionName: "supplyTo",
        args: [recipient, asset, amount],
      }),
    };
  },
};
