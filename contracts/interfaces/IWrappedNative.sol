// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title The chain's native currency as a token
interface IWrappedNative is IERC20 {
    /// @notice Mints as much of the token to the caller as the call carries native.
    function deposit() external payable;

    /// @notice Burns `amount` of the caller's token and sends it that much native.
    function withdraw(uint256 amount) external;
}
