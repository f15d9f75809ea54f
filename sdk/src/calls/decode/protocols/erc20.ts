import type { ProtocolFamily } from "../knownFunction.ts";

const amounts = { amount: "@target" };

/** EIP-20, EIP-2612 and common allowance functions. */
export const erc20: ProtocolFamily = {
  name: "ERC-20",
  functions: [
    { signature: "function approve(address spender, uint256 amount)", amounts },
    { signature: "function increaseAllowance(address spender, uint256 amount)", amounts },
    { signature: "function decreaseAllowance(address spender, uint256 amount)", amounts },
    { signature: "function transfer(address to, uint256 amount)", amounts },
    { signature: "function transferFrom(address from, address to, uint256 amount)", amounts },
    {
      signature:
        "function permit(address owner, address spender, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
      amounts,
    },
  ],
};
