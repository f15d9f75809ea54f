import type { ProtocolFamily } from "../knownFunction.ts";

const toCaller = {
  token: "@nft",
  recipient: "@caller",
  hint: "Call the function that takes a recipient, or mint through a proxy that forwards what it mints.",
};
const toNamed = { token: "@nft", recipient: "to", hint: "Name the user as `to`." };

/** ERC-721, ERC-1155 and common names of mints. */
export const nft: ProtocolFamily = {
  name: "NFT",
  functions: [
    { signature: "function mint() payable", gives: toCaller },
    { signature: "function mint(uint256 quantity) payable", gives: toCaller },
    { signature: "function purchase(uint256 quantity) payable", gives: toCaller },
    { signature: "function mint(address to) payable", gives: toNamed },
    { signature: "function mint(address to, uint256 amountOrId) payable", gives: toNamed },
    { signature: "function safeMint(address to) payable", gives: toNamed },
    { signature: "function safeMint(address to, uint256 amountOrId) payable", gives: toNamed },
    { signature: "function setApprovalForAll(address operator, bool approved)" },
    { signature: "function safeTransferFrom(address from, address to, uint256 id)" },
    { signature: "function safeTransferFrom(address from, address to, uint256 id, bytes data)" },
    { signature: "function safeTransferFrom(address from, address to, uint256 id, uint256 count, bytes data)" },
    {
      signature:
        "function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] counts, bytes data)",
    },
  ],
};
