// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IAttestationVerifier} from "../../interfaces/IAttestationVerifier.sol";
import {HubLedger} from "./HubLedger.sol";
import {HubPayloads} from "./HubPayloads.sol";

/// @title The allocator on the local settlement hub
/// @notice Takes the requests that oracles signed, burns the spender's balance, and builds the depository's payload.
abstract contract HubAllocator is HubLedger, HubPayloads {
    /// @param chainId Name of the payment's chain.
    /// @param depository Depository that pays, 20 bytes.
    /// @param currency Currency of the payment, 20 bytes; zero is native.
    /// @param amount Amount in the smallest unit.
    /// @param spenderChainId Name of the spender's chain.
    /// @param spender Account from which the balance is burned.
    /// @param receiver Recipient of the payment, 20 bytes.
    /// @param data Additional data, empty for EVM chains.
    /// @param nonce Distinguishes otherwise equal requests.
    struct WithdrawRequest {
        string chainId;
        bytes depository;
        bytes currency;
        uint256 amount;
        string spenderChainId;
        bytes spender;
        bytes receiver;
        bytes data;
        bytes32 nonce;
    }

    bytes32 private constant _WITHDRAW_REQUEST_TYPEHASH = keccak256(
        "WithdrawRequest(string chainId,bytes depository,bytes currency,uint256 amount,string spenderChainId,"
        "bytes spender,bytes receiver,bytes data,bytes32 nonce)"
    );

    /// @notice Takes a request that enough oracles signed.
    /// @param request The request, accepted once.
    /// @param signatures The signatures, in ascending order of their signers.
    function withdraw(WithdrawRequest calldata request, IAttestationVerifier.OracleSignature[] calldata signatures)
        external
    {
        _requireOracles("RelayAllocator", _hashStruct(request), signatures);
        _withdraw(request);
    }

    /// @notice The contract that builds payloads for a chain's depository; zero if the depository is not supported.
    /// @param chainId The chain's name.
    /// @param depository The depository.
    function payloadBuilders(string calldata chainId, bytes calldata depository) external view returns (address) {
        (bool isLocal,) = _readChain(chainId);
        return isLocal && keccak256(depository) == keccak256(abi.encodePacked(DEPOSITORY)) ? address(this) : address(0);
    }

    function _withdraw(WithdrawRequest memory request) internal returns (bytes32 requestHash) {
        (bool isLocal, uint256 chainId) = _readChain(request.chainId);
        if (!isLocal) revert ChainNotSupported(request.chainId);
        requestHash = keccak256(abi.encode(request));
        _buildPayload(
            requestHash,
            chainId,
            _readAddress(request.depository),
            _readAddress(request.currency),
            request.amount,
            _readAddress(request.receiver)
        );
        address spender = _aliasOf(request.spenderChainId, request.spender);
        _burn(spender, _tokenOf(request.chainId, request.currency), request.amount);
    }

    function _hashStruct(WithdrawRequest calldata request) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                _WITHDRAW_REQUEST_TYPEHASH,
                keccak256(bytes(request.chainId)),
                keccak256(request.depository),
                keccak256(request.currency),
                request.amount,
                keccak256(bytes(request.spenderChainId)),
                keccak256(request.spender),
                keccak256(request.receiver),
                keccak256(request.data),
                request.nonce
            )
        );
    }
}
