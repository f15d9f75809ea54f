// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ISignatureTransfer} from "../interfaces/ISignatureTransfer.sol";

/// @title The part of Permit2 that moves several tokens by one signature
interface IBatchSignatureTransfer {
    /// @param permitted What may be moved.
    /// @param nonce Used once.
    /// @param deadline Unix seconds, inclusive.
    struct PermitBatchTransferFrom {
        ISignatureTransfer.TokenPermissions[] permitted;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice Moves tokens of a holder who signed the transfers, the caller as spender, and a witness.
    /// @param permit What was signed.
    /// @param transferDetails Where the tokens go.
    /// @param owner The holder.
    /// @param witness Struct hash of the witness.
    /// @param witnessTypeString The rest of the type string, from the witness member on.
    /// @param signature The holder's.
    function permitWitnessTransferFrom(
        PermitBatchTransferFrom calldata permit,
        ISignatureTransfer.SignatureTransferDetails[] calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
