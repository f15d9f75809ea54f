import type { ProtocolFamily } from "../knownFunction.ts";

export const wrappedNative: ProtocolFamily = {
  name: "wrapped native",
  functions: [
    {
      signature: "function deposit() payable",
      gives: {
        token: "@target",
        recipient: "@caller",
        amount: "@value",
        hint: "Sweep the wrapped token afterwards, or use WrappedNativeProxy, which names a recipient.",
      },
    },
    {
      signature: "function withdraw(uint256 amount)",
      takes: { token: "@target", amount: "amount" },
      gives: {
        token: "@native",
        recipient: "@caller",
        amount: "amount",
        hint: "Sweep the native currency afterwards.",
      },
    },
  ],
};
