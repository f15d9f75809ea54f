// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// @title Protocol that pays its caller, in a token or native currency
contract CallerPayer {
    IERC20 public immutable INPUT;

    /// @dev Token to pay; the zero address is native currency.
    IERC20 public immutable OUTPUT;

    /// @dev Amount paid for the input.
    uint256 public bps = 10_000;

    constructor(IERC20 input, IERC20 output) {
        INPUT = input;
        OUTPUT = output;
    }

    receive() external payable {}

    function pay(uint256 newBps) external {
        bps = newBps;
    }

    function redeem(uint256 amount) external {
        SafeERC20.safeTransferFrom(INPUT, msg.sender, address(this), amount);
        uint256 output = (amount * bps) / 10_000;
        if (address(OUTPUT) == address(0)) Address.sendValue(payable(msg.sender), output);
        else SafeERC20.safeTransfer(OUTPUT, msg.sender, output);
    }
}
