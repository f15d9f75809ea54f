// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {LiveBalance} from "@crosscall/contracts/libraries/LiveBalance.sol";

/// @title Pays its caller one wei per unit of a token
contract ExitDesk {
    IERC20 public immutable token;

    constructor(IERC20 token_) payable {
        token = token_;
    }

    function exit(uint256 amount) external {
        SafeERC20.safeTransferFrom(token, msg.sender, address(this), amount);
        Address.sendValue(payable(msg.sender), amount);
    }

    function reserve() external view returns (uint256) {
        return LiveBalance.read(address(0), address(this));
    }
}
