// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Transfers live balances to the executor
/// @notice Approve this contract to use the executor's `pullAndExecute`. Only the executor can call it, and always
/// passes its own caller as the owner, so no account can move another account's tokens.
interface ILivePuller {
    /// @notice The caller is not the executor.
    error OnlyExecutor(address caller);

    /// @notice Transfers an owner's whole balance of a token to the executor.
    /// @param token The token. The owner has approved this contract.
    /// @param owner The executor's caller.
    function pull(IERC20 token, address owner) external;

    /// @notice The executor that deployed this contract.
    function executor() external view returns (address);
}
