import { type Address, parseAbi } from "viem";

import { parseEvmAddress } from "@crosscall/protocol/chains";
import type { KnownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { requireAmount } from "@crosscall/protocol/encoding";
import type { LiveAmount } from "../program/placeholder.ts";
import type { ProgramStep } from "../program/program.ts";
import type { Recipe, RecipeContext, RecipeUse } from "./recipe.ts";

export interface MorphoMarket {
  readonly loanToken: Address;
  readonly collateralToken: Address;
  readonly oracle: Address;
  /** Interest rate model. */
  readonly irm: Address;
  /** Liquidation loan-to-value, with 18 decimals. */
  readonly lltv: bigint;
}

export interface MorphoBlueArguments {
  readonly morpho: Address;
  readonly market: MorphoMarket;
}

type MorphoRecipe = Recipe<MorphoBlueArguments, "EXACT_INPUT" | "EXACT_OUTPUT", "program", "none">;

/** Number of shares that makes Morpho use the amount of assets. */
const BY_ASSETS = 0n;
const NO_CALLBACK = "0x";

const morphoAbi = parseAbi([
  "struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }",
  "function supply(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data) returns (uint256, uint256)",
  "function supplyCollateral(MarketParams marketParams, uint256 assets, address onBehalf, bytes data)",
  "function repay(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data) returns (uint256, uint256)",
]);

const common = {
  argumentNames: {
    morpho: 1,
    market: { loanToken: 1, collateralToken: 1, oracle: 1, irm: 1, lltv: 1 } satisfies KnownOptions<MorphoMarket>,
  },
  tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
  liveWays: ["program"],
  minimum: "none",
} as const;

/** Supplies the loan asset to a Morpho Blue market. */
export const morphoBlueSupply: MorphoRecipe = {
  ...common,
  name: "morphoBlue.supply",
  about: "Takes the market's loan token; the market credits the supply to the recipient.",
  use: (args, context) => use(args, context, "supply"),
};

/** Supplies collateral to a Morpho Blue market. */
export const morphoBlueSupplyCollateral: MorphoRecipe = {
  ...common,
  name: "morphoBlue.supplyCollateral",
  about: "Takes the market's collateral token; the market credits the collateral to the recipient.",
  use: (args, context) => use(args, context, "supplyCollateral"),
};

/** Repays the recipient's debt in a Morpho Blue market. Reverts if the amount exceeds the debt. */
export const morphoBlueRepay: MorphoRecipe = {
  ...common,
  name: "morphoBlue.repay",
  about: "Takes the market's loan token; the recipient's debt decreases by the amount.",
  use: (args, context) => use(args, context, "repay"),
};

function use(
  args: MorphoBlueArguments,
  { recipient }: RecipeContext,
  functionName: "supply" | "supplyCollateral" | "repay",
): RecipeUse {
  const target = parseEvmAddress(args.morpho, "args.morpho");
  const market = {
    loanToken: parseEvmAddress(args.market.loanToken, "args.market.loanToken"),
    collateralToken: parseEvmAddress(args.market.collateralToken, "args.market.collateralToken"),
    oracle: parseEvmAddress(args.market.oracle, "args.market.oracle"),
    irm: parseEvmAddress(args.market.irm, "args.market.irm"),
    lltv: requireAmount(args.market.lltv, "args.market.lltv"),
  };
  const call = (amount: bigint | LiveAmount): ProgramStep => ({
    target,
    abi: morphoAbi,
    functionName,
    args:
      functionName === "supplyCollateral"
        ? [market, amount, recipient, NO_CALLBACK]
        : [market, amount, BY_ASSETS, recipient, NO_CALLBACK],
  });
  return {
    takes: functionName === "supplyCollateral" ? market.collateralToken : market.loanToken,
    input: "allowance",
    takesExactly: true,
    credits: { kind: "position", to: "recipient" },
    call,
  };
}
