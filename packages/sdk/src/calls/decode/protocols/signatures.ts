import type { ProtocolFamily } from "../knownFunction.ts";

const SIGNATURE = "uint8 v, bytes32 r, bytes32 s";
const AUTHORIZATION = "address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce";

/** Token functions that use a signature. The ERC-20 functions include EIP-2612's `permit`. */
export const tokenSignatures: ProtocolFamily = /* @__PURE__ */ buildTokenSignatures();

// Builds the families in functions, because bundlers keep top-level calls.
function buildTokenSignatures(): ProtocolFamily {
  const amounts = { value: "@target" };
  return {
    name: "ERC-20",
    functions: [
      {
        signature: "function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)",
        amounts,
        signed: { by: "owner" },
      },
      // DAI's permit, before EIP-2612.
      {
        signature: `function permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, ${SIGNATURE})`,
        signed: { by: "holder" },
      },
      // EIP-3009. Only the payee can call receiveWithAuthorization.
      ...[SIGNATURE, "bytes signature"].flatMap((signature) => [
        {
          signature: `function transferWithAuthorization(${AUTHORIZATION}, ${signature})`,
          amounts,
          signed: { by: "from" },
        },
        {
          signature: `function receiveWithAuthorization(${AUTHORIZATION}, ${signature})`,
          amounts,
          signed: { by: "from", isBound: true as const },
        },
      ]),
      // ERC-721 tokens with permits, such as positions of Uniswap v3. The signer is the token's owner.
      {
        signature: `function permit(address spender, uint256 tokenId, uint256 deadline, ${SIGNATURE})`,
        signed: { by: "@unknown" },
      },
    ],
  };
}

/** Other functions that use a signature or a proof. */
export const signatures: ProtocolFamily = /* @__PURE__ */ buildSignatures();

function buildSignatures(): ProtocolFamily {
  const unnamed = { signed: { by: "@unknown" } };
  // Anyone can submit these, and their calls can have any effect.
  const submitted = [
    // Meta-transactions, and OpenZeppelin's forwarders.
    "executeMetaTransaction(address signer, bytes functionSignature, bytes32 r, bytes32 s, uint8 v) payable",
    "execute(Forwarded forwarded, bytes signature) payable",
    "execute(SignedForwarded forwarded) payable",
    // Safe.
    "execTransaction(address target, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable",
    // CCTP, Hyperlane and Wormhole, with messages that their attesters signed.
    "receiveMessage(bytes message, bytes attestation)",
    "process(bytes metadata, bytes message)",
    "completeTransfer(bytes message)",
    "completeTransferAndUnwrapETH(bytes message)",
    // Merkle distributors, with proofs.
    "claim(uint256 index, address account, uint256 amount, bytes32[] proof)",
    "claim(address account, uint256 amount, bytes32[] proof)",
    "claim(address[] accounts, address[] tokens, uint256[] amounts, bytes32[][] proofs)",
  ].map((signature) => ({ signature: `function ${signature}`, ...unnamed, isOpaque: true as const }));
  return {
    name: "signatures",
    structs: [
      "struct Authorization { address authorizer; address authorized; bool isAuthorized; uint256 nonce; uint256 deadline; }",
      "struct Signature { uint8 v; bytes32 r; bytes32 s; }",
      "struct Forwarded { address from; address target; uint256 value; uint256 gas; uint256 nonce; bytes data; }",
      "struct SignedForwarded { address from; address target; uint256 value; uint256 gas; uint48 deadline; bytes data; bytes signature; }",
    ],
    functions: [
      {
        signature: `function delegateBySig(address delegatee, uint256 nonce, uint256 expiry, ${SIGNATURE})`,
        ...unnamed,
      },
      { signature: `function castVoteBySig(uint256 proposalId, uint8 support, ${SIGNATURE})`, ...unnamed },
      {
        signature: "function castVoteBySig(uint256 proposalId, uint8 support, address voter, bytes signature)",
        signed: { by: "voter" },
      },
      {
        signature: `function castVoteWithReasonAndParamsBySig(uint256 proposalId, uint8 support, string reason, bytes params, ${SIGNATURE})`,
        ...unnamed,
      },
      {
        signature:
          "function castVoteWithReasonAndParamsBySig(uint256 proposalId, uint8 support, address voter, string reason, bytes params, bytes signature)",
        signed: { by: "voter" },
      },
      // Compound v3.
      {
        signature: `function allowBySig(address owner, address manager, bool isAllowed, uint256 nonce, uint256 expiry, ${SIGNATURE})`,
        signed: { by: "owner" },
      },
      {
        signature: "function setAuthorizationWithSig(Authorization authorization, Signature signature)",
        signed: { by: "authorization.authorizer" },
      },
      // Aave's credit delegation.
      {
        signature: `function delegationWithSig(address delegator, address delegatee, uint256 value, uint256 deadline, ${SIGNATURE})`,
        signed: { by: "delegator" },
      },
      {
        signature: `function cancelAuthorization(address authorizer, bytes32 nonce, ${SIGNATURE})`,
        signed: { by: "authorizer" },
      },
      ...submitted,
    ],
  };
}

/** Functions without a recipient, which credit their caller with a position. */
export const callerPositions: ProtocolFamily = /* @__PURE__ */ buildCallerPositions();

function buildCallerPositions(): ProtocolFamily {
  return {
    name: "position of the caller",
    functions: [
      "stake(uint256 amount)",
      "stake() payable",
      "stakeAll()",
      "stakeETH() payable",
      "depositETH() payable",
      "stake(uint256 amount, uint256 duration)",
      "deposit(uint256 amount)",
      // Farms with pools, such as MasterChef, and Convex.
      "deposit(uint256 poolId, uint256 amount)",
      "deposit(uint256 poolId, uint256 amount, bool stake)",
      "depositAll()",
      "enter(uint256 amount)",
      "supply(uint256 amount)",
      "lock(uint256 amount)",
      "join(uint256 amount)",
      "bond(uint256 amount)",
      "deposit(uint256 amount, bool lock)",
      "enterStaking(uint256 amount)",
      "lockTokens(uint256 amount)",
      "contribute(uint256 amount)",
      "invest(uint256 amount)",
      // Voting escrows.
      "create_lock(uint256 amount, uint256 unlockTime)",
      "increase_amount(uint256 amount)",
      "createLock(uint256 amount, uint256 duration)",
      "increaseAmount(uint256 tokenId, uint256 amount)",
      // Exits and rewards of such positions.
      "unstake(uint256 amount)",
      "leave(uint256 amount)",
      "redeem(uint256 amount)",
      "withdrawAll()",
      "exit()",
      "getReward()",
      "claim()",
      // Compound v2's and others' debts.
      "repayBorrow(uint256 amount)",
      "repay(uint256 amount)",
    ].map((signature) => ({ signature: `function ${signature}`, creditsCaller: true as const })),
  };
}
