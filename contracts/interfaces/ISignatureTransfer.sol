// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title The part of Permit2 that transfers tokens by signature
/// @notice A holder approves Permit2 once per token and then signs each transfer. Nonces come in any order.
interface ISignatureTransfer {
    /// @param token The token.
    /// @param amount Maximum amount of the transfer.
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    /// @param permitted Token and maximum amount.
    /// @param nonce Nonce, valid for one use.
    /// @param deadline Time in Unix seconds, inclusive.
    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    /// @param to Recipient of the tokens.
    /// @param requestedAmount Amount to transfer.
    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    /// @notice Transfers tokens of a holder who signed the transfer with the caller as spender and a witness.
    /// @param permit The signed permit.
    /// @param transferDetails Recipient and amount.
    /// @param owner The holder.
    /// @param witness Struct hash of the witness.
    /// @param witnessTypeString The rest of the type string, from the witness member on.
    /// @param signature The holder's signature.
    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
