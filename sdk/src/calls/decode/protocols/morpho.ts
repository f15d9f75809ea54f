import type { ProtocolFamily } from "../knownFunction.ts";

const gives = { token: "@unknown", recipient: "onBehalf", hint: "Name the user as onBehalf." };
const lent = {
  token: "market.loanToken",
  recipient: "receiver",
  amount: "assets",
  hint: "Name the user as the receiver.",
};

export const morpho: ProtocolFamily = {
  name: "Morpho",
  structs: [
    "struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }",
  ],
  functions: [
    {
      signature: "function supply(MarketParams market, uint256 assets, uint256 shares, address onBehalf, bytes data)",
      takes: { token: "market.loanToken", amount: "assets" },
      gives,
    },
    {
      signature: "function supplyCollateral(MarketParams market, uint256 assets, address onBehalf, bytes data)",
      takes: { token: "market.collateralToken", amount: "assets" },
      gives,
    },
    {
      signature: "function repay(MarketParams market, uint256 assets, uint256 shares, address onBehalf, bytes data)",
      takes: { token: "market.loanToken", amount: "assets" },
    },
    {
      signature:
        "function borrow(MarketParams market, uint256 assets, uint256 shares, address onBehalf, address receiver)",
      amounts: { assets: "market.loanToken" },
      gives: lent,
    },
    {
      signature:
        "function withdraw(MarketParams market, uint256 assets, uint256 shares, address onBehalf, address receiver)",
      amounts: { assets: "market.loanToken" },
      gives: lent,
    },
    {
      signature: "function withdrawCollateral(MarketParams market, uint256 assets, address onBehalf, address receiver)",
      amounts: { assets: "market.collateralToken" },
      gives: {
        token: "market.collateralToken",
        recipient: "receiver",
        amount: "assets",
        hint: "Name the user as the receiver.",
      },
    },
  ],
};
