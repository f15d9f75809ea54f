// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ILivePuller} from "../interfaces/ILivePuller.sol";
import {IPushExecutor} from "../interfaces/IPushExecutor.sol";
import {LiveBalance} from "../libraries/LiveBalance.sol";

/// @title Transfers its caller's live balance to the executor and runs a program
/// @dev It has no state and holds no funds, so reentering it is equivalent to calling the executor.
contract LivePuller is ILivePuller {
    using SafeERC20 for IERC20;

    /// @inheritdoc ILivePuller
    IPushExecutor public immutable override executor;

    /// @dev The executor deploys its own puller.
    constructor() {
        executor = IPushExecutor(msg.sender);
    }

    /// @inheritdoc ILivePuller
    function pull(IERC20 token, bytes calldata program) external payable override {
        uint256 live = LiveBalance.read(address(token), msg.sender);
        // Some tokens revert on transfers of zero, which would hide the program's error.
        if (live != 0) token.safeTransferFrom(msg.sender, address(executor), live);
        executor.execute{value: msg.value}(program);
    }
}
