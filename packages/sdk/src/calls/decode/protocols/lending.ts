import type { ProtocolFamily } from "../knownFunction.ts";

export const compoundV3: ProtocolFamily = {
  name: "Compound v3",
  functions: [
    {
      signature: "function supply(address asset, uint256 amount)",
      takes: { token: "asset", amount: "amount" },
      gives: { token: "@target", recipient: "@caller", hint: "Call supplyTo with the user." },
    },
    {
      signature: "function supplyTo(address dst, address asset, uint256 amount)",
      takes: { token: "asset", amount: "amount" },
      gives: { token: "@target", recipient: "dst", hint: "Pass the user as dst." },
    },
    {
      signature: "function supplyFrom(address from, address dst, address asset, uint256 amount)",
      amounts: { amount: "asset" },
      gives: { token: "@target", recipient: "dst", hint: "Pass the user as dst." },
    },
    {
      signature: "function withdraw(address asset, uint256 amount)",
      amounts: { amount: "asset" },
      gives: { token: "asset", recipient: "@caller", hint: "Call withdrawTo with the user." },
    },
    {
      signature: "function withdrawTo(address to, address asset, uint256 amount)",
      amounts: { amount: "asset" },
      gives: { token: "asset", recipient: "to", hint: "Pass the user as the receiver." },
    },
    {
      signature: "function withdrawFrom(address src, address to, address asset, uint256 amount)",
      amounts: { amount: "asset" },
      gives: { token: "asset", recipient: "to", hint: "Pass the user as the receiver." },
    },
  ],
};

const gives = { token: "@unknown", recipient: "onBehalf", hint: "Pass the user as onBehalf." };
const lent = {
  token: "market.loanToken",
  recipient: "receiver",
  amount: "assets",
  hint: "Pass the user as the receiver.",
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
        hint: "Pass the user as the receiver.",
      },
    },
  ],
};

const PERMIT = "uint256 deadline, uint8 permitV, bytes32 permitR, bytes32 permitS";
// Pools since version 3.1 continue without the permit, so that an approval is enough.
const signed = { by: "@caller", isOptional: true } as const;
const supplied = { token: "@unknown", recipient: "onBehalfOf", hint: "Pass the user as onBehalfOf." };

export const aaveV3: ProtocolFamily = {
  name: "Aave v3",
  functions: [
    {
      signature: "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
      takes: { token: "asset", amount: "amount" },
      gives: supplied,
    },
    {
      signature: `function supplyWithPermit(address asset, uint256 amount, address onBehalfOf, uint16 referralCode, ${PERMIT})`,
      takes: { token: "asset", amount: "amount" },
      gives: supplied,
      signed,
    },
    {
      // The function's name in v2, which v3 pools still support.
      signature: "function deposit(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
      takes: { token: "asset", amount: "amount" },
      gives: supplied,
    },
    {
      signature: "function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf)",
      // Takes at most the debt.
      takes: { token: "asset", amount: "amount", isMaximum: true },
    },
    {
      signature: `function repayWithPermit(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf, ${PERMIT})`,
      takes: { token: "asset", amount: "amount", isMaximum: true },
      signed,
    },
    {
      signature: "function withdraw(address asset, uint256 amount, address to)",
      amounts: { amount: "asset" },
      gives: { token: "asset", recipient: "to", hint: "Pass the user as the receiver." },
    },
    {
      signature:
        "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)",
      amounts: { amount: "asset" },
      gives: { token: "asset", recipient: "@caller", amount: "amount", hint: "Sweep the asset afterwards." },
    },
    {
      signature: "function depositETH(address pool, address onBehalfOf, uint16 referralCode) payable",
      gives: supplied,
    },
  ],
};
