// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title Moves its caller's remaining balance of a token
/// @notice For the local solver's fills: unused input of a swap for an exact output goes back to the solver before the
/// order's calls run. The router's own cleanup would do, but it clears the router's guard against reentry for the rest
/// of the fill.
/// @dev It takes from its caller only, so an allowance to it is of no use to anyone else.
contract LocalSweeper {
    using SafeERC20 for IERC20;

    /// @notice Moves the caller's whole balance, by allowance.
    /// @param token The moved token.
    /// @param to Receives it.
    function sweep(IERC20 token, address to) external {
        uint256 left = token.balanceOf(msg.sender);
        if (left != 0) token.safeTransferFrom(msg.sender, to, left);
    }
}
