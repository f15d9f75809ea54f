import { type Address, parseAbi } from "viem";

import { parseEvmAddress } from "@crosscall/protocol/chains";
import type { Recipe } from "./recipe.ts";

export interface AaveV3RepayArguments {
  readonly pool: Address;
  /** The reserve's asset. */
  readonly asset: Address;
}

export interface AaveV3SupplyArguments extends AaveV3RepayArguments {
  /** The reserve's interest-bearing token, whose balance shows the supply. */
  readonly aToken: Address;
}

/** The pool's interest rate mode for variable debt. */
const VARIABLE_RATE = 2n;

const NO_REFERRAL = 0;

const poolAbi = parseAbi([
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf) returns (uint256)",
]);

/**
 * Supplies to a reserve of Aave v3. Set the minimum one or two units below the expected output, because aToken balances
 * are rounded.
 */
export const aaveV3Supply: Recipe<AaveV3SupplyArguments, "EXACT_INPUT" | "EXACT_OUTPUT", "proxy" | "program", "live"> =
  {
    name: "aaveV3.supply",
    about: "Takes the reserve's asset; the pool mints aTokens to the recipient.",
    argumentNames: { pool: 1, asset: 1, aToken: 1 },
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
        credits: { kind: "token", token: parseEvmAddress(args.aToken, "args.aToken"), to: "recipient" },
        call: (amount) => ({
          target: parseEvmAddress(args.pool, "args.pool"),
          abi: poolAbi,
          functionName: "supply",
          args: [asset, amount, recipient, NO_REFERRAL],
        }),
      };
    },
  };

/** Repays the recipient's variable debt in Aave v3. Unused input goes to the recipient. */
export const aaveV3Repay: Recipe<AaveV3RepayArguments, "EXACT_INPUT" | "EXACT_OUTPUT", "proxy" | "program", "live"> = {
  name: "aaveV3.repay",
  about: "Takes the reserve's asset; the recipient's variable debt decreases, and unused input goes to the recipient.",
  argumentNames: { pool: 1, asset: 1 },
  tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
  liveWays: ["proxy", "program"],
  minimum: "live",
  proxyFunction: "repay",
  use: (args, { recipient }) => {
    const asset = parseEvmAddress(args.asset, "args.asset");
    return {
      takes: asset,
      input: "allowance",
      credits: { kind: "position", to: "recipient" },
      call: (amount) => ({
        target: parseEvmAddress(args.pool, "args.pool"),
        abi: poolAbi,
        functionName: "repay",
        args: [asset, amount, VARIABLE_RATE, recipient],
      }),
    };
  },
};
