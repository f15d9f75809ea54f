// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title The chain's native currency as a token
interface IWrappedNative is IERC20 {
    /// @notice Mints tokens to the caller in exchange for the call's native value.
    function deposit() external payable;

    /// @notice Burns `amount` of the caller's tokens and sends the caller the same native amount.
    function withdraw(uint256 amount) external;
}
