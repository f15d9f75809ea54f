// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title Transfers its caller's remaining balance of a token
/// @notice In the local solver's fills, returns the unused input of an exact-output swap to the solver before the
/// order's calls run. The router's own cleanup would release its reentrancy guard for the rest of the fill.
/// @dev The contract takes from its caller only, so no one else can use an allowance for it.
contract LocalSweeper {
    using SafeERC20 for IERC20;

    /// @notice Transfers the caller's whole balance by allowance.
    /// @param token The token.
    /// @param to The recipient.
    function sweep(IERC20 token, address to) external {
        uint256 left = token.balanceOf(msg.sender);
        if (left != 0) token.safeTransferFrom(msg.sender, to, left);
    }
}
