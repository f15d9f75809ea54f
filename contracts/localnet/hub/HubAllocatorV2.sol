// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {IAttestationVerifier} from "../../interfaces/IAttestationVerifier.sol";
import {IDepository} from "../../interfaces/IDepository.sol";
import {SignedHash} from "../../libraries/SignedHash.sol";
import {HubPayloads} from "./HubPayloads.sol";

/// @title The v2 allocator and its spender, on the local settlement hub
/// @notice Builds the payloads of withdrawals with a balance at a withdrawal address, and stores the payloads'
/// signatures. The live contracts are on another chain. This contract moves no balance: oracles sign the burn after the
/// depository pays.
abstract contract HubAllocatorV2 is HubPayloads {
    /// @param chainId EVM id of the payment's chain.
    /// @param depository Depository that pays. This and the next addresses are text.
    /// @param currency Currency of the payment; zero is native.
    /// @param amount Amount in the smallest unit.
    /// @param spender The owner's hub account.
    /// @param receiver Recipient of the payment.
    /// @param data Additional data, empty for EVM chains.
    /// @param nonce Distinguishes otherwise equal requests.
    struct SubmitWithdrawRequest {
        uint256 chainId;
        string depository;
        string currency;
        uint256 amount;
        address spender;
        string receiver;
        bytes data;
        bytes32 nonce;
    }

    bytes32 private constant _SUBMIT_TYPEHASH = keccak256(
        "SubmitWithdrawRequest(uint256 chainId,string depository,string currency,uint256 amount,address spender,"
        "string receiver,bytes data,bytes32 nonce)"
    );

    /// @notice The signature of a payload's hash; empty if the hash is not signed.
    mapping(bytes32 payloadId => mapping(bytes32 hashToSign => bytes)) public signedPayloads;

    /// @notice A payload was signed.
    event PayloadSigned(bytes32 indexed payloadId, bytes signature);

    /// @notice No payload with this id exists.
    error PayloadUnknown(bytes32 payloadId);

    /// @notice Builds the payload of a request that enough oracles signed.
    /// @param request The request, accepted once.
    /// @param signatures The signatures, in ascending order of their signers.
    function submitWithdrawRequest(
        SubmitWithdrawRequest calldata request,
        IAttestationVerifier.OracleSignature[] calldata signatures
    ) external {
        _requireOracles("RelayAllocatorSpender", _hashStruct(request), signatures);
        _buildPayload(
            keccak256(abi.encode(request)),
            request.chainId,
            Strings.parseAddress(request.depository),
            Strings.parseAddress(request.currency),
            request.amount,
            Strings.parseAddress(request.receiver)
        );
    }

    /// @notice Records the signature of a payload.
    /// @dev Reads the signer from this chain's depository: all local chains have the same signer.
    /// @param payloadId The hash of the request.
    /// @param signature The signature of the depository's allocator.
    function submitSignature(bytes32 payloadId, bytes calldata signature) external {
        bytes32 hash = hashesToSign[payloadId][0];
        if (hash == 0) revert PayloadUnknown(payloadId);
        SignedHash.requireSigned(hash, IDepository(DEPOSITORY).allocator(), signature);
        signedPayloads[payloadId][hash] = signature;
        emit PayloadSigned(payloadId, signature);
    }

    /// @notice The contract that builds payloads for a chain's depository; zero if the depository is not supported.
    /// @param chainId The chain's EVM id. Every local chain has the depository.
    /// @param depository The depository, as text.
    function payloadBuilders(uint256 chainId, string calldata depository) external view returns (address) {
        chainId;
        (bool isAddress, address account) = Strings.tryParseAddress(depository);
        return isAddress && account == DEPOSITORY ? address(this) : address(0);
    }

    function _hashStruct(SubmitWithdrawRequest calldata request) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                _SUBMIT_TYPEHASH,
                request.chainId,
                keccak256(bytes(request.depository)),
                keccak256(bytes(request.currency)),
                request.amount,
                request.spender,
                keccak256(bytes(request.receiver)),
                keccak256(request.data),
                request.nonce
            )
        );
    }
}
