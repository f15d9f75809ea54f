// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {DestinationProxy} from "../../proxies/DestinationProxy.sol";

/// @title Proxy whose output is half of its input, in the same token
contract HalfForwarder is DestinationProxy {
    constructor(IERC20 input, IERC20 output) DestinationProxy(input, output, address(0)) {}

    /// @inheritdoc DestinationProxy
    function _act(uint256 amountIn, address recipient) internal override {
        SafeERC20.safeTransfer(inputToken, recipient, amountIn / 2);
    }
}
