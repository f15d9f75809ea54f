import type { ProtocolFamily } from "../knownFunction.ts";

const hint = "Sweep the token afterwards, because this function has no recipient.";

export const lido: ProtocolFamily = {
  name: "Lido",
  functions: [
    {
      signature: "function submit(address referral) payable",
      gives: { token: "@target", recipient: "@caller", hint },
    },
    {
      signature: "function wrap(uint256 amount)",
      takes: { token: "@unknown", amount: "amount" },
      gives: { token: "@target", recipient: "@caller", hint },
    },
    {
      signature: "function unwrap(uint256 amount)",
      takes: { token: "@target", amount: "amount" },
      gives: { token: "@unknown", recipient: "@caller", hint },
    },
  ],
};
