// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Transfers by signed authorization, as EIP-3009 defines them
/// @notice A holder signs, anyone (or only the payee) sends. Nonces are chosen by the holder, in any order.
interface IErc3009 {
    /// @notice The authorization was used for a transfer.
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    /// @notice The authorization was canceled before its use.
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    /// @notice The authorization is valid only after `validAfter`.
    error AuthorizationNotYetValid(uint256 validAfter, uint256 timestamp);

    /// @notice The authorization was valid only before `validBefore`.
    error AuthorizationExpired(uint256 validBefore, uint256 timestamp);

    /// @notice The nonce was used or canceled before.
    error AuthorizationAlreadyUsed(address authorizer, bytes32 nonce);

    /// @notice The signer is not the authorizer.
    error InvalidAuthorizationSigner(address signer, address authorizer);

    /// @notice Only the payee may send this authorization.
    error CallerNotPayee(address caller, address payee);

    /// @notice Moves tokens as the holder signed; anyone may send it.
    /// @param from The holder.
    /// @param to The payee.
    /// @param value The amount.
    /// @param validAfter Unix seconds, exclusive.
    /// @param validBefore Unix seconds, exclusive.
    /// @param nonce Chosen by the holder.
    /// @param v Of the signature.
    /// @param r Of the signature.
    /// @param s Of the signature.
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

    /// @notice Moves tokens as the holder signed. Only the payee may send it, so no one can run the transfer outside of
    /// the payee's own transaction.
    /// @param from The holder.
    /// @param to The payee and caller.
    /// @param value The amount.
    /// @param validAfter Unix seconds, exclusive.
    /// @param validBefore Unix seconds, exclusive.
    /// @param nonce Chosen by the holder.
    /// @param v Of the signature.
    /// @param r Of the signature.
    /// @param s Of the signature.
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

    /// @notice Makes a nonce unusable, as its holder signed.
    /// @param authorizer The holder.
    /// @param nonce The nonce.
    /// @param v Of the signature.
    /// @param r Of the signature.
    /// @param s Of the signature.
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external;

    /// @notice Whether a nonce was used or canceled.
    /// @param authorizer The holder.
    /// @param nonce The nonce.
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);
}
