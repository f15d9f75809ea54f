import type { ProtocolFamily } from "../knownFunction.ts";

const shares = { token: "@target", recipient: "receiver", hint: "Pass the user as the receiver." };
const assets = { token: "@unknown", recipient: "receiver", hint: "Pass the user as the receiver." };

/** EIP-4626 vaults, whose calls do not contain the asset. */
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
    // ERC-7540: the controller claims the shares or assets later.
    {
      signature: "function requestDeposit(uint256 assets, address controller, address owner)",
      takes: { token: "@unknown", amount: "assets", payer: "owner" },
    },
    {
      signature: "function requestRedeem(uint256 shares, address controller, address owner)",
      amounts: { shares: "@target" },
    },
  ],
};

export const wrappedNative: ProtocolFamily = {
  name: "wrapped native",
  functions: [
    {
      signature: "function deposit() payable",
      gives: {
        token: "@target",
        recipient: "@caller",
        amount: "@value",
        hint: "Sweep the wrapped token afterwards, or use WrappedNativeProxy, which has a recipient.",
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

const toCaller = {
  token: "@nft",
  recipient: "@caller",
  hint: "Call the function with a recipient, or mint through a proxy that forwards the NFTs.",
};
const toNamed = { token: "@nft", recipient: "to", hint: "Pass the user as `to`." };

/** ERC-721, ERC-1155 and common mint functions. */
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

const WITNESS = "bytes32 witness, string witnessTypeString, bytes signature";
const owned = { signed: { by: "owner" } };
const bound = { signed: { by: "owner", isBound: true } } as const;

/** Uniswap/permit2: AllowanceTransfer.sol and SignatureTransfer.sol. */
export const permit2: ProtocolFamily = {
  name: "Permit2",
  structs: [
    "struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }",
    "struct Single { Details details; address spender; uint256 sigDeadline; }",
    "struct Batch { Details[] details; address spender; uint256 sigDeadline; }",
    "struct Transfer { address from; address to; uint160 amount; address token; }",
    "struct Pair { address token; address spender; }",
    "struct Permitted { address token; uint256 amount; }",
    "struct One { Permitted permitted; uint256 nonce; uint256 deadline; }",
    "struct Many { Permitted[] permitted; uint256 nonce; uint256 deadline; }",
    "struct Requested { address to; uint256 requestedAmount; }",
  ],
  functions: [
    {
      signature: "function approve(address token, address spender, uint160 amount, uint48 expiration)",
      amounts: { amount: "token" },
    },
    { signature: "function permit(address owner, Single permitSingle, bytes signature)", ...owned },
    { signature: "function permit(address owner, Batch permitBatch, bytes signature)", ...owned },
    {
      signature: "function transferFrom(address from, address to, uint160 amount, address token)",
      amounts: { amount: "token" },
    },
    { signature: "function transferFrom(Transfer[] transfers)" },
    { signature: "function lockdown(Pair[] approvals)" },
    { signature: "function invalidateNonces(address token, address spender, uint48 newNonce)" },
    // Only the spender that the signature names can transfer.
    {
      signature: "function permitTransferFrom(One permit, Requested transferDetails, address owner, bytes signature)",
      ...bound,
    },
    {
      signature:
        "function permitTransferFrom(Many permit, Requested[] transferDetails, address owner, bytes signature)",
      ...bound,
    },
    {
      signature: `function permitWitnessTransferFrom(One permit, Requested transferDetails, address owner, ${WITNESS})`,
      ...bound,
    },
    {
      signature: `function permitWitnessTransferFrom(Many permit, Requested[] transferDetails, address owner, ${WITNESS})`,
      ...bound,
    },
  ],
};

/** Multicall3, which makes arbitrary calls for anyone. */
export const multicall3: ProtocolFamily = {
  name: "Multicall3",
  structs: [
    "struct Call3 { address target; bool allowFailure; bytes callData; }",
    "struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }",
    "struct Call { address target; bytes callData; }",
  ],
  functions: [
    { signature: "function aggregate(Call[] calls) payable" },
    { signature: "function tryAggregate(bool requireSuccess, Call[] calls) payable" },
    { signature: "function aggregate3(Call3[] calls) payable" },
    { signature: "function aggregate3Value(Call3Value[] calls) payable" },
  ],
};

const amounts = { amount: "@target" };

/** EIP-20, EIP-2612 and common allowance functions. */
export const erc20: ProtocolFamily = {
  name: "ERC-20",
  functions: [
    { signature: "function approve(address spender, uint256 amount)", amounts },
    { signature: "function increaseAllowance(address spender, uint256 amount)", amounts },
    { signature: "function decreaseAllowance(address spender, uint256 amount)", amounts },
    { signature: "function transfer(address to, uint256 amount)", amounts },
    // ERC-677 and ERC-1363.
    { signature: "function transferAndCall(address to, uint256 amount)", amounts },
    { signature: "function transferAndCall(address to, uint256 amount, bytes data)", amounts },
    { signature: "function transferFrom(address from, address to, uint256 amount)", amounts },
    {
      signature:
        "function permit(address owner, address spender, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
      amounts,
      signed: { by: "owner" },
    },
  ],
};
