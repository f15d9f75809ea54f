// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPushExecutor} from "./IPushExecutor.sol";

/// @title Hands a live balance to the executor, for callers that approve rather than push
/// @notice It takes from its caller only and gives to the executor only, so it can be approved.
interface ILivePuller {
    /// @notice Moves the caller's whole balance of `token`, which must be approved before, to the executor and runs the
    /// program there, with the native that the call carries.
    /// @dev What must arrive is a minimum of the program.
    function pull(IERC20 token, bytes calldata program) external payable;

    /// @notice Where everything goes.
    function executor() external view returns (IPushExecutor);
}
