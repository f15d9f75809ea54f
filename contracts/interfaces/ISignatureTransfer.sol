// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title The part of Permit2 that moves tokens by signature
/// @notice A holder approves Permit2 once per token and then signs each transfer. Nonces come in any order.
interface ISignatureTransfer {
    /// @param token The token.
    /// @param amount The most that may be moved.
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    /// @param permitted What may be moved.
    /// @param nonce Used once.
    /// @param deadline Unix seconds, inclusive.
    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    /// @param to Receives the tokens.
    /// @param requestedAmount How many.
    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    /// @notice Moves tokens of a holder who signed the transfer, the caller as spender, and a witness.
    /// @param permit What was signed.
    /// @param transferDetails Where the tokens go.
    /// @param owner The holder.
    /// @param witness Struct hash of the witness.
    /// @param witnessTypeString The rest of the type string, from the witness member on.
    /// @param signature The holder's.
    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
