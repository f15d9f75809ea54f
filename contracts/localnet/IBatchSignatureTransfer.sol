// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ISignatureTransfer} from "../interfaces/ISignatureTransfer.sol";

/// @title The part of Permit2 that transfers several tokens by one signature
interface IBatchSignatureTransfer {
    /// @param permitted Tokens and maximum amounts.
    /// @param nonce Nonce, valid for one use.
    /// @param deadline Time in Unix seconds, inclusive.
    struct PermitBatchTransferFrom {
        ISignatureTransfer.TokenPermissions[] permitted;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice Transfers tokens of a holder who signed the transfers with the caller as spender and a witness.
    /// @param permit The signed permit.
    /// @param transferDetails Recipient and amount for each token.
    /// @param owner The holder.
    /// @param witness Struct hash of the witness.
    /// @param witnessTypeString The rest of the type string, from the witness member on.
    /// @param signature The holder's signature.
    function permitWitnessTransferFrom(
        PermitBatchTransferFrom calldata permit,
        ISignatureTransfer.SignatureTransferDetails[] calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
