import type { ProtocolFamily } from "../knownFunction.ts";

const shares = { token: "@target", recipient: "receiver", hint: "Name the user as the receiver." };
const assets = { token: "@unknown", recipient: "receiver", hint: "Name the user as the receiver." };

/** EIP-4626 vaults. Their asset is in no call. */
export const erc4626: ProtocolFamily = {
  name: "ERC-4626",
  functions: [
    {
      signature: "function deposit(uint256 assets, address receiver)",
      takes: { token: "@unknown", amount: "assets" },
      gives: shares,
    },
    {
      signature: "function mint(uint256 shares, address receiver)",
      amounts: { shares: "@target" },
      takes: { token: "@unknown", amount: "@unknown" },
      gives: shares,
    },
    { signature: "function withdraw(uint256 assets, address receiver, address owner)", gives: assets },
    {
      signature: "function redeem(uint256 shares, address receiver, address owner)",
      amounts: { shares: "@target" },
      gives: assets,
    },
  ],
};
