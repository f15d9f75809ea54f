// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IErc3009} from "../../interfaces/IErc3009.sol";

/// @title Signed transfers of a token for local chains, as EIP-3009 defines them
/// @notice Accepts signatures as v, r and s, or as bytes, as USDC does since version 2.2.
abstract contract Erc3009 is IErc3009 {
    /// @notice EIP-712 type hash of `transferWithAuthorization`.
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,"
        "uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    /// @notice EIP-712 type hash of `receiveWithAuthorization`.
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,"
        "uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    /// @notice EIP-712 type hash of `cancelAuthorization`.
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    /// @inheritdoc IErc3009
    mapping(address authorizer => mapping(bytes32 nonce => bool used)) public override authorizationState;

    /// @inheritdoc IErc3009
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external override {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice `transferWithAuthorization` with the signature as bytes.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        _requireValid(validAfter, validBefore);
        bytes32 structHash = keccak256(
            abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
        );
        _consume(from, nonce, structHash, signature);
        emit AuthorizationUsed(from, nonce);
        _move(from, to, value);
    }

    /// @inheritdoc IErc3009
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external override {
        receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice `receiveWithAuthorization` with the signature as bytes.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        if (msg.sender != to) revert CallerNotPayee(msg.sender, to);
        _requireValid(validAfter, validBefore);
        bytes32 structHash =
            keccak256(abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        _consume(from, nonce, structHash, signature);
        emit AuthorizationUsed(from, nonce);
        _move(from, to, value);
    }

    /// @inheritdoc IErc3009
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external override {
        bytes32 structHash = keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce));
        _consume(authorizer, nonce, structHash, abi.encodePacked(r, s, v));
        emit AuthorizationCanceled(authorizer, nonce);
    }

    /// @dev Transfers tokens without a check of the caller.
    function _move(address from, address to, uint256 value) internal virtual;

    /// @dev Reverts if the authorizer did not sign the EIP-712 struct.
    function _requireAuthorized(address authorizer, bytes32 structHash, bytes memory signature) internal view virtual;

    /// @dev Checks that the authorizer signed, and that the nonce is unused.
    function _consume(address authorizer, bytes32 nonce, bytes32 structHash, bytes memory signature) private {
        if (authorizationState[authorizer][nonce]) revert AuthorizationAlreadyUsed(authorizer, nonce);
        _requireAuthorized(authorizer, structHash, signature);
        authorizationState[authorizer][nonce] = true;
    }

    function _requireValid(uint256 validAfter, uint256 validBefore) private view {
        if (block.timestamp <= validAfter) revert AuthorizationNotYetValid(validAfter, block.timestamp);
        if (block.timestamp >= validBefore) revert AuthorizationExpired(validBefore, block.timestamp);
    }
}
