// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IRouter} from "./IRouter.sol";

/// @title The service's router of version 3.2
/// @notice Has the functions of 3.0. Only the outermost call ends its reentrancy guard, so a target cannot enter after the
/// router called itself. A nested multicall can neither replace nor clear the recipient of NFTs.
/// @dev It reverts with the errors below in place of `ReentrantCall`, `ArrayLengthMismatch` and `InvalidNftRecipient`.
///
/// `cleanupErc20sViaCall` approves through zero where a token requires it, so it takes tokens that return nothing, and
/// reverts if `approve` fails or returns false. Like `cleanupNativeViaCall`, it emits `FundsMovement` without metadata.
/// Its `to` is the called account, which may have sent the funds on.
interface IRouter32 is IRouter {
    /// @notice A call of a multicall succeeded.
    /// @param dataHash The keccak256 of its call data.
    event SolverCallExecuted(address to, bytes32 dataHash, uint256 amount);

    /// @notice The router is busy for another caller.
    error InvalidMsgSender(address storedSender, address actualSender);

    /// @notice The arrays differ in length.
    error ArrayLengthsMismatch();

    /// @notice The router cannot forward NFTs to itself.
    error InvalidRecipient(address recipient);

    /// @notice A nested multicall names another recipient of NFTs than the enclosing one.
    error RecipientAlreadySet(address current, address requested);

    /// @notice A token's `approve` failed.
    error ApproveFailed();

    /// @notice The version of the contract.
    function VERSION() external view returns (string memory);
}
