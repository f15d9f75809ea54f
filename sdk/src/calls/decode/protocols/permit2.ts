import type { ProtocolFamily } from "../knownFunction.ts";

export const permit2: ProtocolFamily = {
  name: "Permit2",
  functions: [
    {
      signature: "function approve(address token, address spender, uint160 amount, uint48 expiration)",
      amounts: { amount: "token" },
    },
    {
      signature: "function transferFrom(address from, address to, uint160 amount, address token)",
      amounts: { amount: "token" },
    },
  ],
};
