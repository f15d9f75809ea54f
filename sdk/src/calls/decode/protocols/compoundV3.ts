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
      gives: { token: "@target", recipient: "dst", hint: "Name the user as dst." },
    },
    {
      signature: "function supplyFrom(address from, address dst, address asset, uint256 amount)",
      amounts: { amount: "asset" },
      gives: { token: "@target", recipient: "dst", hint: "Name the user as dst." },
    },
    {
      signature: "function withdraw(address asset, uint256 amount)",
      amounts: { amount: "asset" },
      gives: { token: "asset", recipient: "@caller", hint: "Call withdrawTo with the user." },
    },
    {
      signature: "function withdrawTo(address to, address asset, uint256 amount)",
      amounts: { amount: "asset" },
      gives: { token: "asset", recipient: "to", hint: "Name the user as the receiver." },
    },
    {
      signature: "function withdrawFrom(address src, address to, address asset, uint256 amount)",
      amounts: { amount: "asset" },
      gives: { token: "asset", recipient: "to", hint: "Name the user as the receiver." },
    },
  ],
};
