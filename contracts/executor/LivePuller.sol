// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ILivePuller} from "../interfaces/ILivePuller.sol";
import {LiveBalance} from "../libraries/LiveBalance.sol";

/// @title Transfers live balances to the executor
/// @dev The contract has no state and holds no funds.
contract LivePuller is ILivePuller {
    using SafeERC20 for IERC20;

    /// @inheritdoc ILivePuller
    address public immutable override executor;

    /// @dev The executor deploys its own puller.
    constructor() {
        executor = msg.sender;
    }

    /// @inheritdoc ILivePuller
    function pull(IERC20 token, address owner) external override {
        if (msg.sender != executor) revert OnlyExecutor(msg.sender);
        uint256 live = LiveBalance.read(address(token), owner);
        // Some tokens revert on transfers of zero, which would hide the program's own error.
        if (live != 0) token.safeTransferFrom(owner, executor, live);
    }
}
