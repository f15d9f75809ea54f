// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPushExecutor} from "./IPushExecutor.sol";

/// @title Passes a live balance to the executor, for callers that approve instead of push
/// @notice It only takes from its caller and only passes on to the executor, so it is safe to approve.
interface ILivePuller {
    /// @notice Moves the caller's whole balance of `token`, which must be approved, to the executor, and runs the
    /// program there with the call's value.
    /// @dev The program's minimums bound what must arrive.
    function pull(IERC20 token, bytes calldata program) external payable;

    /// @notice The executor that receives everything.
    function executor() external view returns (IPushExecutor);
}
