import type { ProtocolFamily } from "../knownFunction.ts";

const supplied = { token: "@unknown", recipient: "onBehalfOf", hint: "Name the user as onBehalfOf." };

export const aaveV3: ProtocolFamily = {
  name: "Aave v3",
  functions: [
    {
      signature: "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
      takes: { token: "asset", amount: "amount" },
      gives: supplied,
    },
    {
      // The second version's name, which pools have kept.
      signature: "function deposit(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
      takes: { token: "asset", amount: "amount" },
      gives: supplied,
    },
    {
      signature: "function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf)",
      // At most the debt.
      takes: { token: "asset", amount: "amount", isMaximum: true },
    },
    {
      signature: "function withdraw(address asset, uint256 amount, address to)",
      amounts: { amount: "asset" },
      gives: { token: "asset", recipient: "to", hint: "Name the user as the receiver." },
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
