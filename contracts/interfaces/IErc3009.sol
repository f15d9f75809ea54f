// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Transfers by signed authorization, as EIP-3009 defines them
/// @notice A holder signs, and anyone (or only the payee) sends. The holder chooses nonces in any order.
interface IErc3009 {
    /// @notice A transfer used the authorization.
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    /// @notice The authorization was canceled before its use.
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    /// @notice The authorization is valid only after `validAfter`.
    error AuthorizationNotYetValid(uint256 validAfter, uint256 timestamp);

    /// @notice The authorization was valid only before `validBefore`.
    error AuthorizationExpired(uint256 validBefore, uint256 timestamp);

    /// @notice The nonce was already used or canceled.
    error AuthorizationAlreadyUsed(address authorizer, bytes32 nonce);

    /// @notice The signer is not the authorizer.
    error InvalidAuthorizationSigner(address signer, address authorizer);

    /// @notice Only the payee may send this authorization.
    error CallerNotPayee(address caller, address payee);

    /// @notice Transfers tokens with the holder's signed authorization. Anyone may send it.
    /// @param from The holder.
    /// @param to The payee.
    /// @param value The amount.
    /// @param validAfter Time in Unix seconds, exclusive.
    /// @param validBefore Time in Unix seconds, exclusive.
    /// @param nonce Nonce that the holder chose.
    /// @param v The signature's v.
    /// @param r The signature's r.
    /// @param s The signature's s.
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
    ) external;

    /// @notice Transfers tokens with the holder's signed authorization. Only the payee may send it, so the transfer
    /// cannot be sent separately from the payee's call.
    /// @param from The holder.
    /// @param to The payee and caller.
    /// @param value The amount.
    /// @param validAfter Time in Unix seconds, exclusive.
    /// @param validBefore Time in Unix seconds, exclusive.
    /// @param nonce Nonce that the holder chose.
    /// @param v The signature's v.
    /// @param r The signature's r.
    /// @param s The signature's s.
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
    ) external;

    /// @notice Cancels a nonce with its holder's signed authorization.
    /// @param authorizer The holder.
    /// @param nonce The nonce.
    /// @param v The signature's v.
    /// @param r The signature's r.
    /// @param s The signature's s.
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external;

    /// @notice Whether a nonce was used or canceled.
    /// @param authorizer The holder.
    /// @param nonce The nonce.
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);
}
