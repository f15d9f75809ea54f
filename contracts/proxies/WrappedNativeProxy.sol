// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {INativeProxy} from "../interfaces/INativeProxy.sol";
import {IWrappedNative} from "../interfaces/IWrappedNative.sol";
import {LiveBalance} from "../libraries/LiveBalance.sol";
import {DestinationProxy} from "./DestinationProxy.sol";
import {NativePayer} from "./NativePayer.sol";
import {NativeProxy} from "./NativeProxy.sol";

/// @title Unwraps the delivered amount, or wraps it
/// @notice `execute` unwraps wrapped native tokens; `executeNative` wraps native currency.
contract WrappedNativeProxy is NativePayer {
    constructor(IWrappedNative wrappedNative_)
        NativeProxy(wrappedNative_, IERC20(address(0)), address(0), wrappedNative_)
    {}

    /// @inheritdoc INativeProxy
    function executeNative(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)
        external
        payable
        override
        nonReentrant
        returns (uint256 amountIn, uint256 amountOut)
    {
        _requireUsable(recipient, deadline);
        amountIn = _wrap(LiveBalance.read(address(inputToken), address(this)), minimumIn);
        uint256 held = LiveBalance.read(address(inputToken), recipient);
        SafeERC20.safeTransfer(inputToken, recipient, amountIn);
        amountOut = _requireGained(held, LiveBalance.read(address(inputToken), recipient), minimumOut);
        emit Executed(msg.sender, recipient, amountIn, amountOut);
    }

    /// @inheritdoc DestinationProxy
    function _act(uint256 amountIn, address recipient) internal override {
        _unwrapTo(recipient, amountIn);
    }
}
