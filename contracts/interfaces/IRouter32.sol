// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IRouter} from "./IRouter.sol";

/// @title Version 3.2 of the service's router
/// @notice Has the functions of version 3.0. Only the outermost call releases its reentrancy guard, so a target cannot
/// enter after the router calls itself. A nested multicall can neither replace nor clear the NFT recipient.
/// @dev It reverts with `NativeTransferFailed` instead of `ETHTransferFailed`.
///
/// `cleanupErc20sViaCall` first resets an allowance to zero where a token requires it, accepts tokens that return
/// nothing, and reverts if `approve` fails or returns false. Like `cleanupNativeViaCall`, it emits `FundsMovement`
/// without metadata. Its `to` is the called account, which may have forwarded the funds.
interface IRouter32 is IRouter {
    /// A call of a multicall succeeded.
    /// @param dataHash The keccak256 hash of its call data.
    event SolverCallExecuted(address to, bytes32 dataHash, uint256 amount);

    /// @notice The recipient rejected native currency.
    error NativeTransferFailed();

    /// @notice A nested multicall has a different NFT recipient than the enclosing multicall.
    error RecipientAlreadySet(address current, address requested);

    /// @notice A token's `approve` failed.
    error ApproveFailed();

    /// @notice The version of the contract.
    function VERSION() external view returns (string memory);
}
